"""Contents: what filled the windows, by tool, directory and file, and what it cost while it stayed."""

import sqlite3
from typing import Any

import msgspec

from history.questions.parts import PARTS, fillers, label
from history.store.schema import PartKind

_MOST = 25
"""The largest branches below another that are named, by tokens; the rest are one."""
_MCP = "mcp__"


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
    """What entered as a tree, even if it has left without a compaction, and the tools as `tidegauge history top` does.

    The largest come first.
    """
    branches: dict[tuple[str, ...], ContentBranch] = {(): ContentBranch("", children=[])}
    rows = store.execute(PARTS, (since,)).fetchall()
    for row in rows:
        if row["kind"] != PartKind.REMOVED:
            _add(branches, _steps(row), row)
    _prune(branches[()])
    tools = fillers((label(row["kind"], row["name"]), row) for row in rows)
    return {"tree": branches[()].children, "tools": tools}


def _steps(row: sqlite3.Row) -> list[str]:
    """Where a part belongs, from the tool down; an MCP server is above its tools."""
    kind, name = row["kind"], row["name"]
    if kind != PartKind.TOOL:
        return [label(kind, name)]
    steps = [f"MCP {name.split('__')[1]}", name] if name.startswith(_MCP) else [label(kind, name)]
    return [*steps, *filter(None, (row["directory"], row["file"]))]


def _add(branches: dict[tuple[str, ...], ContentBranch], steps: list[str], row: sqlite3.Row) -> None:
    for depth in range(1, len(steps) + 1):
        path = tuple(steps[:depth])
        if path not in branches:
            branches[path] = ContentBranch(path[-1], children=[])
            branches[path[:-1]].children.append(branches[path])
        branch = branches[path]
        branch.tokens += row["tokens"]
        branch.cost += row["cost"]
        branch.parts += row["parts"]


def _prune(branch: ContentBranch) -> None:
    """Name the largest branches and sum up the rest, down to the files."""
    branch.children.sort(key=lambda child: -child.tokens)
    rest = branch.children[_MOST:]
    if len(rest) > 1:
        sums = (sum(getattr(child, name) for child in rest) for name in ("tokens", "cost", "parts"))
        branch.children[_MOST:] = [ContentBranch(f"{len(rest):,} others", *sums)]
    for child in branch.children:
        _prune(child)
