import pytest

from monitor.hook import Message
from monitor.memory.memory import Memory
from monitor.speakers.notification import notify, sequence
from shared.gauge.levels import Level
from shared.settings.config import Config, Hooks
from tests.monitor.scene import CRITICAL, EXHAUSTED, NORMAL, WARNING
from tests.monitor.speakers.snapshots import snapshot_at

ON = Config(hooks=Hooks(desktop_notification=True))
N, W, C, E = NORMAL, WARNING, CRITICAL, EXHAUSTED


def test_it_comes_once_each_time_a_level_is_reached() -> None:
    memory, tokens = Memory(), [N, W, C, C, E, E, C, E, W, C]
    assert [bool(notify(snapshot_at(each, config=ON), memory)) for each in tokens] == [
        False, False, True, False, True, False, False, True, False, True,
    ]  # fmt: skip


def test_it_is_for_the_terminal_alone() -> None:
    snapshot = snapshot_at(CRITICAL, config=ON, project="/home/dev/shop")
    text = "\033]9;Claude Code: Context window CRITICAL: 75% used, shop\a"
    assert notify(snapshot, Memory()) == Message(terminal=text)


def test_it_is_off_by_default_and_never_for_a_subagent() -> None:
    memory = Memory()
    assert notify(snapshot_at(CRITICAL), memory) is None
    assert notify(snapshot_at(CRITICAL, config=ON, agent="a1"), memory) is None
    assert memory == Memory()


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
    text = sequence(Level.CRITICAL, 76, "/home/dev/shop", environ)

    assert text == f"{opening}Context window CRITICAL: 76% used, shop\a"


def test_a_projects_name_cannot_steer_the_terminal() -> None:
    text = sequence(Level.EXHAUSTED, 91, "/home/a\a\033]0;owned\a;b", {})

    assert text.count("\a") == 1
    assert text.count("\033") == 1
