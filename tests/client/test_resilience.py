"""Work survives a full window: it is saved before a compaction, and comes back by itself."""

import json
import subprocess
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.client.client import COMPACTED, Client
from tests.client.injected import injections
from tests.client.model import MAIN, SUMMARY, Request, ScriptedModel, texts
from tests.client.step import SLOW, Call, Step, bash, delegate, say

pytestmark = [pytest.mark.client, pytest.mark.any_client]

TAG, ALERT, RESUMPTION = "<context-monitor>", "<compaction-alert>", "<resumption-context>"
UNFINISHED = "Unfinished work of an earlier session"
CHECK = "python3 -m unittest missing"
SOURCE = "src/app.py"
GIT = ["git", "-c", "user.name=dev", "-c", "user.email=dev@example.org"]


@pytest.fixture
def shop(home: Path, project: Path) -> Path:
    """A repository with a file to work on. A newer client asks for each repository whether it is trusted."""
    state = json.loads((home / ".claude.json").read_text())
    state["projects"][str(project)] = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    (home / ".claude.json").write_text(json.dumps(state))
    (project / "src").mkdir(parents=True)
    (project / SOURCE).write_text("print('hello')\n")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*GIT, *words], cwd=project, check=True)
    return project


def work(shop: Path) -> list[Step]:
    """Steps of a task until the window is so full that the client compacts it before the next request."""
    path = str(shop / SOURCE)
    edit = Call("Edit", {"file_path": path, "old_string": "hello", "new_string": "good morning"})
    return [
        Step(100_000, calls=(Call("Read", {"file_path": path}),)),
        Step(120_000, calls=(edit,)),
        bash(140_000, CHECK),
        bash(168_000, SLOW),
    ]


def tag_counts(requests: list[Request], tag: str) -> list[int]:
    """How often each request holds a tag, including repetitions of earlier ones."""
    return [
        sum(text.count(tag) for message in request.body["messages"] for text in texts(message["content"]))
        for request in requests
    ]


def tag_text(requests: list[Request], tag: str) -> str:
    """The only text with a tag."""
    (text,) = (injection.text for injection in injections(requests) if tag in injection.text)
    return text


def checkpoints(shop: Path) -> list[dict[str, Any]]:
    folder = shop / ".claude" / "tidegauge" / "checkpoints"
    return [json.loads(path.read_bytes()) for path in sorted(folder.glob("cx-*-checkpoint.json"))]


def brief(model: ScriptedModel, number: int = 0) -> list[str]:
    """Our lines in the request for a summary."""
    asked = "".join(texts(model.of(SUMMARY)[number].body["messages"][-1]["content"]))
    _, instructions, added = asked.partition("Additional Instructions:\n")
    assert instructions, asked[-2_000:]
    return added.splitlines()


def wait_for_exit(pid: int) -> None:
    """Wait until a client that lost its terminal has ended, which takes a moment."""
    try:
        psutil.Process(pid).wait(timeout=20)
    except psutil.NoSuchProcess:
        pass


def test_work_continues_after_an_automatic_compaction(client: Client, mode: str, shop: Path) -> None:
    played = client.play(mode, shop, {MAIN: [*work(shop), bash(20_000, SLOW), say(21_000, "Enough.")]}, model=COMPACTED)

    *earlier, checkpoint = checkpoints(shop)
    assert [saved["session_info"]["trigger"] for saved in (*earlier, checkpoint)] == ["exhausted", "export", "auto"]
    lines = brief(played)
    assert lines[0] == "Checkpoint cx-003 saved at 84% context fill"
    assert f"Edited most: {SOURCE} (1x)" in lines
    assert any(line.startswith(f"Failed when last run: `{CHECK}`") for line in lines)
    assert any(
        line.startswith("Branch: main at ") and line.endswith(", 1 file with uncommitted changes") for line in lines
    )
    transcript = Path(checkpoint["session_info"]["transcript_path"]).read_bytes()
    assert 0 < checkpoint["session_info"]["transcript_size"] <= transcript.index(b'"compact_boundary"')
    # four requests before the compaction, two after it
    assert tag_counts(played.of(MAIN), RESUMPTION) == [0, 0, 0, 0, 1, 1]
    assert tag_counts(played.of(MAIN), ALERT) == [0] * 6


def test_facts_in_the_summary_are_not_repeated(client: Client, mode: str, shop: Path) -> None:
    """The client reports the summary when the summariser ends; the summariser's thinking doesn't enter the window."""
    answer = f"<analysis>`{CHECK}` failed.</analysis>\n<summary>\n1. Edited {SOURCE}: it says good morning.\n</summary>"
    steps = {MAIN: [*work(shop), bash(20_000, SLOW), say(21_000, "Enough.")], SUMMARY: [say(5_000, answer)]}
    played = client.play(mode, shop, steps, model=COMPACTED)
    resumption = tag_text(played.of(MAIN), RESUMPTION)
    assert f"Failed when last run: `{CHECK}`" in resumption
    assert SOURCE not in resumption


