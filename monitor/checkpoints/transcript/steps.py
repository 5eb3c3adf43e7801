"""What the agent did last, step by step: its words announce the next step, and not what came of it."""

import itertools
import os
from typing import Any

from monitor.activity.checks import output
from monitor.activity.shell import read_commands
from monitor.checkpoints.transcript.remark import statement
from shared.client.tools import EDIT_KINDS, OTHER, READ_KINDS, TOOLS
from shared.files import files
from shared.secrets.masking import masked
from shared.text.plain import one_line, path_end
from shared.transcript import jsonl
from shared.transcript.line import ContentBlock, line_in

MOST = 14
"""Steps that are kept, the newest."""
_MOST_LINES = 2_000
_TARGET, _EDIT, _OUTCOME, _REPORT = 110, 80, 160, 600
_TASK_KINDS = frozenset({"task_list", "new_task", "task_change"})
_TARGETS = ("command", "file_path", "notebook_path", "description", "subject", "pattern", "query", "url", "skill")
"""Keys of a tool's input, the one first that says most of what a call is about."""


def steps_since(transcript: str, offset: int, until: int) -> tuple[str, ...]:
    """The newest calls of the main conversation between two bytes of the transcript, each with what came of it.

    Between them stands what was announced: it says what the calls behind it were for.
    """
    steps: dict[str, str] = {}
    calls: dict[str, ContentBlock] = {}
    for number, block in enumerate(_blocks(transcript, offset, until)):
        kind = TOOLS.get(block.name, OTHER).kind
        if block.type == "text" and block.text and not statement(block.text):
            steps[f"text {number}"] = f"\u201c{one_line(masked(block.text[: 8 * _OUTCOME]), _OUTCOME)}\u201d"
        elif block.type == "tool_use" and kind not in _TASK_KINDS:
            calls[block.id] = block
            steps[block.id] = f"{_described(block)} (no result yet)"
        elif block.type == "tool_result" and (call := calls.pop(block.tool_use_id, None)):
            steps[call.id] = _with_outcome(call, block)
    return tuple([*steps.values()][-MOST:])


def _blocks(transcript: str, offset: int, until: int) -> list[ContentBlock]:
    """What was said and done by the agent, in order."""
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
    change = _first_new_line(given) if kind == "edit" else ""
    return f"{one_line(call.name, 40)} {what}".strip() + (f": `{change}`" if change else "")


def _first_new_line(given: dict[str, Any]) -> str:
    """What an edit puts in says what it was for; that the file was edited, only where."""
    before, after = (str(given.get(name) or "") for name in ("old_string", "new_string"))
    known = {line.strip() for line in before.splitlines()}
    lines = (line.strip() for line in after.splitlines())
    return one_line(masked(next((line for line in lines if line not in known), "")), _EDIT)


def _with_outcome(call: ContentBlock, result: ContentBlock) -> str:
    """A call and what it says at its end; of an edit or a look that worked, that it was done says enough."""
    kind, printed = TOOLS.get(call.name, OTHER).kind, masked(result.result)
    if result.is_error:
        first = printed.replace("<tool_use_error>", "").replace("</tool_use_error>", "").partition("\n")[0]
        why = output.reason(printed) if kind == "command" else first
        return f"{_described(call)}: failed: {one_line(why, _OUTCOME)}"
    is_look = kind == "command" and read_commands.is_look(str((call.arguments or {}).get("command", "")))
    if kind not in {"command", "delegate", "other"} or is_look:
        return _described(call)
    if kind == "delegate":
        return f"{_described(call)}: {one_line(printed, _REPORT)}"
    said = output.reason(printed) if output.verdict(printed) == "failed" else _last_line(printed)
    return f"{_described(call)}: {one_line(said, _OUTCOME) if said else 'done, without output'}"


def _last_line(printed: str) -> str:
    lines = [line.strip() for line in printed[-8 * _OUTCOME :].splitlines()]
    return next((line for line in reversed(lines) if any(map(str.isalnum, line))), "")
