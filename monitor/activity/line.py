"""Add one line of a transcript to a session's activity and to the log of its tool calls."""

import re
from typing import Any

import msgspec

from monitor.activity import fingerprint, rewinds
from monitor.activity.activity import (
    MOST_BACKGROUND,
    MOST_INSTRUCTIONS,
    MOST_PENDING,
    MOST_REMARKS,
    Activity,
    LinePosition,
    PendingCall,
    RequestPosition,
    Task,
)
from monitor.activity.checks import background
from monitor.activity.checks.command import checks_in, is_alone
from monitor.activity.checks.failures import FailedAttempt, add_newest, note_attempt
from monitor.activity.checks.output import is_pending
from monitor.activity.checks.results import result_of
from monitor.activity.requests import PLAN_HANDED_OVER, is_instruction, requests_in, retracted_in
from monitor.activity.shell import bash_mode
from monitor.activity.shell.commits import commits_after, git_command_in
from monitor.activity.shell.written import files_written
from monitor.activity.tool_call_of import RESULT_HEAD, add_result, state_of, tool_call_of
from monitor.activity.tool_calls import DONE, REFUSED
from shared import effort
from shared.client import client
from shared.client.tools import OTHER, TOOLS
from shared.files import lenient
from shared.secrets.masking import masked_beginning
from shared.text.plain import plain
from shared.transcript.line import ContentBlock, TranscriptLine, TranscriptMessage, line_in
from shared.transcript.records import SYNTHETIC, compaction_in, tokens_in

_LONGEST = 300
"""Characters stored of a command or a task."""
_NEAR = 3
"""Lines within which a command's instruction to the agent follows it."""

MARKERS = (b'"user"', b'"assistant"', b'"compact_boundary"', b'"queue')
"""Texts that mark a line worth decoding: decoding every line would take three times as long. The last one marks queued
prompts."""
_TASK_IDS = ("task_id", "bash_id", "shell_id")
"""Input fields that name the background task a call reads."""
_ONLY_READ = frozenset({"Explore", "Plan"})
"""The client's own subagents that change nothing and run no check."""
_TASK_NUMBER = re.compile(rb"#(\d{1,9})")


class _ShownTask(msgspec.Struct):
    id: Any = None
    subject: Any = None
    status: Any = None


class _TaskResult(msgspec.Struct):
    """The client's record of one task, or of the whole list."""

    task: _ShownTask | None = None
    tasks: list[_ShownTask] | None = None


def add(activity: Activity, position: LinePosition, data: bytes) -> None:
    """Add the line at `position`; lines without activity are skipped."""
    line = line_in(data) if any(marker in data for marker in MARKERS) else None
    if line is None or line.isSidechain:
        return
    activity.log.add_line(len(data), line.timestamp, line.cwd)
    if compaction := compaction_in(line):
        activity.compacted_at = compaction.timestamp
        activity.log.reset()
    elif line.message is not None and line.type == "assistant":
        if line.isApiErrorMessage or line.message.model == SYNTHETIC:
            return  # the client's own words, not the agent's
        _add_answer(activity, line.message, position, line.cwd)
    elif line.type in {"user", "attachment", "queue-operation"}:
        _add_requests(activity, line, position)
        reported = line.attachment.prompt if line.attachment else ""  # in the middle of a turn
        if line.message is not None and line.type == "user":
            _add_user(activity, line, line.message, position)
            reported = line.message.text
        if isinstance(reported, str) and reported.lstrip().startswith("<task-"):
            activity.subagents += background.is_of_subagent(reported)
            if activity.background and (report := background.report_in(reported)):
                _add_report(activity, report, reported, position, "")


def _add_answer(activity: Activity, message: TranscriptMessage, position: LinePosition, cwd: str) -> None:
    if not message.id or message.id != activity.log.answer:  # one answer takes several lines
        activity.log.add_answer(message.id, tokens_in(message))
    if message.text.strip():
        activity.answer_calls = activity.log.call_count
        activity.remarks = [*activity.remarks, position][-MOST_REMARKS:]
        if message.stop_reason == "end_turn":
            activity.finished = position
    for block in message.blocks:
        if block.type == "tool_use" and not effort.is_over():
            _add_call(activity, block, cwd)


