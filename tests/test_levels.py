"""Every level is complete: these tests name what a new member of `Level` still lacks, and where."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commands.watch.drawing import STYLES
from shared.gauge import wording
from shared.gauge.levels import Level, LevelRules
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from statusline.terminal.inks import INKS, Ink

TESTS = Path(__file__).parent
SPEAKING = [level for level in Level if level is not Level.NORMAL]


def missing_parts(level: Level) -> Iterator[str]:
    """What a speaking level still lacks, each item with the file that it belongs in."""
    name = level.name.lower()
    golden = [TESTS / "golden" / "messages" / f"{name}-compacted-{whose}.txt" for whose in ("session", "subagent")]
    verdicts = _verdicts(level)
    wanted = {
        f"shared/gauge/levels.py: a field `{name}` of LevelRules": name in LevelRules.__struct_fields__,
        "tests/golden/messages: its texts; UPDATE_GOLDEN=1 with tests/monitor/speakers/test_messages.py": all(
            path.exists() for path in golden
        ),
        **{
            f"shared/gauge/wording.py: the steps of {whose}": _says(_agent_steps, verdict)
            for whose, verdict in verdicts.items()
        },
        "shared/gauge/wording.py: the person's step": all(
            _says(wording.person_step, verdict) for verdict in verdicts.values()
        ),
        "commands/watch/drawing.py: a style in STYLES": level in STYLES,
        "history/page/page.css: its colour in both schemes, its key and its level": all(
            text_of("history/page/page.css").count(part) == count
            for part, count in ((f"--{name}:", 2), (f".key-{name} ", 1), (f".level-{name} ", 1))
        ),
        f"docs/team.md: {level.value} {level.name}, and `{name}`": all(
            part in text_of("docs/team.md") for part in (f"{level.value} {level.name}", f"`{name}`")
        ),
        "statusline/terminal/inks.py: an ink unlike NORMAL's": INKS.get(name, Ink()) not in (Ink(), INKS["normal"]),
    }
    yield from (what for what, is_there in wanted.items() if not is_there)


def text_of(path: str) -> str:
    return (TESTS.parent / path).read_text("utf-8")


def _says(step: Callable[[Verdict], object], verdict: Verdict) -> bool:
    try:
        return bool(step(verdict))
    except KeyError:  # a table without a row for the level
        return False


def _agent_steps(verdict: Verdict) -> tuple[str, ...]:
    return wording.agent_steps(verdict, "FILE")


def _verdicts(level: Level) -> dict[str, Verdict]:
    """One verdict of each kind that has its own wording."""
    reading = Reading(20, 160_000, 200_000, "transcript", WindowSource.BRIDGE, 0)
    return {
        f"{'a subagent' if is_subagent else 'a session'} that {'goes on' if continues else 'ends'}": Verdict(
            reading, level, Limit(167_000, "set", is_compacted=continues), is_subagent=is_subagent
        )
        for is_subagent in (False, True)
        for continues in (False, True)
    }


@pytest.mark.parametrize("level", SPEAKING, ids=lambda level: level.name)
def test_a_speaking_level_is_complete(level: Level) -> None:
    missing = list(missing_parts(level))

    assert not missing, "\n".join([f"{level.name} lacks", *missing])


def test_every_rule_has_a_level() -> None:
    assert set(LevelRules.__struct_fields__) <= {level.name.lower() for level in SPEAKING}
