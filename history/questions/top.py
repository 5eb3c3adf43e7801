"""`tidegauge history top`: what fills the windows."""

import sqlite3
from collections.abc import Iterable

import msgspec

from history.questions.advice import Advice, largest, percent_text
from history.questions.fillers import Filler, Sums
from history.questions.largest_parts import LargePart, excess_of_results, largest_parts
from history.questions.paths import all_paths
from history.questions.question import QuestionAnswer, QuestionColumn, QuestionTable, right, time_text, title_since
from history.questions.rereads import Reread, rereads
from history.schema import PartKind
from shared.quantities import counted, tokens_text

SUMMARY = "what fills your windows: tools, files, MCP servers, subagents, files read again"

LARGE = 10_000
"""Tokens of one result from which the client itself warns about an MCP tool."""
_MOST = 100
"""Entries kept of each list."""
_TOOLS, _OTHERS = 10, 5
"""Entries of a list that the terminal shows."""
_WITHOUT_A_TOOL = {
    PartKind.START: "(start: system prompt, tools, files)",
    PartKind.OUTPUT: "(answers)",
    PartKind.PROMPT: "(prompts and summaries)",
    PartKind.REMOVED: "(removed without a compaction)",
    PartKind.UNSEEN: "(not in the transcript)",
}


class Top(msgspec.Struct, frozen=True):
    """Every list begins with its largest."""

    since: int
    input_tokens: int
    """Of all calls: new, written to the cache and read from it."""
    entered: int
    """Tokens that entered the windows; what left them without a compaction isn't taken off."""
    tools: list[Filler]
    """Anything not from a tool is in parentheses."""
    files: list[Filler]
    """What tools that were called with the file brought into the window."""
    directories: list[Filler]
    mcp_servers: list[Filler]
    subagents: list[Filler]
    """By type: what their results brought into their callers' windows."""
    rereads: list[Reread]
    largest: list[LargePart]
    """The ten largest parts that a line of the transcript shows."""
    advice: Advice


def ask(store: sqlite3.Connection, since: int | None) -> QuestionAnswer:
    return _shown(figures(store, since or 0))


def figures(store: sqlite3.Connection, since: int) -> Top:
    names = {row["id"]: row["text"] for row in store.execute("SELECT id, text FROM names")}
    paths = all_paths(store)
    tools, files, directories, servers, subagents = Sums(), Sums(), Sums(), Sums(), Sums()
    for row in store.execute(PARTS, (since,)):
        name = names.get(row["name"], "")
        tools.add(label(row["kind"], name), row)
        if row["path"] is not None and row["kind"] == PartKind.TOOL:
            path, directory = paths[row["path"]]
            directories.add(directory, row)
            if path != directory:
                files.add(path, row)
        if name.startswith("mcp__"):
            servers.add(name.split("__")[1], row)
        if row["subagent"] is not None:
            subagents.add(names[row["subagent"]], row)
    ((input_tokens,),) = store.execute(_INPUT, (since,))
    again = rereads(store, since, paths)
    return Top(
        since,
        input_tokens,
        tools.entered,
        tools.largest(_MOST),
        files.largest(_MOST),
        directories.largest(_MOST),
        servers.largest(_MOST),
        subagents.largest(_MOST),
        again[:_MOST],
        largest_parts(store, since, names, paths, label),
        _advice(again, excess_of_results(store, since, LARGE, names), input_tokens),
    )


def advice(store: sqlite3.Connection, since: int) -> Advice:
    """What to change so that less fills the windows."""
    names = {row["id"]: row["text"] for row in store.execute("SELECT id, text FROM names")}
    ((input_tokens,),) = store.execute(_INPUT, (since,))
    again = rereads(store, since, all_paths(store))
    return _advice(again, excess_of_results(store, since, LARGE, names), input_tokens)