def _add_call(activity: Activity, block: ContentBlock, cwd: str) -> None:
    """Classify a tool call for all of its uses; a second copy of it in the transcript is ignored."""
    tool, tool_input = TOOLS.get(block.name, OTHER), block.arguments
    if tool_input is None or block.id in activity.pending:
        return
    call = tool_call_of(tool, block, tool_input, activity.log)
    argument = tool_input.get(tool.target)
    command = argument if tool.kind == "command" and isinstance(argument, str) else ""
    target = _masked_text(argument) if tool.kind in {"command", "new_task"} else call.path
    if tool is OTHER:  # it has no target; ExitPlanMode's name says too little
        target = "the plan" if block.name == client.EXIT_PLAN_MODE else plain(block.name, 40)
    looked_at = command or (call.path if call.is_read else "")
    task_id = next((str(tool_input[name]) for name in _TASK_IDS if tool_input.get(name)), "")
    task_id = task_id or next((running for running in activity.background if running in looked_at), "")
    home = activity.log.directory
    checks, git = checks_in(command, cwd, home), git_command_in(command, cwd, home)
    writes = files_written(command, home, cwd)
    pending = PendingCall(0, tool.kind, target, checks, is_alone(command), task_id, git, writes)
    activity.add_call(block.id, call, pending)
    activity.subagents += tool.kind == "delegate" and str(tool_input.get("subagent_type")) not in _ONLY_READ
    if tool.kind == "task_list" and isinstance(argument, list):
        activity.replace_tasks([task for item in argument if (task := _task(item))])
    elif tool.kind == "task_change":
        task_number = _text(str(tool_input.get("taskId", "")), 20)
        activity.change_task(task_number, _masked_text(argument), _text(tool_input.get("status"), 20))


def _add_requests(activity: Activity, line: TranscriptLine, position: LinePosition) -> None:
    for request in retracted_in(line):
        activity.retract(fingerprint.of_command(request.text))
    newest = activity.requests[-1] if activity.requests else None
    is_after_command = newest is not None and newest.kind == "command" and position.line - newest.line <= _NEAR
    if is_instruction(line, is_after_command=is_after_command):
        activity.instructions = [*activity.instructions, position][-MOST_INSTRUCTIONS:]
    for request in requests_in(line):
        pending = activity.pending.get(request.tool_use_id)
        if pending and pending.kind == "delegate" and request.kind == "refusal" and not request.text:
            continue  # the client writes Esc during a subagent's work as a refusal of it
        about, digest = pending.target if pending else "", fingerprint.of_command(request.text)
        is_plan = request.kind == "prompt" and request.text.startswith(PLAN_HANDED_OVER)
        is_placed = line.uuid and request.kind in {"prompt", "command"} and not is_plan
        parent = line.parentUuid or "root" if is_placed else ""
        request_position = RequestPosition(position.offset, position.line, request.kind, digest, about, parent)
        rewinds.forget_abandoned(activity, request_position)
        activity.add_request(request_position)
        if is_plan:
            activity.log.reset()


def _add_user(activity: Activity, line: TranscriptLine, message: TranscriptMessage, position: LinePosition) -> None:
    for block in message.blocks:
        if block.type == "tool_result":
            _add_result(activity, block, line, position)
    if command := bash_mode.command_in(message.text):
        cwd, home = line.cwd, activity.log.directory
        checks, git = checks_in(command, cwd, home), git_command_in(command, cwd, home)
        typed = PendingCall(-1, "command", _masked_text(command), checks, is_alone(command), git=git)
        add_newest(activity.pending, line.uuid, typed, MOST_PENDING)
    elif (printed := bash_mode.printed_in(message.text)) is not None:
        is_error, content = printed.startswith(client.EXIT_CODE), msgspec.Raw(msgspec.json.encode(printed))
        result = ContentBlock("tool_result", tool_use_id=line.parentUuid or "", is_error=is_error, content=content)
        _add_result(activity, result, line, position)
    if line.isCompactSummary:
        activity.summary = position
        activity.log.reset()  # clients that write no boundary write this


