"""The making of a history from what a transcript's lines hold. Every text ends here: only hashes go on."""

import os
import re
from typing import Any

from monitor.activity import fingerprint
from monitor.activity.tool_calls import DONE, FAILED, REFUSED, History, Kind, Step
from shared.forecast import BYTES_PER_TOKEN
from shared.plain import plain

LONGEST_PATH = 1000
IMAGE_TOKENS = 1_600
"""The most that an image takes, however many bytes it is written in."""
_PATHS: dict[str, tuple[Kind, str]] = {
    "Read": ("read", "file_path"),
    "NotebookRead": ("read", "notebook_path"),
    "Edit": ("edit", "file_path"),
    "MultiEdit": ("edit", "file_path"),
    "NotebookEdit": ("edit", "notebook_path"),
    "Write": ("write", "file_path"),
    "Grep": ("look", "path"),
    "Glob": ("look", "path"),
    "LS": ("look", "path"),
}
_KINDS: dict[str, Kind] = {
    "Bash": "command",
    "PowerShell": "command",
    "WebFetch": "look",
    "WebSearch": "look",
    "Agent": "delegate",
    "Task": "delegate",
}
_FAILED = re.compile(rb'"Exit code [1-9]')
"""How the client begins what a failing command gave back."""
_UNCHANGED = (b"unchanged since", b"Wasted call")
"""Words of the client's for a read that it answers by pointing at an earlier one."""


def hear(history: History, size: int, timestamp: str, directory: str) -> None:
    """Take note of a line of `size` bytes, and of what stands in nearly every line."""
    history.heard += size
    history.started = history.started or plain(timestamp, 40)
    history.directory = history.directory or plain(directory, LONGEST_PATH)


def call(history: History, tool_use_id: str, name: str, given: dict[str, Any], *, raw: bytes, line: int) -> None:
    """Add a tool call; `raw` is `given` as it stands in the transcript, in `line`."""
    kind, key = _PATHS.get(name, (_KINDS.get(name, "other"), ""))
    path = _absolute(given.get(key), history.directory) if key else ""
    step = Step(history.turns, line, kind, fingerprint.of(name.encode() + raw), path, history.prompts)
    if kind == "read":
        step.kind = "part" if given.get("offset") or given.get("limit") or given.get("pages") else "read"
    elif kind == "look" and path and not os.path.splitext(path)[1]:
        step.path = os.path.join(path, "*")  # a search in a directory is in that place, and not beside it
    elif kind == "command" and isinstance(given.get("command"), str):
        step.call = fingerprint.of_command(given["command"])  # its description changes from call to call
    elif kind == "edit":
        step.removed, step.added = _changed(given)
    elif kind == "write" and isinstance(given.get("content"), str):
        step.discards = _discarded(history, path, fingerprint.of_lines(given["content"]))
    history.call(tool_use_id, step)


def result(history: History, tool_use_id: str, content: bytes, *, is_error: bool, is_refused: bool) -> None:
    """Add what became of a call; `content` as it stands in the transcript."""
    step = history.resulted(tool_use_id)
    if step is None:
        return
    is_failed = is_error or (step.kind == "command" and _FAILED.match(content) is not None)
    step.state = REFUSED if is_refused else FAILED if is_failed else DONE
    is_image = b'"image"' in content[:400]
    step.tokens = IMAGE_TOKENS if is_image else len(content) // BYTES_PER_TOKEN
    if step.state == FAILED:
        step.outcome = fingerprint.of_error(content)
    elif step.is_read:
        step.outcome = _outcome_of_read(history, step, content)


def _outcome_of_read(history: History, step: Step, content: bytes) -> int:
    """A hash of what was read; that of the read before it where the client only points at that one."""
    if any(words in content[:400] for words in _UNCHANGED):
        before = (s.outcome for s in reversed(history.steps) if s is not step and s.call == step.call and s.is_read)
        return next(before, 0)
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


def _discarded(history: History, path: str, kept: set[int]) -> int:
    """The turn of the newest edit since `path` was last written as a whole of which `kept` holds nothing."""
    for step in reversed(history.steps):
        if step.path == path and step.kind == "write" and step.is_done:
            return 0
        if step.path == path and step.kind == "edit" and step.is_edit and step.added and not kept & set(step.added):
            return step.turn
    return 0
