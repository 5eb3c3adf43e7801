"""The agent's last steps with their outcomes: its words announce the next step, not the outcome of the last one."""

import itertools
import os
import re
from contextlib import suppress
from typing import Any

from monitor.activity.checks import output
from monitor.activity.checks.reason import reason_in
from monitor.activity.shell import read_commands
from monitor.checkpoints.transcript.remark import announcement, statement
from monitor.checkpoints.words import NO_RESULT, QUOTE
from shared import effort
from shared.client.tools import EDIT_KINDS, OTHER, READ_KINDS, TOOLS, about
from shared.files import files
from shared.secrets.masking import masked_beginning, masked_in_time
from shared.text.plain import code, elide, one_line, path_end
from shared.transcript import jsonl
from shared.transcript.line import ContentBlock, line_in

MOST = 14
"""Newest steps that are kept."""
_MOST_READ = 40
"""Steps whose results are read."""
OUTCOME = 160
"""Characters of a step's outcome."""
_MOST_LINES = 2_000
"""Lines read of a transcript."""
_LONGEST = 20_000
"""Characters read of a result, at its start and end."""
TARGET, _EDIT, _REPORT = 110, 80, 600
_TASK_TOOLS = frozenset(name for name, tool in TOOLS.items() if tool.kind in {"task_list", "new_task", "task_change"})
_NOTES = re.compile(
    r"<(system-reminder|usage)>.{0,1000}?</\1>"
    r"|^(?:agentId: |Output too large |Preview \(first |Shell cwd was reset to )[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
"""The client's additions to a result."""
_TAG = re.compile(r"</?[a-z][\w-]*>")


def steps_since(transcript: str, offset: int, until: int, directory: str = "") -> tuple[str, ...]:
    """The newest calls between two bytes, with outcomes and announcements; paths in `directory` are relative to it."""
    steps: dict[str, tuple[ContentBlock, ContentBlock | None]] = {}
    for number, block in enumerate(_blocks(transcript, offset, until)):
        if block.type == "text":
            steps[f"text {number}"] = block, None
        elif block.type == "tool_use" and block.name not in _TASK_TOOLS:
            steps[block.id] = block, None
        elif block.type == "tool_result" and (step := steps.get(block.tool_use_id)):
            steps[block.tool_use_id] = step[0], block
    texts = (_text_of(*step).replace(start_of(directory), "") for step in [*steps.values()][-_MOST_READ:])
    runs = [(text, sum(1 for _ in same)) for text, same in itertools.groupby(filter(None, texts))]
    return tuple(f"{text} ({count}x)" if count > 1 else text for text, count in runs[-MOST:])


def _text_of(block: ContentBlock, result: ContentBlock | None) -> str:
    if block.type == "text":
        text = masked_in_time(elide(block.text or "", _LONGEST))
        announced = one_line(announcement(text) if statement(text) else text, OUTCOME)  # all of it if it states nothing
        return f"{QUOTE}{announced}\u201d" if announced else ""
    return f"{_call_text(block)} {NO_RESULT}" if result is None else _with_outcome(block, result)


def start_of(directory: str) -> str:
    return f"{directory.rstrip('/')}/" if directory.strip("/") else "\0"


def _blocks(transcript: str, offset: int, until: int) -> list[ContentBlock]:
    if not os.path.isabs(transcript):
        return []
    blocks: list[ContentBlock] = []
    with suppress(OSError, ValueError), open(files.open_regular(transcript), "rb") as file:
        for position, data in itertools.islice(jsonl.forwards(file, offset), _MOST_LINES):
            if position > until or effort.is_over():
                break
            line = line_in(data) if b'"tool_' in data or b'"assistant"' in data else None
            if line is not None and line.message is not None and not line.isSidechain:
                is_result = line.type == "user" and b'"tool_result"' in data  # others hold copies, for the client alone
                blocks += line.message.blocks if line.type == "assistant" or is_result else []
    return blocks


def _call_text(call: ContentBlock) -> str:
    arguments = call.arguments or {}
    kind, target = TOOLS.get(call.name, OTHER).kind, about(arguments)
    is_path = kind in EDIT_KINDS | READ_KINDS
    target = masked_in_time(target[-8 * TARGET :]) if is_path else masked_beginning(target, 4 * TARGET)
    if kind == "command":
        return code(target, TARGET)
    what = path_end(target, TARGET) if is_path else one_line(target, TARGET)
    what += f" from line {arguments['offset']}" if kind == "read" and isinstance(arguments.get("offset"), int) else ""
    change = _first_new_line(arguments) if kind == "edit" else ""
    return f"{one_line(call.name, 40)} {what}".strip() + (f": {code(change, _EDIT)}" if change else "")


def _first_new_line(arguments: dict[str, Any]) -> str:
    """The first line that an edit adds, which tells its purpose; the file's name only tells where."""
    before, after = (str(arguments.get(name) or "") for name in ("old_string", "new_string"))
    previous = {line.strip() for line in before.splitlines()}
    lines = (line.strip() for line in after.splitlines())
    first = next((line for line in lines if line and line not in previous), "")
    return one_line(masked_beginning(first, 4 * _EDIT), _EDIT)


def _with_outcome(call: ContentBlock, result: ContentBlock) -> str:
    """A call with its outcome; a successful edit or read needs none."""
    kind, command = TOOLS.get(call.name, OTHER).kind, str((call.arguments or {}).get("command", ""))
    printed = masked_in_time(_NOTES.sub("", elide(result.result, _LONGEST)))
    if result.is_error and not output.is_pending(result.result):
        first = _TAG.sub("", printed).strip().partition("\n")[0]
        why = reason_in(printed, OUTCOME) if kind == "command" else one_line(first, OUTCOME)
        return f"{_call_text(call)}: failed: {why}"
    if kind in EDIT_KINDS | READ_KINDS:
        return _call_text(call)
    if kind == "search" or read_commands.is_read_only(command):
        outcome = one_line(_TAG.sub("", printed), OUTCOME)
    elif kind == "delegate":
        outcome = one_line(elide(statement(printed, _REPORT) or printed, _REPORT), 2 * _REPORT)
    elif output.outcome_of(printed) == "failed":
        outcome = reason_in(printed, OUTCOME)
    else:
        outcome = _last_lines(printed)
    return f"{_call_text(call)}: {outcome or 'done, without output'}"


def _last_lines(printed: str) -> str:
    """The last lines with letters or digits, as many as fit, but at least one."""
    lines: list[str] = []
    for line in reversed(_TAG.sub("", printed[-8 * OUTCOME :]).splitlines()):
        text = " ".join(line.split())
        if lines and sum(map(len, lines)) + len(text) > OUTCOME:
            break
        lines += [text] if any(map(str.isalnum, text)) else []
    return one_line(" | ".join(reversed(lines)), OUTCOME)
