"""What the agent did last, step by step: its words announce the next step, and not what came of it."""

import itertools
import os
import re
from collections.abc import Iterator
from typing import Any

from monitor.activity.checks import output
from monitor.activity.checks.reason import reason_in
from monitor.activity.shell import read_commands
from monitor.checkpoints.transcript.remark import announcement, statement
from monitor.checkpoints.words import NO_RESULT, QUOTE, elide
from shared.client.tools import EDIT_KINDS, OTHER, READ_KINDS, TOOLS
from shared.files import files
from shared.secrets.masking import masked
from shared.text.plain import one_line, path_end
from shared.transcript import jsonl
from shared.transcript.line import ContentBlock, line_in

MOST, MOST_FAILURES = 14, 5
"""Steps that are kept, and commands that failed before them, the newest."""
_MOST_LINES = 2_000
_TARGET, _EDIT, _OUTCOME, _REPORT = 110, 80, 160, 600
_TASK_KINDS = frozenset({"task_list", "new_task", "task_change"})
_TARGETS = ("command", "file_path", "notebook_path", "description", "subject", "pattern", "query", "url", "skill")
"""Keys of a tool's input, the one first that says most of what a call is about."""
_NOTES = re.compile(
    r"<(system-reminder|usage)>.*?</\1>"
    r"|^(?:agentId: |Output too large |Preview \(first |Shell cwd was reset to )[^\n]*$",
    re.DOTALL | re.MULTILINE,
)
_REFUSED = re.compile(r"The user doesn't want|requested permissions|Permission to use|Sibling tool call errored")
_PASSED = " (passed since)"
_TAG = re.compile(r"</?[a-z][\w-]*>")
"""What the client adds to a result."""


def steps_since(transcript: str, offset: int, until: int, directory: str = "") -> tuple[str, ...]:
    """The newest calls of the main conversation between two bytes of the transcript, each with what came of it.

    Between them stands what was announced: it says what the calls behind it were for. Paths in `directory` are shown
    from there on.
    """
    steps: dict[str, str] = {}
    calls: dict[str, ContentBlock] = {}
    for number, block in enumerate(_blocks(transcript, offset, until)):
        kind = TOOLS.get(block.name, OTHER).kind
        if block.type == "text" and (announced := _announced(block.text or "")):
            steps[f"text {number}"] = f"{QUOTE}{announced}\u201d"
        elif block.type == "tool_use" and kind not in _TASK_KINDS:
            calls[block.id] = block
            steps[block.id] = f"{_described(block)} {NO_RESULT}"
        elif block.type == "tool_result" and (call := calls.pop(block.tool_use_id, None)):
            steps[call.id] = _with_outcome(call, block)
    shown = (step.replace(_start(directory), "") for step in steps.values())
    return tuple([*_without_repeats(shown)][-MOST:])


def failures_since(transcript: str, offset: int, until: int, directory: str = "") -> tuple[str, ...]:
    """The newest commands that failed between two bytes of the transcript, once each, with the line that says why."""
    failures: dict[str, str] = {}
    calls: dict[str, ContentBlock] = {}
    for block in _blocks(transcript, offset, until):
        if block.type == "tool_use" and TOOLS.get(block.name, OTHER).kind == "command":
            calls[block.id] = block
        elif block.type == "tool_result" and (call := calls.pop(block.tool_use_id, None)):
            name, printed = _described(call), masked(block.result)
            has_failed = block.is_error or output.verdict(printed) == "failed"
            is_telling = has_failed and not _is_look(call) and not _REFUSED.search(printed)
            why = reason_in(printed, _OUTCOME) if is_telling else ""
            if not has_failed and name in failures:
                failures[name] = f"{failures[name].removesuffix(_PASSED)}{_PASSED}"
            elif why:
                failures.pop(name, None)
                failures[name] = f"{name}: {why}"
    return tuple(failure.replace(_start(directory), "") for failure in [*failures.values()][-MOST_FAILURES:])


def _start(directory: str) -> str:
    return f"{directory.rstrip('/')}/" if directory.strip("/") else "\0"


