"""The steps after the agent's last words are told with their outcomes."""

from monitor.checkpoints.transcript.steps import MOST, steps_since
from monitor.checkpoints.transcript.words_of import words_of
from tests import processor_time
from tests.monitor.activity.test_reader import read
from tests.monitor.workshop import Workshop
from tests.shared.credentials import KEYS


def steps(workshop: Workshop) -> tuple[str, ...]:
    path = workshop.transcript.path
    return steps_since(str(path), 0, path.stat().st_size)


def test_checks_that_still_run_elsewhere_have_not_failed(workshop: Workshop) -> None:
    pending = "Exit code 8\nlint\tpass\t7s\thttps://a\ntest\tpending\t0\thttps://b"
    workshop.call("Bash", failed=True, output=pending, command="gh pr checks 103")
    assert steps(workshop) == ("`gh pr checks 103`: test pending 0 https://b",)


def test_each_step_has_its_outcome(workshop: Workshop) -> None:
    workshop.edit("src/cart.py")
    workshop.call("Bash", output="collected 3 items\n\n3 passed in 0.1s\n", command="pytest -q")
    workshop.call("Bash", output="def total():\n    return 1\n", command="cat cart.py")
    failing = "FAILED test_cart.py::test_total - assert 1 == 2\n1 failed in 0.1s"
    workshop.call("Bash", failed=True, output=f"Exit code 1\n{failing}", command="pytest -q test_cart.py")
    missing = "<tool_use_error>File does not exist.</tool_use_error>"
    workshop.call("Edit", failed=True, output=missing, file_path="cart.py")
    workshop.call("Agent", output="The key is compared by identity.", description="Find the cause", prompt="x")
    edit, passed, look, failed, missed, agent = steps(workshop)
    assert edit.startswith("Edit ")
    assert edit.endswith("src/cart.py: `b`")
    assert passed == "`pytest -q`: collected 3 items | 3 passed in 0.1s"
    assert look == "`cat cart.py`: def total(): return 1"
    assert failed == "`pytest -q test_cart.py`: failed: test_cart.py::test_total - assert 1 == 2"
    assert missed == "Edit cart.py: failed: File does not exist."
    assert agent == "Agent Find the cause: The key is compared by identity."


def test_the_clients_internal_text_is_no_result(workshop: Workshop) -> None:
    workshop.call("Bash", output="3 passed", command="pytest -q")
    newest = workshop.transcript.path.read_bytes().splitlines()[-1]
    assert b'"tool_result"' in newest
    blob = newest.replace(b'"type":"user"', b'"type":"api-request-blob"').replace(b"3 passed", b"available skills")
    workshop.transcript.write(blob + b"\n")
    assert steps(workshop) == ("`pytest -q`: 3 passed",)


def test_a_lookup_is_told_by_its_first_output_and_a_command_by_its_last(workshop: Workshop) -> None:
    saved = "<persisted-output>\nOutput too large (40KB). Full output saved to: /x\n\nPreview (first 2KB):\n"
    workshop.call("Grep", output="Found 2 files\ncart.py\nform.py", pattern="total")
    workshop.call("Bash", output=f"{saved}cart.py\nform.py\n</persisted-output>", command="ls src")
    workshop.call(
        "Bash", output=" 7 pass\n 0 fail\nRan 7 tests\n---\nShell cwd was reset to /srv", command="bun test | tail -4"
    )
    workshop.call("Read", output="     1\tdef total()", file_path="cart.py", offset=40)
    assert steps(workshop) == (
        "Grep total: Found 2 files cart.py form.py",
        "`ls src`: cart.py form.py",
        "`bun test | tail -4`: 7 pass | 0 fail | Ran 7 tests",
        "Read cart.py from line 40",
    )


