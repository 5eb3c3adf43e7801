"""Line, tag and message agree when the conversation changes: after a rewind, after /compact, with several clients."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.client.client import TYPED, Client, Conversation
from tests.client.injected import LevelWarning, injections, warnings
from tests.client.model import MAIN, SUMMARY, Request, newest, texts
from tests.client.step import SLOW, bash, say
from tests.client.test_statusline import rows, wait_for_line
from tests.effort import times

pytestmark = pytest.mark.client

TOKEN_COUNT = re.compile(r"<token-count>(\w+)</token-count>")
TOOL_USES = times(10, 20)
SOONEST = 1.5
"""Seconds after an answer in which nobody rewinds, or chooses a model: a line of the first second is taken for one from
before it."""


def token_count(request: Request) -> str:
    """The tokens in use according to the tag of a request's newest prompt; empty without a tag."""
    tags = [text for message in newest(request.body["messages"]) for text in texts(message["content"])]
    counts = TOKEN_COUNT.findall("".join(tags))
    return counts[-1] if counts else ""


def rewind(conversation: Conversation) -> None:
    """Go back to before the last prompt, which the client then offers for editing."""
    terminal = conversation.terminal
    terminal.press("C-u")  # on a busy machine the last prompt may still be in the input box
    terminal.type("/rewind")
    terminal.wait_for(r"\(current\)\n")
    terminal.press("Up")
    terminal.wait(
        lambda screen: re.search(r"^ +\(current\)$", screen, re.MULTILINE) is not None, "the last prompt chosen"
    )
    terminal.press_until("Enter", lambda screen: "1. Restore conversation" in screen, "what to restore")
    terminal.press_until("Enter", lambda screen: "Restore" not in screen, "the conversation before it")
    terminal.wait(lambda screen: TYPED.findall(screen)[-1:] not in ([], [""]), "the last prompt, to be typed again")
    terminal.press("C-u")


