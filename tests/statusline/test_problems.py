from pathlib import Path

import pytest

from shared import boundary
from shared.config import Config, StatusLine
from shared.layer import Settings
from statusline.problems import problems_of


def test_without_trouble_there_is_none(root: Path) -> None:
    assert problems_of(str(root), Settings(Config())) == ()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(Config(), ("config.toml: levels: no such setting",)),
        Settings(Config(statusline=StatusLine(lines=(("model", "contxt"),)))),
        Settings(Config(statusline=StatusLine(hide=("contxt",)))),
        Settings(Config(statusline=StatusLine(theme="tied"))),
    ],
    ids=["problem", "line", "hide", "theme"],
)
def test_a_setting_that_cannot_be_used_is_one(settings: Settings, root: Path) -> None:
    assert problems_of(str(root), settings) == ("config",)


def test_a_retired_setting_is_none(root: Path) -> None:
    assert problems_of(str(root), Settings(Config(), retired=("config.toml: levels.old: retired in 0.2.0",))) == ()


@pytest.mark.parametrize("process", ["monitor", "statusline"])
def test_a_failed_process_is_one(process: str, root: Path) -> None:
    boundary.report(process, str(root), ValueError("broken"))

    assert problems_of(str(root), Settings(Config())) == (process,)
