"""A level is complete: whoever adds one to `Level` is told here what it still lacks, and where."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from monitor.warnings import messages
from shared.config import SubagentBudget
from shared.levels import Level, LevelRule, LevelRules
from shared.project_settings import MAY_SET
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
    golden = [TESTS / "golden" / "messages" / f"{name}-directive-{whose}.txt" for whose in ("session", "subagent")]
    texts = {table: getattr(messages, table) for table in ("STEPS", "SUBAGENT_STEPS", "DIRECTION")}
    wanted = {
        f"shared/levels.py: a field `{name}` of LevelRules": name in LevelRules.__struct_fields__,
        f"shared/project_settings.py: bounds for {', '.join(keys)}": MAY_SET.keys() >= set(keys),
        f"shared/config.py: {level.name} in SubagentBudget.min_level": level.name in from_which_on,
        "statusline/segments/context.py: a sign in SIGNS": level in SIGNS,
        f"docs/guide.md: what {level.name} means for the person and for the agent": bool(row.search(GUIDE.read_text())),
        "tests/monitor/warnings/test_messages.py: its tokens in LEVELS": all(path.exists() for path in golden),
        **{f"monitor/warnings/messages.py: an entry in {table}": level in texts[table] for table in texts},
        **{f"statusline/themes.py: an ink in {theme}": role_of(level) in THEMES[theme] for theme in THEMES},
    }
    yield from (what for what, is_there in wanted.items() if not is_there)


@pytest.mark.parametrize("level", SPEAKING, ids=lambda level: level.name)
def test_a_level_that_speaks_lacks_nothing(level: Level) -> None:
    missing = list(lacking(level))

    assert not missing, "\n".join([f"{level.name} lacks", *missing])


def test_there_is_no_rule_without_a_level() -> None:
    assert set(LevelRules.__struct_fields__) <= {level.name.lower() for level in SPEAKING}
