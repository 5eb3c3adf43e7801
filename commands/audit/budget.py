"""A budget for instruction files: what exceeds it, what is duplicated, and how much fixing that would save.

4,000 characters per file and 12,000 in all, with `[truncated]` at each cut and copies read once, has been described
elsewhere as the client's own rule. Clients 2.1.197 and 2.1.330 cut nothing and load copies (tests/client).
"""

from collections.abc import Iterable, Sequence
from operator import attrgetter

import msgspec

from commands.audit.instruction_file import InstructionFile, tokens_of
from commands.audit.recorded import Recorded
from shared.text.quantities import counted

PER_FILE, IN_ALL = 4_000, 12_000
"""Characters."""
TRUNCATED = "[truncated]"
FEW_LINES = 5
"""Fewer repeated lines than this aren't worth a change."""


class InstructionAdvice(msgspec.Struct, frozen=True):
    text: str
    tokens: int


def within_budget(files: Iterable[InstructionFile]) -> tuple[InstructionFile, ...]:
    """Give each file its room in the budget, or mark it as a duplicate; files that load later don't use the total."""
    first: dict[str, str] = {}
    result, room = [], IN_ALL
    for file in files:
        original = first.setdefault(file.digest, file.path)
        if original != file.path:
            result.append(msgspec.structs.replace(file, duplicate_of=original))
            continue
        is_at_start = file.loads == "start"
        share = min(file.characters, PER_FILE, room if is_at_start else PER_FILE)
        room -= share if is_at_start else 0
        result.append(msgspec.structs.replace(file, room=share))
    return tuple(result)


def advice(files: Sequence[InstructionFile], recorded: Recorded | None) -> InstructionAdvice:
    """The advice for `files`, which come from `within_budget`."""
    start = [file for file in files if file.loads == "start"]
    copies = [file for file in start if file.duplicate_of]
    past = [file for file in start if file.cut]
    unused = [server for server in recorded.servers if not server.uses] if recorded else []
    lines = sum(file.repeated for file in start if not file.duplicate_of)
    steps, savings = [], 0
    if copies:
        steps.append(f"remove {counted(len(copies), 'duplicate')}")
        savings += sum(file.tokens for file in copies)
    if lines >= FEW_LINES:
        steps.append(f"remove {counted(lines, 'line')} that earlier ones say already")
        savings += tokens_of(sum(file.repeated_characters for file in start if not file.duplicate_of))
    if past:
        cut = sum(file.cut for file in past)
        names, other = max(past, key=attrgetter("cut")).path, "move it to a rule"
        if more := len(past) - 1:
            names, other = f"{names} and {counted(more, 'more file')}", "move them to rules"
        steps.append(f"shorten {names} by {cut:,} characters, or {other} with `paths`")
        savings += tokens_of(cut)
    if unused:
        servers = ", ".join(server.name for server in unused[:3]) + (", \u2026" if len(unused) > 3 else "")
        steps.append(f"switch off MCP servers that the newest session didn't use: {servers}")
        savings += sum(tokens_of(server.characters) for server in unused)
    if not steps:
        total = sum(file.characters for file in start)
        return InstructionAdvice(f"Nothing to change: {total:,} characters at the start, within the budget.", 0)
    text = "; ".join(steps)
    return InstructionAdvice(f"{text[0].upper()}{text[1:]}. Saves about {savings:,} tokens in every session.", savings)
