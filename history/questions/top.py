"""`tidegauge history top`: what fills the windows."""

import sqlite3

import msgspec

from history.bill.levers import NAMES
from history.bill.rereads import Reread, rereads
from history.questions.answer.question import QuestionAnswer, QuestionTable
from history.questions.parts import MOST, PARTS, Filler, fillers, label
from history.store.schema import PartKind
from history.store.stored_paths import joined
from shared.client import client
from shared.text.quantities import share_text, tokens_text

SUMMARY = "what fills your windows: tools, files, MCP servers, subagents, files read again"
LEVERS = NAMES

_TOOLS, _OTHERS = 10, 5
"""Entries of a list that the terminal shows."""


class Top(msgspec.Struct, frozen=True):
    """Every list begins with its largest."""

    input_tokens: int
    """The input of all calls: new, written to the cache and read from it."""
    entered: int
    """Tokens that entered the windows; what left them without a compaction isn't subtracted."""
    tools: list[Filler]
    """Anything not from a tool is in parentheses."""
    files: list[Filler]
    """The results of tools that were called with the file."""
    directories: list[Filler]
    mcp_servers: list[Filler]
    subagents: list[Filler]
    """The subagents' results in their callers' windows, by type."""
    rereads: list[Reread]


def figures(store: sqlite3.Connection, since: int) -> Top:
    rows = store.execute(PARTS, (since,)).fetchall()
    of_paths = [row for row in rows if row["file"] is not None and row["kind"] == PartKind.TOOL]
    ((input_tokens,),) = store.execute(_INPUT, (since,))
    return Top(
        input_tokens,
        sum(max(0, row["tokens"]) for row in rows),
        fillers((label(row["kind"], row["name"]), row) for row in rows),
        fillers((joined(row["directory"], row["file"]), row) for row in of_paths if row["directory"] is not None),
        fillers((row["directory"] or row["file"], row) for row in of_paths),
        fillers((row["name"].split("__")[1], row) for row in rows if row["name"].startswith(client.SERVER_TOOL)),
        fillers((row["subagent"], row) for row in rows if row["subagent"] is not None),
        rereads(store, since)[:MOST],
    )


def presentation(answer: Top) -> QuestionAnswer:
    lists = (
        ("By tool", "tool", answer.tools, _TOOLS),
        ("By file", "file", answer.files, _OTHERS),
        ("By directory", "directory", answer.directories, _OTHERS),
        ("By MCP server", "server", answer.mcp_servers, _OTHERS),
        ("By subagent: their results", "type", answer.subagents, _OTHERS),
    )
    tables = [_table(*entries, answer.entered) for entries in lists]
    again = [
        (tokens_text(reread.tokens), tokens_text(reread.cost), reread.times, reread.same, reread.file)
        for reread in answer.rereads
    ]
    title = "Read again while the file was still in the window"
    tables.append(QuestionTable(("tokens", "cost", "times", "the same", "file"), again, title, _OTHERS))
    facts = [
        f"{tokens_text(answer.entered)} tokens entered; all answers took {tokens_text(answer.input_tokens)} of input.",
        "Cost: tokens x answers they stayed for. Known: how the tokens are known (measured, split or estimated).",
    ]
    facts = facts if answer.tools else facts[:1]
    return QuestionAnswer(answer, tables, title="What fills your windows", facts=facts, lists_levers=True)


def _table(title: str, heading: str, entries: list[Filler], most: int, entered: int) -> QuestionTable:
    rows = [
        (
            tokens_text(filler.tokens),
            share_text(max(0, filler.tokens) / entered if entered else None),
            tokens_text(filler.cost),
            filler.parts,
            filler.certainty,
            filler.name,
        )
        for filler in entries
    ]
    return QuestionTable(("tokens", "share", "cost", "parts", "known", heading), rows, title, most)


_INPUT = "SELECT coalesce(sum(input + cache_creation + cache_read), 0) FROM calls WHERE coalesce(at, 0) >= ?"