def _is_look(call: ContentBlock) -> bool:
    command = str((call.arguments or {}).get("command", ""))
    return read_commands.is_look(command) or read_commands.is_look_at_state(command)


def _announced(text: str) -> str:
    """What a text says is done next; all of it where it states nothing."""
    text = masked(text)
    return one_line(announcement(text) if statement(text) else text, _OUTCOME)


def _without_repeats(steps: Iterator[str]) -> Iterator[str]:
    """The steps, of which those that are the same one after another are there once."""
    for step, same in itertools.groupby(steps):
        count = sum(1 for _ in same)
        yield f"{step} ({count}x)" if count > 1 else step


def _blocks(transcript: str, offset: int, until: int) -> list[ContentBlock]:
    """What was outcome and done by the agent, in order."""
    if not os.path.isabs(transcript):
        return []
    blocks: list[ContentBlock] = []
    try:
        with open(files.open_regular(transcript), "rb") as file:
            for position, data in itertools.islice(jsonl.forwards(file, offset), _MOST_LINES):
                if position > until:
                    break
                line = line_in(data) if b'"tool_' in data or b'"assistant"' in data else None
                if line is not None and line.message is not None and not line.isSidechain:
                    blocks += line.message.blocks if line.type == "assistant" or b'"tool_result"' in data else []
    except (OSError, ValueError):
        pass
    return blocks


def _described(call: ContentBlock) -> str:
    given = call.arguments or {}
    target = next((given[name] for name in _TARGETS if isinstance(given.get(name), str) and given[name]), "")
    kind = TOOLS.get(call.name, OTHER).kind
    if kind == "command":
        return f"`{one_line(masked(target[: 8 * _TARGET]), _TARGET)}`"
    what = path_end(target, _TARGET) if kind in EDIT_KINDS | READ_KINDS else one_line(masked(target), _TARGET)
    what += f" from line {given['offset']}" if kind == "read" and isinstance(given.get("offset"), int) else ""
    change = _first_new_line(given) if kind == "edit" else ""
    return f"{one_line(call.name, 40)} {what}".strip() + (f": `{change}`" if change else "")


def _first_new_line(given: dict[str, Any]) -> str:
    """What an edit puts in says what it was for; that the file was edited, only where."""
    before, after = (str(given.get(name) or "") for name in ("old_string", "new_string"))
    previous = {line.strip() for line in before.splitlines()}
    lines = (line.strip() for line in after.splitlines())
    return one_line(masked(next((line for line in lines if line and line not in previous), "")), _EDIT)


def _with_outcome(call: ContentBlock, result: ContentBlock) -> str:
    """A call and what it says; of an edit or a read file that worked, that it was done says enough."""
    kind, printed = TOOLS.get(call.name, OTHER).kind, masked(_NOTES.sub("", result.result))
    if result.is_error:
        first = _TAG.sub("", printed).strip().partition("\n")[0]
        why = reason_in(printed, _OUTCOME) if kind == "command" else one_line(first, _OUTCOME)
        return f"{_described(call)}: failed: {why}"
    if kind in EDIT_KINDS | READ_KINDS:
        return _described(call)
    if kind == "search" or _is_look(call):
        outcome = one_line(_TAG.sub("", printed), _OUTCOME)
    elif kind == "delegate":
        outcome = one_line(elide(statement(printed, _REPORT) or printed, _REPORT), 2 * _REPORT)
    elif output.verdict(printed) == "failed":
        outcome = reason_in(printed, _OUTCOME)
    else:
        outcome = _last_lines(printed)
    return f"{_described(call)}: {outcome or 'done, without output'}"


def _last_lines(printed: str) -> str:
    """The last lines that say something, as many as there is room for, one at least."""
    shown: list[str] = []
    for line in reversed(_TAG.sub("", printed[-8 * _OUTCOME :]).splitlines()):
        text = " ".join(line.split())
        if shown and sum(map(len, shown)) + len(text) > _OUTCOME:
            break
        if any(map(str.isalnum, text)):
            shown.insert(0, text)
    return one_line(" | ".join(shown), _OUTCOME)
