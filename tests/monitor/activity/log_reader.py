"""A session's log of tool calls, read as the hooks read it."""

from pathlib import Path

from benchmarks.sessions.writer import MadeUpSession
from monitor.activity import reader
from monitor.activity.tool_calls import ToolCallLog


class LogReader:
    """A reader of a growing transcript, which reads each time as a new process would."""

    session_id = "session"

    def __init__(self, root: Path, path: Path) -> None:
        self.root, self.path = root, path

    def log(self, session: MadeUpSession | None = None) -> ToolCallLog:
        """Write `session` to the file and return the file's log."""
        if session is not None:
            self.path.write_bytes(session.transcript)
        return reader.read(str(self.root), self.session_id, str(self.path)).log


def states(log: ToolCallLog) -> list[tuple[str, int]]:
    return [(call.kind, call.state) for call in log.calls]