def _add_result(activity: Activity, block: ContentBlock, line: TranscriptLine, position: LinePosition) -> None:
    pending = activity.pending.pop(block.tool_use_id, None)
    if pending is None:
        return
    content = bytes(block.content)
    state = state_of(pending.kind, content, is_error=bool(block.is_error))
    call = activity.log.numbered(pending.number)
    if call is not None:
        add_result(call, content, state, activity.log)
    if state != DONE:
        activity.fail(pending)
    elif pending.kind == "new_task":
        activity.add_task(pending.target, _task_number(line, content))
    elif pending.target in {client.TASK_LIST, client.TASK_GET}:
        _correct_tasks(activity, line)
    for path in pending.writes if state == DONE else ():
        activity.add_file("edit", path)
    if state == REFUSED or (state != DONE and is_pending(block.result)):
        return
    is_failed: bool | None = state != DONE
    if pending.checks or pending.git or pending.task:
        is_failed = _add_outcome(activity, pending, block, line, position, is_error=state != DONE)
    if call is not None and call.kind == "command" and is_failed is not None:  # a command that only reads is a search
        failed = FailedAttempt(position.offset, block.tool_use_id, pending.checks) if is_failed else None
        note_attempt(activity.attempts, pending.target, pending.checks, failed)


def _add_outcome(
    activity: Activity,
    pending: PendingCall,
    block: ContentBlock,
    line: TranscriptLine,
    position: LinePosition,
    *,
    is_error: bool,
) -> bool | None:
    """Add the outcome of checks, commits or a background task; return whether any failed, None if it still runs."""
    output = block.result
    if (pending.checks or pending.git) and (task := background.task_id_in(bytes(line.toolUseResult))):
        add_newest(activity.background, task, pending, MOST_BACKGROUND)
        return None
    activity.commits = commits_after(activity.commits, pending.git, output, is_error=is_error)
    if pending.checks:
        result = result_of(pending.checks, output, is_error=is_error, is_alone=pending.is_alone)
        activity.add_result(result, position, block.tool_use_id)
        return is_error or bool(result.failed)
    if report := background.report_in(output, pending.task):
        _add_report(activity, report, output, position, block.tool_use_id)
    return is_error


def _add_report(
    activity: Activity, report: tuple[str, int | None], output: str, position: LinePosition, tool_use_id: str
) -> None:
    """Add the report on a background task, judged by its output alone if there is no exit code."""
    task_id, code = report
    task = activity.background.get(task_id)
    if task is None:
        return
    checks, is_error = task.checks, bool(code)
    if code is None:  # the output may be only a part
        checks = tuple(msgspec.structs.replace(run, is_status_known=False, is_output_hidden=True) for run in checks)
    text = f"{client.EXIT_CODE}{code}\n{output}" if is_error else output
    result = result_of(checks, text, is_error=is_error, is_alone=task.is_alone)
    activity.add_result(result, position, tool_use_id)
    if code is not None:
        activity.commits = commits_after(activity.commits, task.git, output, is_error=is_error)
        del activity.background[task_id]


def _correct_tasks(activity: Activity, line: TranscriptLine) -> None:
    """Correct tasks by the client's list: subagents change them, too. It drops the list once all are completed."""
    result = lenient.decode_or(bytes(line.toolUseResult), _TaskResult, _TaskResult())
    if result.tasks is not None:
        activity.tasks = {number: task for number, task in activity.tasks.items() if not task.is_open}
    for task in result.tasks or filter(None, [result.task]):
        activity.change_task(_text(str(task.id), 20), _masked_text(task.subject), _text(task.status, 20))


def _task(item: Any) -> Task | None:
    if not isinstance(item, dict):
        return None
    text = _masked_text(item.get("content"))
    return Task(text, _text(item.get("status"), 20) or "pending") if text else None


def _task_number(line: TranscriptLine, content: bytes) -> str | None:
    task = lenient.decode_or(bytes(line.toolUseResult), _TaskResult, _TaskResult()).task
    if task is not None and task.id is not None:
        return str(task.id)[:20]
    match = _TASK_NUMBER.search(content, 0, RESULT_HEAD)
    return match[1].decode() if match else None


def _text(value: Any, longest: int) -> str:
    """A text from a tool call, on one line and bounded."""
    return plain(" ".join(value[: 2 * longest].split()), longest) if isinstance(value, str) else ""


def _masked_text(value: Any) -> str:
    """A bounded text with its secrets masked."""
    return _text(masked_beginning(value, _LONGEST), _LONGEST) if isinstance(value, str) else ""
