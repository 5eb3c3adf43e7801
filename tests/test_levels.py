"""A level is complete: whoever adds one to `Level` is told here what it still lacks, and where."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from shared import wording
from shared.config import SubagentBudget
from shared.levels import Level, LevelRule, LevelRules
from shared.limit import Limit
from shared.project_settings import MAY_SET
from shared.reading import Reading
from shared.verdict import Verdict
from statusline.segment import role_of
from statusline.segments.context import SIGNS
from statusline.themes import THEMES

TESTS = Path(__file__).parent
GUIDE = TESTS.parent / "docs" / "guide.md"
SPEAKING = [level for level in Level if level is not Level.NORMAL]


def lacking(level: Level) -> Iterator[str]:
    """What a level that speaks has not got, each with the file in which it belongs."""
    name = level.name.lower()
    keys = [f"levels.{name}.{key}" for key in LevelRule.__struct_fields__]
    from_which_on = get_args(get_type_hints(SubagentBudget)["min_level"])
    row = re.compile(rf"^\| {level.name} \| (?!\d)", re.MULTILINE)
    golden = [TESTS / "golden" / "messages" / f"{name}-compacted-{whose}.txt" for whose in ("session", "subagent")]
    verdicts = _verdicts(level)
    wanted = {
        f"shared/levels.py: a field `{name}` of LevelRules": name in LevelRules.__struct_fields__,
        f"shared/project_settings.py: bounds for {', '.join(keys)}": MAY_SET.keys() >= set(keys),
        f"shared/config.py: {level.name} in SubagentBudget.min_level": level.name in from_which_on,
        "statusline/segments/context.py: a sign in SIGNS": level in SIGNS,
        f"docs/guide.md: what {level.name} means for the person and for the agent": bool(row.search(GUIDE.read_text())),
        "tests/monitor/warnings/test_messages.py: its tokens in TOKENS": all(path.exists() for path in golden),
        **{f"shared/wording.py: the steps of {whose}": _says(_agent_steps, one) for whose, one in verdicts.items()},
        "shared/wording.py: the person's step": all(_says(wording.person_step, one) for one in verdicts.values()),
        **{f"statusline/themes.py: an ink in {theme}": role_of(level) in THEMES[theme] for theme in THEMES},
    }
    yield from (what for what, is_there in wanted.items() if not is_there)


def _says(step: Callable[[Verdict], object], verdict: Verdict) -> bool:
    try:
        return bool(step(verdict))
    except KeyError:  # a table without a row for the level
        return False


def _agent_steps(verdict: Verdict) -> tuple[str, ...]:
    return wording.agent_steps(verdict, "FILE")


def _verdicts(level: Level) -> dict[str, Verdict]:
    """A verdict of each kind that is told in words of its own."""
    reading = Reading(20, 160_000, 200_000, "transcript", "bridge", 0)
    return {
        f"{'a subagent' if is_subagent else 'a session'} that {'goes on' if goes_on else 'ends'}": Verdict(
            reading, level, Limit(167_000, "set", is_compacted=goes_on), is_subagent=is_subagent
        )
        for is_subagent in (False, True)
        for goes_on in (False, True)
    }


@pytest.mark.parametrize("level", SPEAKING, ids=lambda level: level.name)
def test_a_level_that_speaks_lacks_nothing(level: Level) -> None:
    missing = list(lacking(level))

    assert not missing, "\n".join([f"{level.name} lacks", *missing])


def test_there_is_no_rule_without_a_level() -> None:
    assert set(LevelRules.__struct_fields__) <= {level.name.lower() for level in SPEAKING}
