"""No text of a transcript keeps a pattern busy: a hook has ten seconds, and nothing interrupts a search."""

import inspect
import itertools
import re
from collections.abc import Iterator
from types import ModuleType

import pytest

from monitor.activity import requests, tool_call_of
from monitor.activity.checks import background, command, go_tests, output, programs, reason, results
from monitor.activity.shell import command_line, commits, read_commands, written
from monitor.checkpoints import compaction
from monitor.checkpoints.texts import excerpt
from monitor.checkpoints.transcript import remark, steps
from monitor.pivot.strategies import chunk, spawn
from tests.effort import times
from tests.slow_texts import at_beginning, everywhere, seconds, slow_texts

OUTPUT, COMMAND = 16_000, 4_000
"""Characters of a part of an output, of which a hook reads four times as many, and of the longest command."""
MOST = 0.25
"""Seconds; what takes as long as its text asks for takes a fiftieth of that."""
MODULES = [
    *((module, OUTPUT) for module in (background, reason, results, requests, commits, written, tool_call_of)),
    *((module, OUTPUT) for module in (compaction, excerpt, remark, steps, chunk, spawn)),
    *((module, COMMAND) for module in (command, command_line, programs, read_commands)),
    *((module, 400) for module in (output, go_tests)),  # line by line
]


def patterns(module: ModuleType) -> Iterator[tuple[str, re.Pattern[str]]]:
    """A module's patterns by name: compiled ones, and those that it compiles when needed."""
    for name, value in vars(module).items():
        yield from ((name, pattern) for pattern in compiled(value))
    for name in ("_FAILING", "_PASSING", "_UNAVAILABLE"):
        yield from [(name, re.compile(vars(module)[name]))] if name in vars(module) else []
    forms = vars(module).get("_REASONS", ())
    sources = sorted({source for form in forms for source in form if source not in {"", "-"}})
    yield from (("_REASONS", re.compile(source, re.MULTILINE)) for source in sources)


def compiled(value: object) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from compiled(part)


def is_anchored(name: str) -> bool:
    """Whether the pattern is only matched at a text's beginning."""
    uses = {use for module, _ in MODULES for use in re.findall(rf"\b{name}\.(\w+)\(", inspect.getsource(module))}
    return name in {"_FAILING", "_PASSING"} or (bool(uses) and uses <= {"match", "fullmatch"})


@pytest.mark.parametrize(("module", "size"), MODULES, ids=lambda value: getattr(value, "__name__", ""))
def test_no_text_keeps_a_pattern_busy(module: ModuleType, size: int) -> None:
    assert list(patterns(module))
    slow = []
    for name, pattern in patterns(module):
        search = at_beginning if is_anchored(name) else everywhere
        for text in itertools.islice(slow_texts(pattern, size), None, None, times(5, 1)):
            if seconds(search, pattern, text, MOST) >= MOST:
                slow.append((name, pattern.pattern, text[:60]))
                break
    assert slow == []
