from pathlib import Path

import pytest

from monitor.session import Conversation, Session
from monitor.warnings import notification
from shared.config import Config, Hooks
from shared.levels import Level

W, C, E, N = Level.WARNING, Level.CRITICAL, Level.EXHAUSTED, Level.NORMAL


def due(root: Path, level: Level, *, agent: str | None = None, is_on: bool = True) -> str:
    session = Session(str(root), Config(hooks=Hooks(desktop_notification=is_on)), {}, 0, "/home/dev/shop")
    return notification.due(Conversation("session-1", "", agent), session, level, 76, None)


def test_it_comes_once_each_time_that_a_level_is_reached(root: Path) -> None:
    levels = [N, W, C, C, E, E, C, E, W, C]

    assert [bool(due(root, level)) for level in levels] == [
        False, False, True, False, True, False, False, True, False, True,
    ]  # fmt: skip


def test_it_is_off_unless_switched_on_and_never_a_subagents(root: Path) -> None:
    assert due(root, C, is_on=False) == ""
    assert due(root, C, agent="a1") == ""
    assert not (root / "run").exists()


@pytest.mark.parametrize(
    ("environ", "opening"),
    [
        ({}, "\033]9;Claude Code: "),
        ({"TERM": "xterm-256color"}, "\033]9;Claude Code: "),
        ({"TERM": "rxvt-unicode"}, "\033]777;notify;Claude Code;"),
        ({"VTE_VERSION": "7600"}, "\033]777;notify;Claude Code;"),
    ],
)
def test_the_terminal_is_asked_in_its_own_way(environ: dict[str, str], opening: str) -> None:
    said = notification.sequence(C, 76, "/home/dev/shop", environ)

    assert said == f"{opening}Context window CRITICAL: 76% used, shop\a"


def test_a_projects_name_cannot_steer_the_terminal() -> None:
    said = notification.sequence(E, 91, "/home/a\a\033]0;owned\a;b", {})

    assert said.count("\a") == 1
    assert said.count("\033") == 1
