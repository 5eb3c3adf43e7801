"""Every file of a room with a table is in that table: otherwise nothing would ever call it."""

import ast
from pathlib import Path

import pytest

from benchmarks.sessions.degrading import DEGRADING
from commands import COMMANDS
from history.questions import QUESTIONS
from installer.program import client_files
from monitor.command_line import SLASH_COMMANDS
from monitor.dispatch import HOOKS
from monitor.hooks.post_tool_use import SPEAKERS
from monitor.pivot.patterns import PATTERNS
from monitor.pivot.strategies import STRATEGIES

TREE = Path(__file__).parents[1]
TABLES = [
    ("monitor/hooks", "handle", set(HOOKS.values())),
    ("commands", "SUMMARY", set(COMMANDS.values())),
    ("monitor/pivot/patterns", "NAME", {find.__module__ for find in PATTERNS.values()}),
    ("monitor/pivot/strategies", "carry_out", set(STRATEGIES.values())),
    ("history/questions", "LEVERS", set(QUESTIONS.values())),
]
"""Of each room: a name that each file in its table defines, and the modules that the table has."""


def defined(path: Path) -> set[str]:
    """The names that a file defines at module level."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names


def speakers(path: Path) -> set[str]:
    """The full names of a file's public functions with a speaker's signature."""
    module = ".".join(path.relative_to(TREE).with_suffix("").parts)
    functions = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    return {
        f"{module}.{function.name}"
        for function in functions
        if [argument.arg for argument in function.args.args] == ["snapshot", "memory"]
        and function.returns is not None
        and ast.unparse(function.returns) == "Message | None"
        and not function.name.startswith("_")
    }


def test_every_speaker_is_in_the_table() -> None:
    written = {name for path in (TREE / "monitor" / "speakers").glob("*.py") for name in speakers(path)}

    assert written
    listed = {f"{speak.__module__}.{getattr(speak, '__name__', '')}" for speak in SPEAKERS}
    assert written <= listed, "SPEAKERS in monitor/hooks/post_tool_use.py"


def test_every_file_for_the_client_is_installed() -> None:
    written = {path.name for path in (TREE / "installer" / "client_files").iterdir()}

    assert written == {Path(name).name for name in client_files.NAMES}, "installer/program/client_files.py"


def test_our_slash_commands_do_not_count_as_work() -> None:
    written = {Path(name).stem for name in client_files.NAMES if name.startswith("commands/")}

    known = {f"{start}{name}" for name in written for start in ("/", "/tidegauge:")}
    assert known == SLASH_COMMANDS, "SLASH_COMMANDS in monitor/command_line.py"


@pytest.mark.parametrize(("room", "sign", "listed"), TABLES, ids=[room for room, _, _ in TABLES])
def test_every_file_is_in_its_rooms_table(room: str, sign: str, listed: set[str]) -> None:
    files = (path for path in (TREE / room).rglob("*.py") if path.name != "__init__.py" and sign in defined(path))

    written = {".".join(path.relative_to(TREE).with_suffix("").parts) for path in files}
    assert written <= listed
    assert {module for module in listed if sign not in defined(TREE / f"{module.replace('.', '/')}.py")} == set()


def test_every_pattern_is_described_and_has_sessions_that_show_it() -> None:
    page = (TREE / "docs" / "patterns.md").read_text("utf-8").lower()

    assert set(DEGRADING) == set(PATTERNS), "benchmarks/sessions/degrading.py"
    assert [name for name in PATTERNS if f"**{name.replace('-', ' ')}" not in page] == [], "docs/patterns.md"


def test_every_question_is_described() -> None:
    page = (TREE / "docs" / "commands.md").read_text("utf-8")

    assert [name for name in QUESTIONS if f"\n| `{name}` |" not in page] == [], "docs/commands.md, its row"
    assert f"tidegauge history {'|'.join(QUESTIONS)} " in page, "docs/commands.md, its name in the synopsis"
