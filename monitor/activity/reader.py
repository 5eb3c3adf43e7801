"""The activity of a session, read from its transcript: each byte once, in flat memory."""

import io
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from monitor.activity import tool_call_of
from monitor.activity.activity import Activity, Call, Compacted, Place, Task
from monitor.activity.client_prompts import is_clients_own
from monitor.redaction import redacted, redacted_prose
from shared import files, lenient, paths
from shared.lines import LONGEST
from shared.plain import plain

CHUNK = 1 << 20
"""Bytes that are read at once; with the longest line they are all that is held."""
MOST = 256 << 20
"""Bytes that are looked into at a time; of what lies before them only the lines are counted. Takes 2 s or so, and
the client gives a hook 10."""
LONGEST_PATH, LONGEST_COMMAND, LONGEST_TASK = 1000, 300, 300
_STATE_LIMIT = 16 << 20
_READS = {"Read": "file_path", "NotebookRead": "notebook_path"}
_EDITS = {"Edit": "file_path", "Write": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
_COMMANDS = frozenset({"Bash", "PowerShell"})
_EXIT_CODE = re.compile(r"Exit code (\d{1,5})")
_REFUSED = ("doesn't want to", "requested permissions", "Permission to use", "requires approval", "was rejected")
"""Words of the client's for a call that never ran."""
_NUMBER = re.compile(r"#(\d{1,9})")
_TELLING = (b"tool_use", b"tool_result", b'"user"', b'"assistant"', b'"compact_boundary"')


class _Block(msgspec.Struct):
    type: str = ""
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")
    text: Any = None
    tool_use_id: str = ""
    is_error: bool | None = False
    content: msgspec.Raw = msgspec.Raw(b"null")


class _Message(msgspec.Struct):
    id: str | None = ""
    content: str | list[_Block] = ""


class _Metadata(msgspec.Struct):
    trigger: str = ""
    preTokens: int | None = None


class _Line(msgspec.Struct):
    type: str
    subtype: str = ""
    message: _Message | None = None
    timestamp: str = ""
    cwd: str | None = ""
    isMeta: bool | None = False
    isSidechain: bool | None = False
    isCompactSummary: bool | None = False
    compactMetadata: _Metadata | None = None
    toolUseResult: msgspec.Raw = msgspec.Raw(b"null")


class _NewTask(msgspec.Struct):
    id: Any = None


class _TaskResult(msgspec.Struct):
    task: _NewTask


def read(root: str, session_id: str, transcript: str) -> Activity:
    """The activity of a session up to the end of its transcript. Raises OSError when that cannot be read."""
    known = _known(root, session_id)
    with open(files.open_regular(transcript), "rb", buffering=0) as file:
        if known.transcript != transcript or not _continues(file, known.offset):
            known = Activity(transcript=transcript)
        before = known.offset
        _skim(file, known)
        for place, line in _lines(file, known):
            _take(known, place, line)
    if known.offset != before:
        files.write_atomic(paths.activity(root, session_id), msgspec.json.encode(known))
    return known


def _known(root: str, session_id: str) -> Activity:
    document = files.read_or_none(paths.activity(root, session_id), _STATE_LIMIT)
    try:
        return Activity() if document is None else msgspec.json.decode(document, type=Activity)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return Activity()


def _continues(file: io.FileIO, offset: int) -> bool:
    """Whether the file still is the one that was read up to `offset`: it is as long, and a line ends there."""
    if offset == 0:
        return True
    if not 0 < offset <= file.seek(0, 2):
        return False
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _skim(file: io.FileIO, activity: Activity) -> None:
    """Move `activity` on to the first line of the last MOST bytes."""
    end = file.seek(0, 2) - MOST
    file.seek(activity.offset)
    while activity.offset < end and (chunk := file.read(CHUNK)):
        whole = chunk.rfind(b"\n") + 1
        activity.lines += chunk.count(b"\n")
        activity.offset += whole or len(chunk)  # a line longer than a chunk is left within
        file.seek(activity.offset)


def _lines(file: io.FileIO, activity: Activity) -> Iterator[tuple[Place, bytes]]:
    """Each whole line from where `activity` stands, and moves it on; one that is too long is passed over."""
    file.seek(activity.offset)
    rest, passed = b"", 0
    while chunk := file.read(CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            start = activity.offset
            activity.offset += passed + len(line) + 1
            activity.lines += 1
            if not passed and len(line) <= LONGEST:
                yield Place(start, activity.lines), line
            passed = 0
        if len(rest) > LONGEST:
            rest, passed = b"", passed + len(rest)


def _take(activity: Activity, place: Place, line: bytes) -> None:
    """Add what one line tells. Decoding all of them would take three times as long."""
    if not any(word in line for word in _TELLING):
        return
    try:
        found = lenient.decode(line, _Line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return
    if found.isSidechain:
        return
    tool_call_of.hear(activity.history, len(line), found.timestamp, found.cwd or "")
    if found.subtype == "compact_boundary" and found.type == "system":
        metadata = found.compactMetadata or _Metadata()
        activity.compact(Compacted(found.timestamp, plain(metadata.trigger, 20), metadata.preTokens))
        activity.history.begin_anew()
    elif found.message is not None and found.type == "assistant":
        activity.history.answered(found.message.id or "")
        _take_calls(activity, found.message, place.line)
    elif found.message is not None and found.type == "user":
        _take_user(activity, found, found.message, msgspec.structs.replace(place, timestamp=found.timestamp))


def _take_calls(activity: Activity, message: _Message, line: int) -> None:
    for block in message.content if isinstance(message.content, list) else []:
        if block.type == "tool_use":
            _take_call(activity, block, line)


def _take_call(activity: Activity, block: _Block, line: int) -> None:
    try:
        given = msgspec.json.decode(block.input, type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return
    tool_call_of.call(activity.history, block.id, block.name, given, raw=bytes(block.input), line=line)
    if block.name in _READS or block.name in _EDITS:
        path = _text(given.get((_READS | _EDITS)[block.name]), LONGEST_PATH)
        if path:
            activity.call(block.id, Call("read" if block.name in _READS else "edit", path))
    elif block.name in _COMMANDS:
        command = _text(given.get("command"), LONGEST_COMMAND)
        if command:
            activity.call(block.id, Call("command", redacted(command)))
    elif block.name == "TodoWrite" and isinstance(given.get("todos"), list):
        activity.replace_tasks([task for item in given["todos"] if (task := _task(item))])
    elif block.name == "TaskCreate":
        activity.call(block.id, Call("task", _task_text(given.get("subject"))))
    elif block.name == "TaskUpdate":
        subject, state = _task_text(given.get("subject")), _text(given.get("status"), 20)
        activity.update(_text(str(given.get("taskId", "")), 20), subject or None, state or None)


def _task(item: Any) -> Task | None:
    if not isinstance(item, dict):
        return None
    text = _task_text(item.get("content"))
    return Task(text, _text(item.get("status"), 20) or "pending") if text else None


def _task_text(value: Any) -> str:
    return redacted_prose(_text(value, LONGEST_TASK))


def _take_user(activity: Activity, line: _Line, message: _Message, place: Place) -> None:
    blocks = message.content if isinstance(message.content, list) else []
    results = [block for block in blocks if block.type == "tool_result"]
    for block in results:
        _take_outcome(activity, block)
        call = activity.pending.pop(block.tool_use_id, None)
        if call is not None:
            _take_result(activity, call, block, line, place.line)
    if line.isCompactSummary:
        activity.history.begin_anew()  # clients that write no boundary write this
    if results or line.isMeta or line.isCompactSummary:
        return
    prompt = _said(message)
    if prompt.strip() and not is_clients_own(prompt):
        activity.prompt(place)
        activity.history.prompts += 1


def _take_outcome(activity: Activity, block: _Block) -> None:
    content = bytes(block.content)
    said = content[:400].decode("utf-8", "replace")
    is_refused = bool(block.is_error) and any(words in said for words in _REFUSED)
    tool_call_of.result(
        activity.history, block.tool_use_id, content, is_error=bool(block.is_error), is_refused=is_refused
    )


def _said(message: _Message) -> str:
    if isinstance(message.content, str):
        return message.content
    return "\n".join(block.text for block in message.content if isinstance(block.text, str))


def prompt_in(line: bytes) -> str:
    """The text of a prompt's line; empty when it is none."""
    try:
        message = lenient.decode(line, _Line).message
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    return _said(message) if message else ""


def _take_result(activity: Activity, call: Call, block: _Block, line: _Line, number: int) -> None:
    said = bytes(block.content)[:400].decode("utf-8", "replace")
    if block.is_error:
        code = _EXIT_CODE.search(said)
        if not (call.kind == "command" and any(words in said for words in _REFUSED)):
            activity.fail(call, number, int(code[1]) if code else None)
        return
    activity.succeed(call, _number(line, said) if call.kind == "task" else None)


def _number(line: _Line, said: str) -> str | None:
    """The number of a task that has just been made."""
    try:
        given = msgspec.json.decode(line.toolUseResult, type=_TaskResult).task.id
    except (msgspec.MsgspecError, UnicodeDecodeError):
        given = None
    found = _NUMBER.search(said)
    return str(given)[:20] if given is not None else found[1] if found else None


def _text(value: Any, longest: int) -> str:
    """A text from a tool call, on one line and bounded."""
    return plain(" ".join(value[: 2 * longest].split()), longest) if isinstance(value, str) else ""