def test_a_rewind_leaves_the_abandoned_branch_uncounted(client: Client, project: Path) -> None:
    steps = [bash(20_000, SLOW), say(21_000, "The first."), bash(171_000, SLOW), say(172_000, "The second.")]
    steps += [bash(131_000, SLOW), say(132_000, "The third.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        for prompt, answer, used in (("one", "The first", "11%"), ("two", "The second", "86%")):
            conversation.say(prompt)
            conversation.terminal.wait_for(answer)
            wait_for_line(conversation, used)  # else a line may show 11 % since before the second answer
        time.sleep(SOONEST)
        rewind(conversation)
        wait_for_line(conversation, "11%")  # the transcript says nothing of the rewind until the next prompt
        conversation.say("three")
        conversation.terminal.wait_for("The third")
        wait_for_line(conversation, "66%")
    requests = conversation.model.of(MAIN)
    assert token_count(requests[4]) == "21000"
    assert warnings(requests) == [
        LevelWarning(3, "EXHAUSTED", 14, 171_000, 200_000),
        LevelWarning(5, "WARNING", 34, 131_000, 200_000),
    ]


def test_a_session_resumed_at_an_earlier_answer_ignores_the_abandoned_figures(client: Client, project: Path) -> None:
    """The Agent SDK rewinds like this: only the transcript shows it, from the next prompt's line on."""
    first = client.headless(project, {MAIN: [say(21_000, "The first.")]})
    session, answer = first.session_id(), first.of(MAIN)[-1].answer_id
    client.headless(project, {MAIN: [say(172_000, "The second.")]}, "--resume", session)
    (transcript,) = client.home.glob(f".claude/projects/*/{session}.jsonl")
    (line,) = (line for line in transcript.read_text().splitlines() if answer in line and '"type":"assistant"' in line)
    at = "--resume", session, "--resume-session-at", json.loads(line)["uuid"]
    again = client.headless(project, {MAIN: [bash(22_000, SLOW), say(131_000, "The third.")]}, *at)
    later = client.headless(project, {MAIN: [say(132_000, "The fourth.")]}, "--resume", session)
    assert [token_count(request) for request in (*again.of(MAIN)[:1], *later.of(MAIN))] == ["", "131000"]


def test_a_checkpoint_leaves_out_what_a_rewind_abandoned(client: Client, project: Path) -> None:
    asked = ("Add the voucher field", "Rewrite it in Rust", "Test an expired voucher")
    says = ("The field is in the form.", "All of it is in Rust.", "It is refused.")
    steps = [say(20_000 + 1_000 * number, text) for number, text in enumerate(says)]
    with client.interactive(project, {MAIN: steps}) as conversation:
        for number, (prompt, answer) in enumerate(zip(asked, says, strict=True)):
            if number == 2:
                time.sleep(SOONEST)
                rewind(conversation)
            conversation.say(prompt)
            conversation.terminal.wait_for(answer)
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(1, SUMMARY)
        conversation.terminal.wait_for("Compacted")
    (path,) = (project / ".claude" / "tidegauge" / "checkpoints").glob("cx-*-checkpoint.json")
    checkpoint = json.loads(path.read_bytes())
    words = json.loads(Path(checkpoint["words_path"]).read_bytes())
    assert [request["text"] for request in words["requests"]] == [asked[0], asked[2]]
    assert asked[1].encode() in Path(checkpoint["session_info"]["transcript_path"]).read_bytes()


def test_a_rewind_to_the_first_prompt_leaves_nothing_known(client: Client, project: Path) -> None:
    """The client draws a line without figures, and the next prompt's parent is the last abandoned line."""
    steps = [bash(172_000, SLOW), say(173_000, "The first."), say(20_000, "The second."), say(21_000, "The third.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("one")
        conversation.terminal.wait_for("The first")
        wait_for_line(conversation, "87%")
        time.sleep(SOONEST)
        rewind(conversation)
        wait_for_line(conversation, "context ?")
        for prompt, answer in (("two", "The second"), ("three", "The third")):
            conversation.say(prompt)
            conversation.terminal.wait_for(answer)
    requests = conversation.model.of(MAIN)
    assert token_count(requests[2]) in {"", "unknown"}
    assert token_count(requests[3]) == "20000"
    assert [injection for injection in injections(requests) if "<compaction-alert>" in injection.text] == []


def test_after_a_compaction_usage_is_unknown_until_the_next_answer(client: Client, project: Path) -> None:
    steps = [bash(140_000, SLOW), say(141_000, "The first."), say(20_000, "The second."), say(21_000, "The third.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("one")
        conversation.terminal.wait_for("The first")
        wait_for_line(conversation, "71%")
        conversation.terminal.type("/compact")
        conversation.model.wait_for_requests(1, SUMMARY)
        conversation.terminal.wait_for("Compacted")
        screen = conversation.terminal.wait(lambda text: "71%" not in " ".join(rows(text)), "a line without it")
        conversation.say("two")
        conversation.terminal.wait_for("The second")
        conversation.say("three")
        conversation.terminal.wait_for("The third")
    line = " ".join(rows(screen))
    assert re.findall(r"(?<!cache )\b\d+%|\d+k/200k", line) == []
    first, second = conversation.model.of(MAIN)[2:]
    assert token_count(first) in {"", "unknown"}
    assert token_count(second) == "20000"


def test_three_simultaneous_clients_each_get_their_own_figures(client: Client, tmp_path: Path) -> None:
    """A status line may be drawn between an answer and its tool's end, and a transcript line may land meanwhile."""

    def session(number: int) -> list[tuple[int, int]]:
        # where the session ends at its limit, each tool use at EXHAUSTED gets a message
        used = [171_000 + 1_000 * number + 61 * step for step in range(TOOL_USES)]
        steps = [bash(tokens, f"sleep {step / 50}") for step, tokens in enumerate(used)]
        with client._replace(more={**client.more, "DISABLE_AUTO_COMPACT": "1"}).interactive(
            tmp_path / f"project-{number}", {MAIN: [*steps, say(used[-1], "Enough.")]}
        ) as conversation:
            conversation.say("go")
            conversation.model.wait_for_end(seconds=120)
        tokens_by_request = {message.request: message.tokens for message in warnings(conversation.model.of(MAIN))}
        return [(tokens, tokens_by_request.get(request, 0)) for request, tokens in enumerate(used, 1)]

    with ThreadPoolExecutor(3) as together:
        readings = [reading for tokens_by_request in together.map(session, range(3)) for reading in tokens_by_request]
    assert len(readings) == 3 * TOOL_USES
    assert [(used, tokens_by_request) for used, tokens_by_request in readings if used != tokens_by_request] == []


def test_choosing_a_smaller_window_counts_even_if_more_is_in_use(client: Client, project: Path) -> None:
    """The client compacts it with the next prompt."""
    steps = [bash(60_000, SLOW), say(300_000, "The first."), bash(40_000, SLOW), say(41_000, "The second.")]
    with client.interactive(project, {MAIN: steps}, model="claude-opus-4-6[1m]") as conversation:
        conversation.say("one")
        conversation.terminal.wait_for("The first")
        wait_for_line(conversation, "300k/1M")
        time.sleep(SOONEST)
        conversation.terminal.type("/model claude-sonnet-4-6")
        screen = conversation.terminal.wait(lambda text: "1. Yes" in text or "300k/200k" in text, "another model")
        if "1. Yes" in screen:  # 2.1.330 asks, as the cache is lost
            conversation.terminal.press("Enter")
        conversation.terminal.wait_for("EXHAUSTED 300k/200k")
        conversation.say("two")
        conversation.terminal.wait_for("The second")
    folder = project / ".claude" / "tidegauge" / "checkpoints"
    states = [json.loads(path.read_bytes())["context_state"] for path in sorted(folder.glob("cx-*-checkpoint.json"))]
    assert {(state["threshold_tier"], state["context_window"]) for state in states} == {("EXHAUSTED", 200_000)}
    assert len(conversation.model.of(SUMMARY)) == 1
