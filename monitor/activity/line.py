"""What one line of a transcript adds to a session's activity and to the log of its tool calls."""

import re
from typing import Any

import msgspec

from monitor.activity.activity import Activity, Compacted, Place, Task
from monitor.activity.client_prompts import PLAN_HANDED_OVER, is_clients_own
from monitor.activity.tool_call_of import RESULT_HEAD, add_result, state_of, tool_call_of
from monitor.activity.tool_calls import DONE, ToolCall
from shared import lenient
from shared.plain import plain
from shared.secrets.masking import masked
from shared.tools import OTHER, TOOLS, ClientTool
from shared.transcript_line import ContentBlock, TranscriptLine, TranscriptMessage, line_in
from shared.transcript_records import compaction_in, tokens_in

LONGEST_COMMAND, LONGEST_TASK = 300, 300
_LONGEST_LOOK = 16_000
"""Characters of a command or a task in which secrets are looked for; what is kept of it lies well before its end."""
_EXIT_CODE = re.compile(rb"Exit code (\d{1,5})")
_TASK_NUMBER = re.compile(rb"#(\d{1,9})")


class _NewTask(msgspec.Struct):
    id: Any = None


class _TaskResult(msgspec.Struct):
    task: _NewTask


def add(activity: Activity, place: Place, data: bytes) -> None:
    """Add what the line at `place` says; lines that say nothing of what was done are left alone."""
    line = line_in(data) if _is_telling(data) else None
    if line is None or line.isSidechain:
        return
    activity.log.add_line(len(data), line.timestamp, line.cwd)
    if compaction := compaction_in(line):
        activity.add_compaction(Compacted(compaction.timestamp, plain(compaction.trigger, 20), compaction.before))
    elif line.type == "queue-operation":
        _add_queued(activity, line.queued)
    elif line.message is not None and line.type == "assistant":
        _add_answer(activity, line.message, place)
    elif line.message is not None and line.type == "user":
        _add_user(activity, line, line.message, msgspec.structs.replace(place, timestamp=line.timestamp))


def _is_telling(data: bytes) -> bool:
    """Whether a line is worth decoding: to decode all of them would take three times as long."""
    return b'"user"' in data or b'"assistant"' in data or b'"compact_boundary"' in data or b'"enqueue"' in data


def _add_answer(activity: Activity, message: TranscriptMessage, place: Place) -> None:
    if not message.id or message.id != activity.log.answer:  # one answer stands in several lines
        activity.log.add_answer(message.id, tokens_in(message))
    if message.text.strip():
        activity.answer = place
    for block in message.blocks:
        given = block.arguments if block.type == "tool_use" else None
        if given is not None:
            _add_call(activity, block, given, place)


def _add_call(activity: Activity, block: ContentBlock, given: dict[str, Any], place: Place) -> None:
    """Classify a tool call, once for everything that is made of it, and once if it is written twice."""
    if block.id in activity.pending:
        return
    tool = TOOLS.get(block.name, OTHER)
    call = tool_call_of(tool, block, given, activity.log, place.line)
    activity.add_call(block.id, call, tool.kind, _subject(tool, call, given))
    if tool.kind == "task_list" and isinstance(tasks := given.get(tool.subject), list):
        activity.replace_tasks([task for item in tasks if (task := _task(item))])
    elif tool.kind == "task_change":
        text, state = _masked_text(given.get(tool.subject), LONGEST_TASK), _text(given.get("status"), 20)
        activity.change_task(_text(str(given.get("taskId", "")), 20), text or None, state or None)


def _subject(tool: ClientTool, call: ToolCall, given: dict[str, Any]) -> str:
    """What a call is about, as long as its result is awaited."""
    if tool.kind == "command":
        return _masked_text(given.get(tool.subject), LONGEST_COMMAND)
    if tool.kind == "new_task":
        return _masked_text(given.get(tool.subject), LONGEST_TASK)
    return call.path


def _add_user(activity: Activity, line: TranscriptLine, message: TranscriptMessage, place: Place) -> None:
    results = [block for block in message.blocks if block.type == "tool_result"]
    for block in results:
        _add_result(activity, block, line, place)
    if line.isCompactSummary:
        activity.log.reset()  # clients that write no boundary write this
    if results or line.isMeta or line.isCompactSummary:
        return
    prompt = message.text
    if _is_prompt(prompt):
        activity.add_prompt(place)
        if prompt.startswith(PLAN_HANDED_OVER):
            activity.log.reset()


def _add_queued(activity: Activity, text: str) -> None:
    """Count what the person wrote while the agent worked: it may stand nowhere else."""
    if _is_prompt(text) and not text.startswith("{"):
        activity.log.prompts += 1


def _is_prompt(text: str) -> bool:
    """Whether a person has written it."""
    return bool(text.strip()) and not is_clients_own(text)


def _add_result(activity: Activity, block: ContentBlock, line: TranscriptLine, place: Place) -> None:
    pending = activity.pending.pop(block.tool_use_id, None)
    if pending is None:
        return
    content = bytes(block.content)
    state = state_of(pending.kind, content, is_error=bool(block.is_error))
    call = activity.log.numbered(pending.number)
    if call is not None:
        add_result(call, content, state, activity.log)
    if state == DONE:
        activity.succeed(pending, _task_number(line, content) if pending.kind == "new_task" else None)
    else:
        code = _EXIT_CODE.search(content, 0, RESULT_HEAD)
        activity.fail(pending, state, place, int(code[1]) if code else None)


def _task(item: Any) -> Task | None:
    if not isinstance(item, dict):
        return None
    text = _masked_text(item.get("content"), LONGEST_TASK)
    return Task(text, _text(item.get("status"), 20) or "pending") if text else None


def _task_number(line: TranscriptLine, content: bytes) -> str | None:
    """The number of a task that has just been made."""
    known = lenient.decode_or(bytes(line.toolUseResult), _TaskResult, None)
    given = known.task.id if known else None
    found = _TASK_NUMBER.search(content, 0, RESULT_HEAD)
    return str(given)[:20] if given is not None else found[1].decode() if found else None


def _text(value: Any, longest: int) -> str:
    """A text from a tool call, on one line and bounded."""
    return plain(" ".join(value[: 2 * longest].split()), longest) if isinstance(value, str) else ""


def _masked_text(value: Any, longest: int) -> str:
    """The same without its secrets, which are looked for first: half of one would not be known as one."""
    return _text(masked(value[:_LONGEST_LOOK]), longest) if isinstance(value, str) else ""
