"""A session's words are kept: the person's requests and the agent's last answer."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from monitor.activity.requests import UserRequest
from monitor.checkpoints import words as saved
from monitor.checkpoints.words import SessionWords
from shared import paths
from shared.text.plain import escaped
from tests.monitor.checkpoints.saved_words import saved_words
from tests.monitor.conftest import Carried
from tests.monitor.workshop import Workshop

CONSTRAINT = "Don't touch the payment provider."
ORDER = f"Add a coupon field to the checkout.\n\nRules:\n- {CONSTRAINT}\n- no new dependency"


def work(workshop: Workshop) -> None:
    workshop.transcript.prompt(ORDER)
    workshop.transcript.answer(20_000, tool_use_ids=(), text="I'll begin with the form.")
    workshop.edit("src/checkout.py")
    workshop.transcript.prompt("<task-notification>\n<task-id>a</task-id>")
    workshop.transcript.prompt("[Request interrupted by user for tool use]")
    workshop.transcript.prompt("Call it voucher, not coupon")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Renamed; next: the test of an expired voucher.")
    workshop.edit("src/checkout.py")


def test_prompts_and_the_last_answer_are_kept_whole_outside_the_project(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    (words,) = saved_words(workshop)
    assert [request["text"] for request in words["requests"]] == [ORDER, "Call it voucher, not coupon"]
    assert words["answer"] == "Renamed; next: the test of an expired voucher."
    assert words.keys().isdisjoint({"left_out", "summary"})
    (checkpoint,) = workshop.checkpoints()
    assert json.loads(Path(checkpoint["words_path"]).read_bytes()) == saved_words(workshop)[0]
    for path in workshop.project.rglob("*"):
        assert path.is_dir() or "payment provider" not in path.read_text()


def test_instructions_to_the_agent_are_kept(workshop: Workshop) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    workshop.transcript.prompt("<command-name>/spec</command-name>")
    workshop.transcript.prompt(f"# Spec\nWrite the plan with {key}.", isMeta=True)
    approved = "User has approved your plan.\n\nYour plan has been saved to: /p.md\n\n## Approved Plan:\n"
    workshop.call("ExitPlanMode", output=f"{approved}# Vouchers\n1. Add the field", record={"plan": "x"}, plan="x")
    workshop.transcript.prompt("# Spec\nWrite the plan.", isMeta=True, sourceToolUseID="toolu_1")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert words["instructions"] == ["# Vouchers\n1. Add the field", "# Spec\nWrite the plan."]
    assert key not in json.dumps(words)


def test_the_first_and_newest_of_many_are_kept(workshop: Workshop) -> None:
    for number in range(100):
        workshop.transcript.prompt(f"Prompt {number}")
        if number == 80:
            workshop.compact()  # what is known of a session is read in parts
    workshop.compact()
    words = saved_words(workshop)[-1]
    assert [request["text"] for request in words["requests"]] == [
        f"Prompt {number}" for number in (*range(8), *range(44, 100))
    ]
    assert words["left_out"] == 36


def test_many_long_requests_are_shortened(workshop: Workshop) -> None:
    for number in range(60):
        workshop.transcript.prompt(f"Prompt {number} " + "x" * 9_000)
    workshop.compact()
    texts = [request["text"] for request in saved_words(workshop)[0]["requests"]]
    assert len(texts) == 60
    assert sum(map(len, texts)) < saved.MOST + 60 * 10


def test_decisions_are_kept_with_their_questions(workshop: Workshop) -> None:
    work(workshop)
    answered = 'User has answered your questions: "Which store?"="Postgres".'
    workshop.call("AskUserQuestion", output=answered, record={"answers": {"Which store?": "Postgres"}}, questions=[])
    refused = "The user doesn't want to proceed with this tool use. The tool use was rejected. the user said:\nNot yet"
    workshop.call("Bash", failed=True, output=refused, command="git push --token=ghp_abcdefghijklmnopqrstuvwxyz0123")
    workshop.call("ExitPlanMode", failed=True, output=refused, plan="First, the form.")
    approved = "User has approved your plan.\n\nYour plan has been saved to: /home/dev/p.md\n"
    workshop.call("ExitPlanMode", output=approved, record={"plan": "First, the form."})
    workshop.compact()
    (words,) = saved_words(workshop)
    requests = [(request["kind"], request["text"], request.get("about", "")) for request in words["requests"][2:]]
    assert requests == [
        ("answer", "Postgres", "Which store?"),
        ("refusal", "Not yet", "git push --token=[masked]"),
        ("refusal", "Not yet", "the plan"),
        ("plan", "/home/dev/p.md", ""),
    ]


def test_an_old_checkpoint_put_back_is_not_mistaken_for_the_newer_one(workshop: Workshop) -> None:
    workshop.transcript.prompt("The old work of this session")
    workshop.compact()
    (path,) = workshop.folder.glob("cx-*.json")
    old, proof = path.read_bytes(), Path(f"{path}.proof").read_bytes()
    for file in workshop.folder.iterdir():
        file.unlink()
    workshop.transcript.prompt("The newer work of this session")
    workshop.compact()
    assert "newer work" in workshop.start("compact")
    path.write_bytes(old)
    Path(f"{path}.proof").write_bytes(proof)
    assert workshop.start("compact") == ""


def test_a_checkpoint_removed_and_put_back_is_not_resumed(workshop: Workshop) -> None:
    workshop.configure("checkpoint.keep = 1")
    workshop.transcript.prompt("The old work of this session")
    workshop.compact()
    old = {path: path.read_bytes() for path in workshop.folder.glob("cx-001*")}
    workshop.compact()
    for path in workshop.folder.iterdir():
        path.unlink()
    for path, data in old.items():
        path.write_bytes(data)
    assert workshop.start("compact") == ""


def test_a_checkpoint_without_its_words_keeps_everything_else(workshop: Workshop) -> None:
    workshop.transcript.prompt("The work of this session")
    workshop.compact()
    (path,) = workshop.folder.glob("cx-*.json")
    checkpoint = workshop.checkpoints()[0]
    Path(checkpoint["words_path"]).unlink()
    assert workshop.start("compact") == ""
    long_ago = datetime.fromtimestamp(time.time() - (saved.RETENTION_DAYS + 1) * 24 * 3600, UTC)
    workshop.rewrite(path, checkpoint | {"timestamp": long_ago.isoformat(timespec="seconds")})
    assert "checkpoint cx-001" in workshop.start("compact")


def test_secrets_and_control_characters_are_removed(workshop: Workshop) -> None:
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    workshop.transcript.prompt(f"Use {key}\x1b[2J now " + "x" * 9_000 + f" and {key}")
    workshop.compact()
    (request,) = saved_words(workshop)[0]["requests"]
    prompt = request["text"]
    assert "ghp_" not in prompt
    assert "\x1b" not in prompt
    assert prompt.startswith("Use [masked] now x")
    assert prompt.endswith("x and [masked]")
    assert len(prompt) <= saved.LONGEST + 10


def test_a_password_in_a_prompt_is_masked(workshop: Workshop) -> None:
    workshop.transcript.prompt("Fix the shop, the password is Walnut7harbor")
    workshop.compact()
    assert saved_words(workshop)[0]["requests"][0]["text"] == "Fix the shop, the password is [masked]"


def test_the_person_may_switch_off_keeping_words(workshop: Workshop) -> None:
    workshop.configure("checkpoint.include_prompts = false")
    work(workshop)
    workshop.compact()
    assert saved_words(workshop) == []
    (checkpoint,) = workshop.checkpoints()
    assert checkpoint["words_path"] is None
    message = workshop.start("compact")
    assert message.startswith("<resumption-context>")
    assert "voucher" not in message


def test_the_words_go_with_their_checkpoint(workshop: Workshop) -> None:
    workshop.configure("checkpoint.keep = 2")
    work(workshop)
    for _ in range(4):
        workshop.compact()
    assert len(saved_words(workshop)) == 2


def test_words_without_a_project_are_removed_after_a_while(workshop: Workshop) -> None:
    work(workshop)
    directory = Path(paths.words_directory(str(workshop.root)))
    directory.mkdir(parents=True)
    ages = {f"day{age}": age for age in range(3, saved.RETENTION_DAYS, 3)}
    for name, days in {"gone": saved.RETENTION_DAYS + 1, "kept": saved.RETENTION_DAYS - 1, **ages}.items():
        (directory / f"{name}.json").write_text("{}")
        (directory / f"{name}.json").chmod(0o600)
        moment = time.time() - days * 24 * 3600
        os.utime(directory / f"{name}.json", (moment, moment))
    workshop.compact()
    assert not (directory / "gone.json").exists()
    assert (directory / "kept.json").exists()
    assert len(saved_words(workshop)) == 2 + len(ages)


def test_a_save_while_the_clock_is_months_ahead_removes_no_words(workshop: Workshop) -> None:
    directory = Path(paths.words_directory(str(workshop.root)))
    for age in range(20):
        saved.write(str(directory / f"{age}.json"), SessionWords(), time.time())
        os.utime(directory / f"{age}.json", (time.time() - age * 24 * 3600,) * 2)
    for name in ("first", "second"):
        moment = time.time() + 100 * 24 * 3600
        saved.write(str(directory / f"{name}.json"), SessionWords(), moment)
        os.utime(directory / f"{name}.json", (moment, moment))
    saved.write(str(directory / "third.json"), SessionWords(), time.time())
    assert len(list(directory.glob("*.json"))) == 23


def test_a_resumption_quotes_the_requests(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    message = workshop.start("compact")
    assert f"First asked: Add a coupon field to the checkout. Rules: - {escaped(CONSTRAINT)} - no new" in message
    assert "Last asked: Call it voucher, not coupon" in message


@pytest.mark.parametrize("strategy", ["spawn", "chunk"])
def test_a_handover_has_every_prompt(workshop: Workshop, context: Carried, strategy: str) -> None:
    from monitor.pivot.strategies import carry_out  # noqa: PLC0415  beside the fixture that it needs

    work(workshop)
    workshop.call("TodoWrite", todos=[{"content": "Add the field", "status": "pending"}])
    for number in range(8):
        workshop.transcript.prompt(f"Prompt {number}: " + "some more words " * 400 + f"and constraint {number}")
    document = Path(carry_out(strategy, context()).files[0].path).read_text()
    assert f"> - {CONSTRAINT}" in document
    assert "> Call it voucher, not coupon" in document
    for number in range(8):
        assert f"Prompt {number}: " in document
        assert f"and constraint {number}" in document
    assert "next: the test of an expired voucher." in document


def test_damaged_words_are_lost_alone(workshop: Workshop) -> None:
    work(workshop)
    workshop.compact()
    for words in (b"{}", b'{"prompts": []}', b"[", b'{"prompts": 1}'):
        for path in Path(paths.words_directory(str(workshop.root))).iterdir():
            path.write_bytes(words)
        message = workshop.start("compact")
        assert "checkpoint cx-001" in message
        assert "asked:" not in message


def test_a_new_field_does_not_change_older_words_digest() -> None:
    class LaterWords(SessionWords, frozen=True):
        tools: tuple[str, ...] = ()

    older = SessionWords((UserRequest("prompt", "Fix the cart"),), answer="Done.")
    later = LaterWords(older.requests, answer=older.answer)
    assert saved.digest_of(later) == saved.digest_of(older)
