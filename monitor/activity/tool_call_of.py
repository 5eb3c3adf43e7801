"""A tool call and its result as log entries. Their texts go no further than this: only hashes are stored."""

import re
from typing import Any

from monitor.activity import fingerprint
from monitor.activity.shell import read_commands
from monitor.activity.tool_calls import DONE, FAILED, LONGEST_PATH, REFUSED, ToolCall, ToolCallLog
from shared.client import client
from shared.client.tools import PATH_KINDS, ClientTool, Kind
from shared.files.lenient import count
from shared.text.plain import plain
from shared.transcript import session_paths
from shared.transcript.line import ContentBlock
from shared.transcript.records import BYTES_PER_TOKEN, result_bytes

RESULT_HEAD = 400
"""Bytes at a result's start that hold the client's own words."""
_EXIT_CODE = re.compile(f'"{client.EXIT_CODE}[1-9]'.encode())
"""The start of a failing command's result."""
_REFUSED = re.compile(
    rb"doesn't want to|requested permissions|Permission to use|requires approval|was rejected"
    rb"|Sibling tool call errored"
)
"""The client's words for a call that never ran; the last for one cancelled after another had failed."""
_UNCHANGED = (b"unchanged since", b"Wasted call")
"""The client's words for a read that it answers by a reference to an earlier one."""
_LINES = 2_000
"""Lines that a read shows by default, according to the client's description of its tool."""
_REVISES = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:am|apply|bisect|checkout|cherry-pick|commit|merge|pull|rebase|reset|restore|revert|stash|switch)\b"
)


def tool_call_of(tool: ClientTool, block: ContentBlock, tool_input: dict[str, Any], log: ToolCallLog) -> ToolCall:
    """The log entry of the call of `tool` in `block`; `log` counts git's revisions in it."""
    path = _absolute(tool_input.get(tool.target), log) if tool.kind in PATH_KINDS else ""
    hashed = fingerprint.of(block.name.encode() + bytes(block.input))
    call = ToolCall(log.turns, tool.kind, hashed, path, log.prompts, revisions=log.revisions)
    if tool.kind == "read":
        call.kind = "part" if any(tool_input.get(name) for name in ("offset", "limit", "pages")) else "read"
        call.first, call.last = _lines(tool_input)
    elif tool.kind == "command" and isinstance(command := tool_input.get(tool.target), str):
        _add_command(call, command, log)
    elif tool.kind == "edit":
        call.removed, call.added = _changed(tool_input)
    return call


def state_of(kind: Kind, content: bytes, *, is_error: bool) -> int:
    """The outcome of a call, DONE, FAILED or REFUSED, by its result's `content` in the transcript."""
    has_run = _EXIT_CODE.match(content) is not None  # its output may hold the same words as the client's
    if is_error and not has_run and _REFUSED.search(content, 0, RESULT_HEAD):
        return REFUSED
    return FAILED if is_error or (kind == "command" and has_run) else DONE


def add_result(call: ToolCall, content: bytes, state: int, log: ToolCallLog) -> None:
    """Add a result to `call`; `content` is the result's in the transcript."""
    call.state = state
    call.tokens = result_bytes(content) // BYTES_PER_TOKEN
    if state == FAILED:
        call.outcome = fingerprint.of_error(content)
    elif call.is_read:
        call.outcome = _outcome_of_read(log, call, content)
    elif call.kind == "search":
        call.outcome = fingerprint.of(content)


def _outcome_of_read(log: ToolCallLog, call: ToolCall, content: bytes) -> int:
    """A hash of what was read; the earlier read's if the client only refers to that."""
    if any(words in content[:RESULT_HEAD] for words in _UNCHANGED):
        reads = (read for read in reversed(log.calls) if read.is_read and read is not call)
        return next((read.outcome for read in reads if read.fingerprint == call.fingerprint), 0)
    return fingerprint.of(content)


def _absolute(path: Any, log: ToolCallLog) -> str:
    if not isinstance(path, str) or not path:
        return ""
    return session_paths.absolute(plain(path, LONGEST_PATH), log.directory)


def _lines(tool_input: dict[str, Any]) -> tuple[int, int]:
    offset, limit = count(tool_input.get("offset", 1)), count(tool_input.get("limit", _LINES))
    if offset is None or limit is None or tool_input.get("pages"):
        return 0, 0
    first = max(1, offset)
    return first, first + limit - 1


def _add_command(call: ToolCall, command: str, log: ToolCallLog) -> None:
    """Add the command to `call`, and count git's revisions in it."""
    call.fingerprint = fingerprint.of_command(command)  # the description differs between calls
    if read_commands.is_read_only(command):
        call.fingerprint = fingerprint.of_command(read_commands.unsilenced(command))
        call.kind = "search"
    log.revisions += "git" in command and _REVISES.search(command) is not None


def _changed(tool_input: dict[str, Any]) -> tuple[list[int], list[int]]:
    edits = tool_input.get("edits") if isinstance(tool_input.get("edits"), list) else [tool_input]
    pairs = [(edit.get("old_string"), edit.get("new_string")) for edit in edits or [] if isinstance(edit, dict)]
    before = "\n".join(old for old, _ in pairs if isinstance(old, str))
    return fingerprint.change(before, "\n".join(new for _, new in pairs if isinstance(new, str)))
