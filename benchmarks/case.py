"""A case: one command with one input, and the state to prepare for it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple


def nothing() -> None:
    """Prepare a case that needs no preparation."""


class Case(NamedTuple):
    """One row of a group."""

    name: str
    command: list[str]
    environment: Mapping[str, str]
    stdin: bytes = b""
    prepare: Callable[[], None] = nothing
    """Runs before each run and is not timed: the state that the command changes is put back."""
    expected: bytes = b""
    """Must be part of the output; empty means that there must be none."""


class Unexpected(Exception):  # noqa: N818  what it says is about the answer
    """A case's unexpected answer."""


def check(case: Case, status: int, output: bytes) -> None:
    """Raise Unexpected for an answer that shows that the wrong thing was measured."""
    answered = case.expected in output if case.expected else not output.strip()
    if status != 0 or not answered:
        raise Unexpected(f"{case.name}: exit status {status}, answer {output[:300]!r}")
