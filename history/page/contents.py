"""Contents: what filled the windows, by tool, directory and file, and what it cost while it stayed."""

import sqlite3
from typing import Any

import msgspec

from history.questions.parts import PARTS, fillers, label
from history.store.schema import PartKind
from shared.client import client

_MOST = 25
"""Most branches that are named below another, the largest by tokens; the rest are summed up as one."""
_SUMMED = ("tokens", "cost", "parts")
_Part = tuple[list[str], sqlite3.Row]
"""A part's steps down the tree, and its row."""


class ContentBranch(msgspec.Struct, omit_defaults=True):
    """A tool, a directory that it was called with, or a file; with the sums of what is below it."""

    name: str
    tokens: int = 0
    """Tokens that entered the windows."""
    cost: int = 0
    """Tokens x answers for which they stayed."""
    parts: int = 0
    children: list["ContentBranch"] = []


def collect(store: sqlite3.Connection, since: int) -> dict[str, list[Any]]:
    """Return all that ever entered as a tree, and the tools as in `tidegauge history top`; the largest come first."""
    rows = store.execute(PARTS, (since,)).fetchall()
    entered = [(_steps(row), row) for row in rows if row["kind"] != PartKind.REMOVED]
    tools = fillers((label(row["kind"], row["name"]), row) for row in rows)
    return {"tree": _branches(entered), "tools": tools}


def _steps(row: sqlite3.Row) -> list[str]:
    """A part's path in the tree, from the tool down; an MCP server is above its tools."""
    kind, name = row["kind"], row["name"]
    if kind != PartKind.TOOL:
        return [label(kind, name)]
    steps = [f"MCP {name.split('__')[1]}", name] if name.startswith(client.SERVER_TOOL) else [label(kind, name)]
    return [*steps, *filter(None, (row["directory"], row["file"]))]


def _branches(parts: list[_Part]) -> list[ContentBranch]:
    """Group parts into branches, down to the files: the largest are named, the rest are summed up."""
    by_name: dict[str, list[_Part]] = {}
    for steps, row in parts:
        if steps:
            by_name.setdefault(steps[0], []).append((steps[1:], row))
    branches = []
    for name, own in by_name.items():
        tokens, cost, count = (sum(row[column] for _, row in own) for column in _SUMMED)
        branches.append(ContentBranch(name, tokens, cost, count, _branches(own)))
    branches.sort(key=lambda branch: -branch.tokens)
    rest = branches[_MOST:]
    if len(rest) > 1:
        sums = (sum(getattr(branch, name) for branch in rest) for name in _SUMMED)
        branches[_MOST:] = [ContentBranch(f"{len(rest):,} others", *sums)]
    return branches
