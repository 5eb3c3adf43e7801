from pathlib import Path

import pytest

from shared.process import boundary
from shared.settings.config import SEGMENT_NAMES, Config, Layer, Settings
from shared.settings.layers import merge
from statusline.segments import SEGMENTS
from statusline.segments.badge import problems_of


def test_without_problems_there_is_none(root: Path) -> None:
    assert problems_of(str(root), Settings(Config())) == ()


def test_an_unusable_setting_is_a_problem(root: Path) -> None:
    assert problems_of(str(root), Settings(Config(), ("config.toml: levels: no such setting",))) == ("config",)


@pytest.mark.parametrize(("key", "value"), [("lines", [["model", "contxt"]]), ("hide", ["contxt"])])
def test_an_unknown_segment_is_a_problem_and_the_others_count(key: str, value: object, root: Path) -> None:
    settings = merge([Layer("config.toml", {"statusline": {key: value}})], [])

    assert problems_of(str(root), settings) == ("config",)
    assert settings.problems[0].startswith(f"config.toml: statusline.{key}: expected ")
    assert settings.problems[0].endswith(" not 'contxt'")
    assert settings.sources == {f"statusline.{key}": "user"}


def test_the_names_are_those_of_the_segments() -> None:
    assert tuple(SEGMENTS) == SEGMENT_NAMES


@pytest.mark.parametrize("process", ["monitor", "statusline"])
def test_a_failed_process_is_a_problem(process: str, root: Path) -> None:
    boundary.report(process, str(root), ValueError("broken"))

    assert problems_of(str(root), Settings(Config())) == (process,)
