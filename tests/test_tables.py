"""Whoever adds a file to a room with a table, and leaves it out of the table, is told so: nobody would ever call it."""

import ast
from pathlib import Path

import pytest

from benchmarks.sessions.degrading import DEGRADING
from history.questions import QUESTIONS
from monitor.commands import COMMANDS
from monitor.dispatch import HOOKS
from monitor.pivot.patterns import PATTERNS
from monitor.pivot.strategies import STRATEGIES

TREE = Path(__file__).parents[1]
TABLES = [
    ("monitor/hooks", "handle", set(HOOKS.values())),
    ("monitor/commands", "SUMMARY", set(COMMANDS.values())),
    ("monitor/pivot/patterns", "NAME", {find.__module__ for find in PATTERNS.values()}),
    ("monitor/pivot/strategies", "SUMMARY", set(STRATEGIES.values())),
    ("history/questions", "SUMMARY", set(QUESTIONS.values())),
]
"""Of each room: a name that each file in its table defines, and the modules that the table has."""


def defined(path: Path) -> set[str]:
    """The names that a file defines at its top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return found


@pytest.mark.parametrize(("room", "sign", "listed"), TABLES, ids=[room for room, _, _ in TABLES])
def test_every_file_is_in_its_rooms_table(room: str, sign: str, listed: set[str]) -> None:
    files = {path for path in (TREE / room).glob("*.py") if path.name != "__init__.py"}

    assert {f"{room.replace('/', '.')}.{path.stem}" for path in files if sign in defined(path)} == listed


def test_every_pattern_is_described_and_has_sessions_that_show_it() -> None:
    page = (TREE / "docs" / "patterns.md").read_text("utf-8").lower()

    assert set(DEGRADING) == set(PATTERNS), "benchmarks/sessions/degrading.py"
    assert [name for name in PATTERNS if f"**{name.replace('-', ' ')}" not in page] == [], "docs/patterns.md"
