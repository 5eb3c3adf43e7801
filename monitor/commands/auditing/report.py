"""An audit as rows of one table, for a terminal and for programs that read lines."""

import os
import sys
from collections.abc import Iterator

import msgspec

from monitor.commands.auditing.budget import IN_ALL, PER_FILE, TRUNCATED, InstructionAdvice
from monitor.commands.auditing.instruction_file import InstructionFile, tokens_of
from monitor.commands.auditing.instructions import Instructions
from monitor.commands.auditing.recorded import Addition, Recorded
from monitor.commands.terminal import safe
from shared import client
from shared.quantities import counted

ABOVE = "Above the cacheable boundary: cached across sessions"
BELOW = "Below it, at the start of each session"
LATER = "Below it, later: with what is read, and when hooks add text"
_MOST_MISSING = 10


class Audit(msgspec.Struct, frozen=True):
    """All that was found."""

    directory: str
    instructions: Instructions
    """Within the budget."""
    recorded: Recorded | None
    """None if no transcript of this project can be read."""
    advice: InstructionAdvice

    @property
    def start(self) -> list[InstructionFile]:
        return [file for file in self.instructions.files if file.loads == "start"]


class AuditRow(msgspec.Struct, frozen=True):
    """A row; text from outside is made safe."""

    scope: str
    name: str
    characters: int
    note: str = ""
    tone: str = ""
    """A style of rich's."""


def groups(audit: Audit, home: str) -> Iterator[tuple[str, list[AuditRow]]]:
    """Titles and their rows, those with none left out."""
    found, files = audit.recorded, audit.instructions.files
    above = [AuditRow("", safe(one.name), one.characters, counted(one.count, _part(one))) for one in _fixed(found)]
    if found:
        above += [
            AuditRow(
                "MCP",
                safe(server.name),
                server.characters,
                f"{counted(server.count, 'tool')}, {_uses(server.uses)} in the newest session",
                "" if server.uses else "yellow",
            )
            for server in found.servers
        ]
    lists = (
        [AuditRow("", one.name, one.characters, counted(one.count, "entry")) for one in found.lists] if found else []
    )
    hooks = [
        AuditRow("hook", safe(one.name), one.characters, f"{counted(one.count, 'time')} in the newest session")
        for one in (found.hooks if found else ())
    ]
    later = [_file(file, audit.directory, home) for file in files if file.loads != "start"]
    for title, rows in (
        (ABOVE, above),
        (BELOW, [*(_file(file, audit.directory, home) for file in audit.start), *lists]),
        (LATER, [*later, *hooks]),
    ):
        if rows:
            yield title, rows


def remarks(audit: Audit, home: str) -> Iterator[str]:
    """The sentences below the table; the advice comes last."""
    start = audit.start
    total = sum(file.characters for file in start)
    past = sum(file.cut for file in start)
    yield (
        f"{counted(len(start), 'instruction file')} at the start: {total:,} characters, "
        f"about {tokens_of(total):,} tokens (characters / 4)."
    )
    if past:
        yield (
            f"{TRUNCATED}: over {PER_FILE:,} characters per file or {IN_ALL:,} in all. A client with that budget cuts "
            "it; 2.1.197 to 2.1.330 load it whole, and you pay for it."
        )
    for missing in audit.instructions.missing[:_MOST_MISSING]:
        yield (
            f"@{safe(missing.name)} in {_shown(missing.imported_by, audit.directory, home)} is not loaded: "
            f"{missing.reason}."
        )
    if more := len(audit.instructions.missing[_MOST_MISSING:]):
        yield f"{counted(more, 'more import')} aren't either; --json names all of them."
    for directory in audit.instructions.unread:
        yield (
            f"The client loads no instructions from {_shown(directory, audit.directory, home)}: "
            f"{client.ADDED_INSTRUCTIONS_VARIABLE} isn't on."
        )
    if not audit.instructions.is_complete:
        yield "Not everything was checked: this directory has too many files or directories."
    if audit.recorded is None:
        yield "No transcript of this project shows tools, MCP servers and hooks."
    else:
        without = "" if audit.recorded.fixed else " It shows neither tools nor the system prompt."
        yield f"Tools, lists and hooks: as session {audit.recorded.session_id} shows them.{without}"
    text = audit.advice.text.replace(audit.directory.rstrip(os.sep) + os.sep, "")
    yield safe(text.replace(home.rstrip(os.sep) + os.sep, "~/"))


def show(audit: Audit, home: str) -> None:
    """Print it: one table on a terminal, else a line for each row."""
    if sys.stdout.isatty():
        _draw(audit, home)
        return
    for title, rows in groups(audit, home):
        print(title)
        for row in rows:
            scope = row.scope.ljust(12)
            print(f"  {row.characters:>9,}  {tokens_of(row.characters):>7,}  {scope}  {row.name}  {row.note}".rstrip())
        print()
    print(*remarks(audit, home), sep="\n")


def _draw(audit: Audit, home: str) -> None:
    from rich.console import Console  # noqa: PLC0415  60 ms that only a terminal pays
    from rich.table import Table  # noqa: PLC0415  see above
    from rich.text import Text  # noqa: PLC0415  see above

    console = Console(highlight=False)
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column("characters", justify="right", no_wrap=True)
    table.add_column("tokens", justify="right", no_wrap=True)
    table.add_column("scope", style="dim", no_wrap=True)
    table.add_column("what", overflow="fold", ratio=1)
    for number, (title, rows) in enumerate(groups(audit, home)):
        table.add_row("", "", "", Text(f"{'' if not number else chr(10)}{title}", style="bold"))
        for row in rows:
            size, cost = f"{row.characters:,}", f"{tokens_of(row.characters):,}"
            what = Text(row.name).append(f"  {row.note}" if row.note else "", style=row.tone or "dim")
            table.add_row(Text(size, style=row.tone), Text(cost, style=row.tone), row.scope, what)
    console.print(table)
    *said, last = remarks(audit, home)
    for line in said:
        console.print(Text(line, style="dim"))
    console.print(Text(last, style="bold"))


def _fixed(found: Recorded | None) -> tuple[Addition, ...]:
    return found.fixed if found else ()


def _part(one: Addition) -> str:
    return "tool" if one.name.endswith("tools") else "part"


def _uses(number: int) -> str:
    return f"used {counted(number, 'time')}" if number else "not used"


def _file(file: InstructionFile, directory: str, home: str) -> AuditRow:
    notes = []
    if file.duplicate_of:
        notes.append(f"the same as {_shown(file.duplicate_of, directory, home)}")
    if file.left_out:
        notes.append(f"{file.left_out:,} more are cut off by the client")
    if file.cut:
        notes.append(f"{TRUNCATED} {file.cut:,} over the budget")
    if file.loads == "paths":
        notes.append("for some paths")
    if file.imported_by:
        notes.append(f"imported by {_shown(file.imported_by, directory, home)}")
    tone = "red" if file.cut else "yellow" if file.duplicate_of else ""
    return AuditRow(file.scope, _shown(file.path, directory, home), file.characters, "; ".join(notes), tone)


def _shown(path: str, directory: str, home: str) -> str:
    """A path as people write it: relative to the current directory, or to their home."""
    for start, sign in ((directory, ""), (home, "~/")):
        prefix = start.rstrip(os.sep) + os.sep
        if path.startswith(prefix):
            return safe(sign + path.removeprefix(prefix))
    return safe(path)
