"""The activity of an agent in a session: the files it read and edited, what failed, what is left to do.

Only the input of tools (paths, commands, tasks) is stored; of prompts and answers, only their positions.
"""

import msgspec

from monitor.activity.checks.failures import FailedAttempt, FailingCheck, Failure, add_newest, note
from monitor.activity.checks.results import CheckResult
from monitor.activity.checks.run import CheckRun
from monitor.activity.requests import DECISIONS, RequestKind
from monitor.activity.shell.commits import Commit, GitCommand
from monitor.activity.tool_calls import ToolCall, ToolCallLog
from shared.client.tools import EDIT_KINDS, READ_KINDS, Kind

_MOST_FILES, _MOST_CHECKS, _MOST_TASKS, MOST_PENDING, MOST_BACKGROUND = 300, 60, 60, 400, 20
MOST_REMARKS, MOST_INSTRUCTIONS = 80, 2
_FIRST_REQUESTS, _NEWEST_REQUESTS, _MOST_DECISIONS = 8, 56, 24


class Task(msgspec.Struct, frozen=True):
    """One entry of the agent's task list."""

    text: str
    state: str = "pending"

    @property
    def is_open(self) -> bool:
        return self.state not in {"completed", "deleted"}


class LinePosition(msgspec.Struct, frozen=True):
    offset: int
    """Bytes before the line."""
    line: int
    """The line's number, from 1."""


class RequestPosition(LinePosition, frozen=True):
    """The position of something that the person asked for or decided."""

    kind: RequestKind = "prompt"
    digest: int = 0
    """A hash of its words."""
    about: str = ""
    """What was refused: the path, or the command without its secrets."""
    parent: str = ""
    """The id of a prompt's parent line, or "root"; empty for a line outside the tree."""


class PendingCall(msgspec.Struct, frozen=True, array_like=True):
    """A tool call without a result yet."""

    number: int
    """The call's number in the log; -1 for a command that the person runs."""
    kind: Kind
    """The tool's kind: "command" also for a command that the log has as a search."""
    target: str
    """The path, the command without its secrets, the new task's text, or the tool's name."""
    checks: tuple[CheckRun, ...] = ()
    is_alone: bool = True
    """Whether nothing else in the command can fail."""
    task: str = ""
    """The id of a background task that the call reads."""
    git: GitCommand | None = None
    """What the call does to the repository's history, if anything."""
    writes: tuple[str, ...] = ()


class LastRun(msgspec.Struct, frozen=True, array_like=True):
    """The last run of a command that tests, builds or checks."""

    edits: int
    """Edits that the session had made by then."""
    has_passed: bool = True
    subagents: int = 0
    """The activity's count of subagents by then."""