def test_the_first_prompt_after_a_compaction_is_alerted_once(client: Client, shop: Path) -> None:
    steps = [*work(shop), say(20_000, "The first."), say(21_000, "The second."), say(22_000, "The third.")]
    with client.interactive(shop, {MAIN: steps}, model=COMPACTED) as conversation:
        for prompt, answer in (("go", "The first"), ("go on", "The second"), ("and on", "The third")):
            conversation.say(prompt)
            conversation.terminal.wait_for(answer)
    requests = conversation.model.of(MAIN)
    assert tag_counts(requests, RESUMPTION) == [0, 0, 0, 0, 1, 1, 1]
    assert tag_counts(requests, ALERT) == [0, 0, 0, 0, 0, 1, 1]
    resumption, alert = tag_text(requests, RESUMPTION), tag_text(requests, ALERT)
    assert [word in resumption for word in (SOURCE, CHECK, "Branch: main")] == [False, True, False]
    assert "What follows is not in" not in alert
    assert [word in alert for word in (SOURCE, CHECK, "Branch: main")] == [False] * 3
    assert tag_counts(requests, TAG) == [0, 0, 0, 0, 0, 1, 2]  # before a session's first answer nothing is known
    assert [path.name for path in shop.glob(".claude/tidegauge/checkpoints/*.acknowledged")] != []


def test_a_manual_compaction_works_the_same_way(client: Client, shop: Path) -> None:
    steps = [*work(shop)[:3], say(141_000, "The first."), say(20_000, "The second."), say(21_000, "The third.")]
    with client.interactive(shop, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("The first")
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(1, SUMMARY)
        conversation.terminal.wait_for("Compacted")
        conversation.say("go on")
        conversation.terminal.wait_for("The second")
        conversation.say("and on")
        conversation.terminal.wait_for("The third")
    assert brief(conversation.model)[0] == "Checkpoint cx-001 saved at 71% context fill"
    assert checkpoints(shop)[0]["session_info"]["trigger"] == "manual"
    requests = conversation.model.of(MAIN)
    assert tag_counts(requests, RESUMPTION) == [0, 0, 0, 0, 1, 1]
    assert tag_counts(requests, ALERT) == [0, 0, 0, 0, 1, 1]


def test_a_cleared_session_is_told_of_its_earlier_work(client: Client, shop: Path) -> None:
    steps = [*work(shop)[:3], say(165_000, "The first."), say(166_000, "The second."), say(20_000, "The third.")]
    with client.interactive(shop, {MAIN: steps}) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("The first")
        conversation.say("go on")
        conversation.terminal.wait_for("The second")
        conversation.clear()
        conversation.say("another task")
        conversation.terminal.wait_for("The third")
    requests = conversation.model.of(MAIN)
    assert {saved["session_info"]["trigger"] for saved in checkpoints(shop)} <= {"critical", "exhausted"}
    assert len({saved["session_info"]["trigger"] for saved in checkpoints(shop)}) == len(checkpoints(shop)) > 0
    assert tag_counts(requests, UNFINISHED) == [0, 0, 0, 0, 0, 1]
    assert tag_counts(requests, RESUMPTION) == [0] * 6
    assert tag_counts(requests, ALERT) == [0] * 6


def test_a_resumed_session_continues_its_own_work(client: Client, mode: str, shop: Path) -> None:
    first = client.headless(shop, {MAIN: [*work(shop), say(20_000, "For now.")]}, model=COMPACTED)
    resumed = client.play(mode, shop, {MAIN: [say(21_000, "Enough.")]}, "--resume", first.session_id(), model=COMPACTED)
    assert resumed.session_id() == first.session_id()
    assert tag_counts(resumed.of(MAIN), RESUMPTION) == [1]  # the client brings back what the compaction brought
    assert tag_counts(resumed.of(MAIN), ALERT) == [1]


def test_two_sessions_of_a_project_stay_separate(client: Client, shop: Path) -> None:
    with client.interactive(shop, {MAIN: [*work(shop), say(20_000, "For now.")]}, model=COMPACTED) as conversation:
        conversation.say("go")
        conversation.terminal.wait_for("For now")
        other = client.headless(shop, {MAIN: [say(30_000, "Something else.")]})
        assert [tag_counts(other.of(MAIN), tag) for tag in (UNFINISHED, ALERT)] == [[0], [0]]
    wait_for_exit(checkpoints(shop)[0]["session_info"]["client"]["pid"])
    later = client.headless(shop, {MAIN: [say(30_000, "Later.")]})
    assert tag_counts(later.of(MAIN), UNFINISHED) == [1]  # nobody is at work on it any more
    assert tag_counts(later.of(MAIN), ALERT) == [0]
    for expected in (1, 0):  # the first session with a person at it has been told
        with client.interactive(shop, {MAIN: [say(30_000, "Much later.")]}) as conversation:
            conversation.say("go on")
            conversation.terminal.wait_for("Much later")
        assert tag_counts(conversation.model.of(MAIN), UNFINISHED) == [expected]


def test_a_subagents_end_carries_no_tag(client: Client, shop: Path) -> None:
    """2.1.330 runs it in the background, and reports its end in a prompt of its own."""
    errand = "Walk round the harbour"
    steps = [say(40_000, "Ready."), delegate(50_000, errand), say(52_000, "Waiting."), say(53_000, "Enough.")]
    with client.interactive(shop, {MAIN: steps, errand: [bash(20_000, SLOW), say(21_000, "Walked.")]}) as conversation:
        conversation.say("hello")
        conversation.terminal.wait_for("Ready")
        conversation.say("go")
        conversation.model.wait_for_end(errand)
        conversation.model.wait_for_requests(3)
        if client.version == "2.1.330":
            conversation.model.wait_for_end()
    first, *rest = tag_counts(conversation.model.of(MAIN), TAG)
    assert (first, {*rest}) == (0, {1})
