"""A tool call and its result as the log keeps them. Every text of theirs ends here: only hashes go on."""

import os
import re
from typing import Any

from monitor.activity import fingerprint
from monitor.activity.tool_calls import DONE, FAILED, LONGEST_PATH, REFUSED, ToolCall, ToolCallLog
from monitor.activity.tools import PATH_KINDS, ClientTool, Kind
from shared.forecast import BYTES_PER_TOKEN
from shared.plain import plain
from shared.transcript_line import ContentBlock

IMAGE_TOKENS = 1_600
"""The most that an image takes, however many bytes it is written in."""
RESULT_HEAD = 400
"""Bytes of a result in which the client's own words stand."""
_EXIT_CODE = re.compile(rb'"Exit code [1-9]')
"""How the client begins what a failing command gave back."""
_REFUSED = re.compile(rb"doesn't want to|requested permissions|Permission to use|requires approval|was rejected")
"""Words of the client's for a call that never ran."""
_UNCHANGED = (b"unchanged since", b"Wasted call")
"""Words of the client's for a read that it answers by pointing at an earlier one."""


def tool_call_of(tool: ClientTool, block: ContentBlock, given: dict[str, Any], log: ToolCallLog, line: int) -> ToolCall:
    """The call of `tool` with `given` that `block` is, in the transcript's `line`."""
    path = _absolute(given.get(tool.subject), log.directory) if tool.kind in PATH_KINDS else ""
    hashed = fingerprint.of(block.name.encode() + bytes(block.input))
    call = ToolCall(log.turns, line, tool.kind, hashed, path, log.prompts)
    if tool.kind == "read":
        call.kind = "part" if given.get("offset") or given.get("limit") or given.get("pages") else "read"
    elif tool.kind == "search" and path and not os.path.splitext(path)[1]:
        call.path = os.path.join(path, "*")  # a search in a directory is in that place, and not beside it
    elif tool.kind == "command" and isinstance(command := given.get(tool.subject), str):
        call.fingerprint = fingerprint.of_command(command)  # its description changes from call to call
    elif tool.kind == "edit":
        call.removed, call.added = _changed(given)
    elif tool.kind == "write" and isinstance(given.get("content"), str):
        call.discards = _discarded(log, path, fingerprint.of_lines(given["content"]))
    return call


def state_of(kind: Kind, content: bytes, *, is_error: bool) -> int:
    """What became of a call, DONE, FAILED or REFUSED, by its result's `content` as it stands in the transcript."""
    if is_error and _REFUSED.search(content, 0, RESULT_HEAD):
        return REFUSED
    return FAILED if is_error or (kind == "command" and _EXIT_CODE.match(content)) else DONE


def add_result(call: ToolCall, content: bytes, state: int, log: ToolCallLog) -> None:
    """Add to `call` what its result says; `content` as it stands in the transcript."""
    call.state = state
    is_image = b'"image"' in content[:RESULT_HEAD]
    call.tokens = IMAGE_TOKENS if is_image else len(content) // BYTES_PER_TOKEN
    if state == FAILED:
        call.outcome = fingerprint.of_error(content)
    elif call.is_read:
        call.outcome = _outcome_of_read(log, call, content)


def _outcome_of_read(log: ToolCallLog, call: ToolCall, content: bytes) -> int:
    """A hash of what was read; that of the read before it where the client only points at that one."""
    if any(words in content[:RESULT_HEAD] for words in _UNCHANGED):
        same = (one for one in reversed(log.calls) if one.is_read and one.fingerprint == call.fingerprint)
        return next((one.outcome for one in same if one is not call), 0)
    return fingerprint.of(content)


def _absolute(path: Any, directory: str) -> str:
    if not isinstance(path, str) or not path:
        return ""
    return os.path.normpath(os.path.join(directory, plain(path, LONGEST_PATH)))


def _changed(given: dict[str, Any]) -> tuple[list[int], list[int]]:
    edits = given.get("edits") if isinstance(given.get("edits"), list) else [given]
    pairs = [(edit.get("old_string"), edit.get("new_string")) for edit in edits or [] if isinstance(edit, dict)]
    before = "\n".join(old for old, _ in pairs if isinstance(old, str))
    after = "\n".join(new for _, new in pairs if isinstance(new, str))
    return fingerprint.change(before, after)


def _discarded(log: ToolCallLog, path: str, kept: set[int]) -> int:
    """The turn of the newest edit since `path` was last written as a whole of which `kept` holds nothing."""
    for call in reversed(log.calls):
        if call.path == path and call.kind == "write" and call.is_done:
            return 0
        if call.path == path and call.kind == "edit" and call.is_edit and call.added and not kept & set(call.added):
            return call.turn
    return 0