class Activity(msgspec.Struct):
    """An agent's activity in the part of a session's transcript read so far. Each table ends with the newest entry."""

    transcript: str = ""
    offset: int = 0
    """Bytes read so far, in whole lines."""
    lines: int = 0
    edited: dict[str, int] = {}
    """Edits by file."""
    read: dict[str, int] = {}
    edits: int = 0
    """Edits of all files."""
    subagents: int = 0
    """Starts and ends of subagents, whose edits and runs are in transcripts of their own."""
    failing: dict[str, FailingCheck] = {}
    attempts: dict[str, FailedAttempt] = {}
    """Failed commands, by their text."""
    background: dict[str, PendingCall] = {}
    """Background commands with checks or commits, by the client's task id."""
    checks: dict[str, LastRun] = {}
    """The last run of every command that tests, builds or checks, whether it passed or failed."""
    commits: list[Commit] = []
    tasks: dict[str, Task] = {}
    """Tasks by the client's number; a list written as a whole is numbered from 1."""
    requests: list[RequestPosition] = []
    """The person's first and newest requests."""
    request_count: int = 0
    decisions: list[RequestPosition] = []
    """The person's newest decisions: answers, refusals, approved plans."""
    instructions: list[LinePosition] = []
    """The newest instructions of a command or a skill to the agent."""
    remarks: list[LinePosition] = []
    """The newest lines with text by the agent."""
    answer_calls: int = 0
    """Tool calls before the newest remark."""
    finished: LinePosition | None = None
    """The newest remark that ended the agent's turn."""
    summary: LinePosition | None = None
    """The newest summary by the client."""
    compacted_at: str = ""
    """The time of the newest compaction, ISO 8601."""
    pending: dict[str, PendingCall] = {}
    """Pending calls by tool use id."""
    log: ToolCallLog = msgspec.field(default_factory=ToolCallLog)
    """Every tool call since the last compaction, for the patterns of a degrading session (monitor.pivot)."""

    @property
    def open_tasks(self) -> list[Task]:
        return sorted((task for task in self.tasks.values() if task.is_open), key=lambda t: t.state != "in_progress")

    @property
    def waiting(self) -> list[ToolCall]:
        calls = (self.log.numbered(call.number) for call in self.pending.values())
        return [call for call in calls if call is not None]

    def add_call(self, tool_use_id: str, call: ToolCall, pending: PendingCall) -> None:
        """Log a tool call and count it; `pending` awaits its result and is given the call's number."""
        number = self.log.add(call)
        if tool_use_id:
            add_newest(self.pending, tool_use_id, msgspec.structs.replace(pending, number=number), MOST_PENDING)
        self.add_file(pending.kind, pending.target)

    def add_file(self, kind: Kind, path: str) -> None:
        counts = self._counts(kind)
        if counts is None or not path:
            return
        counts[path] = counts.pop(path, 0) + 1
        while len(counts) > _MOST_FILES:  # the oldest of the least used is removed
            del counts[min(counts, key=lambda name: counts[name])]
        self.edits += kind in EDIT_KINDS

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The checks that failed in their last run, the newest first."""
        newest_first = reversed(self.failing.values())
        return tuple(
            msgspec.structs.replace(
                one.failure, edits_since=self.edits - one.edits, has_delegated=self.subagents > one.subagents
            )
            for one in newest_first
        )

    def fail(self, call: PendingCall) -> None:
        """Note that a call failed or was refused: its file was neither read nor edited."""
        counts = self._counts(call.kind)
        if counts is not None and call.target:
            counts[call.target] = counts.get(call.target, 1) - 1
            self.edits -= call.kind in EDIT_KINDS
            if counts[call.target] <= 0:
                del counts[call.target]

    def add_result(self, result: CheckResult, position: LinePosition, tool_use_id: str = "") -> None:
        for run in (*result.failed, *result.passed):
            if not run.is_changing:
                last = LastRun(self.edits, run not in result.failed, self.subagents)
                add_newest(self.checks, run.command, last, _MOST_CHECKS)
        note(self.failing, result, Failure("", position.line, position.offset, tool_use_id), self.edits, self.subagents)

    def add_task(self, text: str, number: str | None) -> None:
        """Add a task; `number` is the client's, if it has one."""
        self.tasks[number or f"new {len(self.tasks) + 1}"] = Task(text)
        self._forget_tasks()

    def change_task(self, number: str, text: str, state: str) -> None:
        """Change a task's text or state, whichever is given, or remove the task."""
        task = self.tasks.get(number, Task(f"task {number}"))
        if state == "deleted":
            self.tasks.pop(number, None)
        else:
            self.tasks[number] = Task(text or task.text, state or task.state)
            self._forget_tasks()

    def replace_tasks(self, tasks: list[Task]) -> None:
        self.tasks = {str(number): task for number, task in enumerate(tasks[:_MOST_TASKS], 1)}

    @property
    def answer(self) -> LinePosition | None:
        """The newest line in which the agent wrote text."""
        return self.remarks[-1] if self.remarks else None

    @property
    def finished_answer(self) -> LinePosition | None:
        """The last answer that ended the agent's turn, which some clients don't note."""
        is_last = self.remarks and self.answer_calls == self.log.call_count
        return self.answer if is_last else self.finished

    @property
    def has_newer(self) -> bool:
        """Whether a request or a tool call follows the agent's last remark."""
        end = self.answer.offset if self.answer else -1
        return self.answer_calls != self.log.call_count or any(request.offset > end for request in self.requests)

    def add_request(self, request: RequestPosition) -> None:
        """Add a request or decision; a queued prompt that is then passed to the agent is one request."""
        if request.kind in DECISIONS:
            self.log.prompts += 1
            self.decisions = [*self.decisions, request][-_MOST_DECISIONS:]
            if request.kind != "refusal":
                self.finished = None  # the decision settles what the agent had answered or asked
            return
        for number, queued in enumerate(self.requests):
            if queued.kind == "queued" and queued.digest == request.digest:  # its place is where the agent got it
                kind: RequestKind = "prompt" if request.kind == "queued" else request.kind
                self.requests[number] = msgspec.structs.replace(request, kind=kind)
                return
        if request.kind != "queued":
            self.finished = self.finished_answer
        self.log.prompts += 1
        self.request_count += 1
        first, newest = self.requests[:_FIRST_REQUESTS], self.requests[_FIRST_REQUESTS:]
        self.requests = [*first, *[*newest, request][-_NEWEST_REQUESTS:]]

    def retract(self, digest: int) -> None:
        """Remove a queued prompt that is no request after all."""
        for request in reversed(self.requests):
            if request.kind == "queued" and request.digest == digest:
                self.requests.remove(request)
                self.request_count -= 1
                return

    def _counts(self, kind: Kind) -> dict[str, int] | None:
        return self.edited if kind in EDIT_KINDS else self.read if kind in READ_KINDS else None

    def _forget_tasks(self) -> None:
        """Keep the list bounded; completed tasks are removed first."""
        while len(self.tasks) > _MOST_TASKS:
            closed = (number for number, task in self.tasks.items() if not task.is_open)
            del self.tasks[next(closed, next(iter(self.tasks)))]
