"""`tidegauge watch` finds a real client's session, with the figures of its status line."""

import os
import time
from pathlib import Path

import pytest

from commands.environment.environment import environment_at
from commands.watch.watcher import WatchedSession, Watcher
from tests.client.client import Client
from tests.client.model import MAIN
from tests.client.step import SLOW, Call, Step, bash, say

pytestmark = [pytest.mark.client, pytest.mark.any_client]


def test_a_running_session_is_found_and_gone_when_it_ends(client: Client, project: Path) -> None:
    environ = {"HOME": str(client.home), "PATH": os.environ["PATH"]}
    watcher = Watcher(environment_at(str(client.program), "/", environ, time.time()))

    def look(later: float = 0) -> WatchedSession | None:
        sessions = [
            session for session in watcher.look(time.time() + later) if session.directory == os.path.realpath(project)
        ]
        return sessions[0] if sessions else None

    def is_written() -> bool:
        session = look()
        return session is not None and len(session.occupancy) == len(steps)

    steps = [bash(90_000), bash(100_000), say(110_000, "That is done.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("Count the stars")
        conversation.terminal.wait_for("That is done")
        conversation.terminal.wait_for("55%")
        conversation.terminal.wait(lambda _: is_written(), "each answer in the transcript")
        session = look()

    assert session is not None
    assert session.session_id == conversation.model.session_id()
    assert session.verdict is not None
    assert (session.verdict.used, session.verdict.reading.window) == (55, 200_000)
    assert session.occupancy == (90_000, 100_000, 110_000)
    assert [line.text for line in session.summary if line.label == "asked"] == ["Count the stars"]
    assert look(later=6) is None  # processes are scanned every five seconds


def test_an_open_session_still_runs_after_another_ended_beside_it(client: Client, project: Path) -> None:
    """It waits, so the other transcript is newer; each client records which session it is in."""
    environ = {"HOME": str(client.home), "PATH": os.environ["PATH"]}
    watcher = Watcher(environment_at(str(client.program), "/", environ, time.time()))

    steps = [bash(90_000, SLOW), say(100_000, "That is done.")]
    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("Count the stars")
        conversation.terminal.wait_for("That is done")
        other = client.headless(project, {MAIN: [say(20_000, "Noted.")]}, prompt="Note this")
        watched = {session.session_id: session.waiting and session.waiting.reason for session in watcher.look()}

    assert watched.get(conversation.model.session_id()) == "turn finished"
    assert other.session_id() not in watched


def test_a_question_and_an_interrupted_turn_wait_for_the_person(client: Client, project: Path) -> None:
    environ = {"HOME": str(client.home), "PATH": os.environ["PATH"]}
    watcher = Watcher(environment_at(str(client.program), "/", environ, time.time()))
    options = [{"label": colour, "description": f"Paint it {colour}"} for colour in ("red", "blue")]
    question = {"question": "Which colour?", "header": "Colour", "multiSelect": False, "options": options}
    steps = [Step(20_000, calls=(Call("AskUserQuestion", {"questions": [question]}),)), say(21_000, "Painted.")]

    def reason() -> str | None:
        return next((one.waiting.reason for one in watcher.look() if one.waiting), None)

    with client.interactive(project, {MAIN: steps}) as conversation:
        conversation.say("Paint the fence")
        conversation.terminal.wait_for("Which colour")
        conversation.terminal.wait(lambda _: reason() == "question", "the question in the client's record")
        conversation.terminal.press("Escape")
        conversation.terminal.wait(lambda _: reason() == "turn interrupted", "the interruption in the client's record")