def _shown(answer: Top) -> QuestionAnswer:
    lists = (
        ("By tool", "tool", answer.tools, _TOOLS),
        ("By file", "file", answer.files, _OTHERS),
        ("By directory", "directory", answer.directories, _OTHERS),
        ("By MCP server", "server", answer.mcp_servers, _OTHERS),
        ("By subagent: their results", "type", answer.subagents, _OTHERS),
    )
    tables = [_fillers(*one, answer.entered) for one in lists]
    again = QuestionTable(
        (*right("tokens", "cost"), "times", "the same", QuestionColumn("file", "path")),
        [(tokens_text(one.tokens), tokens_text(one.cost), one.times, one.same, one.file) for one in answer.rereads],
        "Read again while the file was still in the window",
    )
    largest = QuestionTable(
        (*right("tokens"), "known", "answers", "when", QuestionColumn("what", "path")),
        [
            (tokens_text(part.tokens), part.certainty, part.answers, time_text(part.at), part.what)
            for part in answer.largest
        ],
        "The largest parts",
    )
    facts = [
        f"{tokens_text(answer.entered)} tokens entered; all answers took {tokens_text(answer.input_tokens)} of input.",
        "Cost: tokens x answers they stayed for. Known: how the tokens are known (measured, split or estimated).",
    ]
    title = title_since("What fills your windows", answer.since)
    return QuestionAnswer(answer, [*tables, _cut(again), largest], answer.advice.line, title, facts)


def _fillers(title: str, heading: str, fillers: list[Filler], most: int, entered: int) -> QuestionTable:
    rows = [
        (
            tokens_text(filler.tokens),
            percent_text(max(0, filler.tokens) / entered if entered else None),
            tokens_text(filler.cost),
            filler.parts,
            filler.known,
            filler.name,
        )
        for filler in fillers
    ]
    heads = right("tokens", "share", "cost")
    return _cut(QuestionTable((*heads, "parts", "known", QuestionColumn(heading, "path")), rows, title), most)


def _cut(table: QuestionTable, most: int = _OTHERS) -> QuestionTable:
    return msgspec.structs.replace(table, rows=table.rows[:most], more=max(0, len(table.rows) - most))


def label(kind: int, name: str) -> str:
    """How a part is listed: a tool by its name, everything else in parentheses."""
    if kind == PartKind.TOOL:
        return name or "(a tool without a name)"
    if kind == PartKind.ATTACHMENT:
        return f"(added by the client: {name})"
    return _WITHOUT_A_TOOL[PartKind(kind)]


def _advice(again: list[Reread], excess: Iterable[tuple[str, int, int]], input_tokens: int) -> Advice:
    """Advise on the costlier of repeated reads and one tool's large results."""
    tool, results, tokens = max(excess, key=lambda one: one[2], default=("", 0, 0))
    times = sum(one.same for one in again)
    cut = f"Have {tool} return at most {LARGE:,} tokens at a time ({counted(results, 'result')} had more)."
    once = f"Don't read a file again while it is still in the window ({counted(times, 'read')} brought the same again)."
    repeated = Advice(once, sum(one.same_cost for one in again), input_tokens)
    nothing = f"no read brought the same again, and no result had more than {LARGE:,} tokens."
    return largest((Advice(cut, tokens, input_tokens), repeated), nothing)


# Grouped by kind, certainty, name, path and subagent, as one number: SQLite takes twice as long to sort five columns.
PARTS = """
WITH width AS (SELECT max(id) + 1 AS names FROM names)
SELECT kind, certainty, name, path, subagent, count(*) AS parts, sum(tokens) AS tokens, sum(cost) AS cost
FROM stays, width WHERE coalesce(at, 0) >= ?
GROUP BY ((coalesce(path, 0) * names + coalesce(name, 0)) * names + coalesce(subagent, 0)) * 32 + kind * 4 + certainty
"""
_INPUT = "SELECT coalesce(sum(input + cache_creation + cache_read), 0) FROM calls WHERE coalesce(at, 0) >= ?"
