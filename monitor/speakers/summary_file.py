"""Whether what a message asked for is done, judged by the file that it named, before and after."""

import os
import stat

from monitor.measuring.snapshot import Snapshot
from monitor.memory.memory import SummaryFile
from shared.client import client
from shared.transcript.line import line_in

_MOST_BYTES = 8 << 20
"""Bytes of the transcript that are searched for the file's name."""
_REFUSED = ("rejected", "denied", "haven't granted", "plan mode")
"""The client's words in the result of a tool use that wasn't allowed to run (tests/client/test_refusals.py)."""
_WRITERS = frozenset({*client.WRITING_TOOLS, client.BASH, client.POWER_SHELL})


def current(snapshot: Snapshot) -> SummaryFile:
    """The file's state when a message names it; empty for a conversation whose messages name none."""
    session = snapshot.session
    if snapshot.conversation.is_subagent or not session.project:
        return SummaryFile()
    above, folder, within = snapshot.working_directory.removeprefix(session.project).partition(client.WORKTREES)
    directory = session.project + above + folder + within.partition(os.sep)[0] if folder else session.project
    path = os.path.join(directory, session.config.messages.summary_file)
    size, modified = _status(path)
    return SummaryFile(path, size, modified, snapshot.tail.size)


def is_settled(snapshot: Snapshot, before: SummaryFile) -> bool:
    """Whether nothing is left to repeat since `before` was noted: the file was written, or the write was refused.

    Without a compaction at the limit, another session's write doesn't count: nothing else carries the work over.
    """
    if not before.path:
        return False
    size, modified = _status(before.path)
    is_written = size > 0 and (size, modified) != (before.size, before.modified)
    if is_written and snapshot.verdict.continues:
        return True
    was_written, was_refused = _own_writes(snapshot, before)
    return was_refused or (is_written and was_written)


def _own_writes(snapshot: Snapshot, before: SummaryFile) -> tuple[bool, bool]:
    """Whether the conversation itself has written the file since `before`, and whether it was refused a write."""
    name = os.path.basename(before.path).encode()
    failed: dict[str, str] = {}
    was_written = was_refused = False
    for offset, data in snapshot.transcript_file.newest_first(_MOST_BYTES) if snapshot.transcript_file else ():
        if offset < before.since:
            break
        line = line_in(data) if b'"is_error":true' in data or name in data else None
        if line is None or line.message is None:
            continue
        failed |= {block.tool_use_id: block.result for block in line.message.blocks if block.is_error}
        for block in line.message.blocks:
            if block.type == "tool_use" and block.name in _WRITERS and name in bytes(block.input):
                problem = failed.get(block.id, "")
                was_written = was_written or block.id not in failed
                was_refused = was_refused or (
                    not problem.startswith(client.EXIT_CODE) and any(word in problem for word in _REFUSED)
                )
    return was_written, was_refused


def _status(path: str) -> tuple[int, int]:
    """Size in bytes and modification time in nanoseconds since the epoch; (-1, 0) if it isn't a regular file."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return -1, 0
    return (status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else (-1, 0)
