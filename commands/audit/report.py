"""An audit as lines of text: one table, and what follows from it."""

import os
from collections.abc import Iterator

import msgspec

from commands.audit.budget import FEW_LINES, IN_ALL, PER_FILE, TRUNCATED, InstructionAdvice
from commands.audit.instruction_file import InstructionFile, tokens_of
from commands.audit.instructions import Instructions
from commands.audit.recorded import Recorded, Server
from commands.terminal import TableRow, folded, painted, safe, table
from shared.text.quantities import counted

_ABOVE = "Above the cacheable boundary: cached across sessions"
_BELOW = "Not cached across sessions, at the start of each"
_LATER = "Not cached across sessions, later: with what is read, and when hooks add text"
_MOST_MISSING = 10


class Audit(msgspec.Struct, frozen=True):
    """The instructions that load, what else the newest transcript records, and the advice."""

    directory: str
    home: str
    instructions: Instructions
    """As `within_budget` returns them."""
    recorded: Recorded | None
    """None if no transcript of this project can be read."""
    advice: InstructionAdvice

    @property
    def start(self) -> list[InstructionFile]:
        return [file for file in self.instructions.files if file.loads == "start"]

    def short_path(self, path: str) -> str:
        """A path as people write it: relative to the current directory, or to their home."""
        for start, sign in ((self.directory, ""), (self.home, "~/")):
            prefix = start.rstrip(os.sep) + os.sep
            if path.startswith(prefix):
                return safe(sign + path.removeprefix(prefix))
        return safe(path)


def _rows(audit: Audit) -> Iterator[TableRow]:
    """Yield each title that has rows, followed by them."""
    recorded = audit.recorded
    above: list[TableRow] = []
    start = [_file(file, audit) for file in audit.start]
    later = [_file(file, audit) for file in audit.instructions.files if file.loads != "start"]
    if recorded:
        for item in recorded.fixed:
            noun = "tool" if item.name.endswith("tools") else "part"
            above.append(_row(item.name, item.characters, counted(item.count, noun)))
        above += [_server(server) for server in recorded.servers]
        start += [_row(item.name, item.characters, counted(item.count, "entry")) for item in recorded.lists]
        for item in recorded.hooks:
            note = f"{counted(item.count, 'time')} in the newest session"
            later.append(_row(item.name, item.characters, note, "hook"))
    for title, rows in ((_ABOVE, above), (_BELOW, start), (_LATER, later)):
        if rows:
            yield from (TableRow((title,)), *rows)


def _remarks(audit: Audit) -> Iterator[str]:
    """The sentences below the table; the advice comes last."""
    total = sum(file.characters for file in audit.start)
    yield (
        f"{counted(len(audit.start), 'instruction file')} at the start: {total:,} characters, "
        f"about {tokens_of(total):,} tokens (characters / 4)."
    )
    if any(file.cut for file in audit.start):
        yield (
            f"{TRUNCATED}: over {PER_FILE:,} characters per file or {IN_ALL:,} in all. This budget is advice: "
            "clients from 2.1.197 to 2.1.330 load it whole, and you pay for it."
        )
    for missing in audit.instructions.missing[:_MOST_MISSING]:
        importer = audit.short_path(missing.imported_by)
        yield f"@{safe(missing.name)} in {importer} is not counted: {missing.reason}."
    if more := len(audit.instructions.missing[_MOST_MISSING:]):
        yield f"{more:,} more {'is' if more == 1 else 'are'} not counted; --json names all of them."
    if not audit.instructions.is_complete:
        yield "Not everything was checked: there are too many files, directories or exclusions here."
    if audit.recorded is None:
        yield "No transcript of this project shows tools, MCP servers and hooks."
    else:
        without = "" if audit.recorded.fixed else " It shows neither tools nor the system prompt."
        yield f"Tools, lists and hooks: as session {safe(audit.recorded.session_id)} shows them.{without}"
        if not audit.recorded.is_complete:
            yield "Its beginning was left out: reading all of it takes too long."
    text = audit.advice.text.replace(audit.directory.rstrip(os.sep) + os.sep, "")
    yield safe(text.replace(audit.home.rstrip(os.sep) + os.sep, "~/"))


def lines(audit: Audit, columns: int | None) -> Iterator[str]:
    if rows := list(_rows(audit)):
        yield from (*table([TableRow(("characters", "tokens", "scope", "what"), "quiet"), *rows], columns), "")
    *sentences, advice = _remarks(audit)
    for sentence in sentences:
        yield from (painted(line, "quiet") for line in folded(sentence, columns))
    yield painted(advice, "bold")


def _server(server: Server) -> TableRow:
    uses = f"used {counted(server.uses, 'time')}" if server.uses else "not used"
    note = f"{counted(server.count, 'tool')}, {uses} in the newest session"
    return _row(server.name, server.characters, note, "MCP", "plain" if server.uses else "notice")


def _row(name: str, characters: int, note: str, scope: str = "", tone: str = "plain") -> TableRow:
    return TableRow((f"{characters:,}", f"{tokens_of(characters):,}", scope, f"{name}  {note}".rstrip()), tone)


def _file(file: InstructionFile, audit: Audit) -> TableRow:
    notes = []
    if file.duplicate_of:
        notes.append(f"the same as {audit.short_path(file.duplicate_of)}")
    elif file.repeated >= FEW_LINES:
        notes.append(f"{counted(file.repeated, 'line')} repeated")
    if file.left_out:
        notes.append(f"{file.left_out:,} more are cut off by the client")
    if file.cut:
        notes.append(f"{TRUNCATED} {file.cut:,} over the budget")
    if file.loads == "paths":
        notes.append("for some paths")
    if file.imported_by:
        notes.append(f"imported by {audit.short_path(file.imported_by)}")
    tone = "urgent" if file.cut else "notice" if file.duplicate_of else "plain"
    return _row(audit.short_path(file.path), file.characters, "; ".join(notes), file.scope, tone)