def test_a_long_path_keeps_its_end_and_a_long_pattern_its_beginning(workshop: Workshop) -> None:
    workshop.call("Edit", output="done", file_path="src/" + "deep/" * 60 + "cart.py", old_string="a", new_string="b")
    workshop.call("Grep", output="Found 1 file", pattern="total " + "of many " * 40 + "carts")
    edit, look = steps(workshop)
    assert edit.endswith("deep/cart.py: `b`")
    assert "src/" not in edit
    assert look.startswith("Grep total of many ")
    assert "carts" not in look


def test_a_secret_in_a_path_is_masked(workshop: Workshop) -> None:
    workshop.call("Read", output="x", file_path=f"/srv/{KEYS['github']}/cart.py")
    workshop.call("Edit", output="x", file_path=f"/srv/{KEYS['github']}/cart.py", old_string="a", new_string="b")
    assert steps(workshop) == ("Read /srv/[masked]/cart.py", "Edit /srv/[masked]/cart.py: `b`")


def test_hostile_results_take_bounded_time(workshop: Workshop) -> None:
    workshop.transcript.prompt("Make it work")
    for number in range(4):
        workshop.call("Bash", failed=True, output="Exit code 1\n" + "<usage>" * 50_000, command=f"make {number}")
    path = workshop.transcript.path
    with processor_time.at_most(3):
        steps_since(str(path), 0, path.stat().st_size)
        assert words_of(read(workshop), str(path)) is not None


def test_a_subagents_report_is_told_by_its_findings_and_end(workshop: Workshop) -> None:
    middle = "It is read again for each of the rows. " * 40
    report = f"Perfect! Now I'll sum up.\nThe key is compared by identity.\n{middle}\nThe fix is one line.\nagentId: a1"
    workshop.call("Agent", output=report, description="Find the cause", prompt="x")
    (step,) = steps(workshop)
    assert step.startswith("Agent Find the cause: The key is compared by identity.")
    assert step.endswith("The fix is one line.")


def test_session_paths_are_short_and_a_repeated_step_is_told_once(workshop: Workshop) -> None:
    for _ in range(3):
        workshop.call("Read", output="x", file_path="/home/dev/shop/src/cart.py")
    path = workshop.transcript.path
    assert steps_since(str(path), 0, path.stat().st_size, "/home/dev/shop") == ("Read src/cart.py (3x)",)


def test_an_edit_shows_its_new_text_and_a_silent_command_that_it_ran(workshop: Workshop) -> None:
    before, after = "def total():\n    return 1", "def total():\n    return sum(prices)\n\n"
    workshop.call("Edit", file_path="cart.py", old_string=before, new_string=f"\n{after}")
    workshop.call("Edit", file_path="cart.py", old_string="import re\n", new_string="")
    workshop.call("Bash", output="", command="go build ./...")
    assert steps(workshop) == (
        "Edit cart.py: `return sum(prices)`",
        "Edit cart.py",
        "`go build ./...`: done, without output",
    )


def test_secrets_are_masked_and_the_newest_steps_kept(workshop: Workshop) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    for number in range(MOST + 3):
        workshop.call("Bash", output=f"{key}", command=f"push --token {key} {number}")
    before = steps(workshop)
    assert len(before) == MOST
    assert before[-1].startswith(f"`push --token [masked] {MOST + 2}`")
    assert key not in "".join(before)


def test_an_announcement_precedes_its_steps(workshop: Workshop) -> None:
    workshop.transcript.answer(20_000, tool_use_ids=(), text="The key is compared by identity, which is the cause.")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="Now the form:")
    workshop.edit("src/form.py")
    workshop.transcript.answer(
        20_000, tool_use_ids=(), text="The form has no label yet for the voucher's code. Let me add it:"
    )
    workshop.call("TodoWrite", todos=[])
    statement, edit, then = steps(workshop)
    assert then == "\u201cLet me add it:\u201d"
    assert statement == "\u201cNow the form:\u201d"
    assert edit.endswith("src/form.py: `b`")


def test_a_file_that_cannot_be_read_has_no_steps(workshop: Workshop) -> None:
    assert steps_since("", 0, 100) == ()
    assert steps_since(str(workshop.root / "none.jsonl"), 0, 100) == ()
