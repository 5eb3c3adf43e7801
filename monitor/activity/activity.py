"""What an agent has done in a session: the files it read and edited, what failed, what is left to do.

Of the conversation's text nothing is kept but what a tool was called with: paths, commands, tasks. Of prompts and
answers, only where they stand.
"""

import msgspec

from monitor.activity.command import bare, is_check
from monitor.activity.tool_calls import FAILED, ToolCall, ToolCallLog
from shared.tools import EDIT_KINDS, READ_KINDS, Kind

MOST_FILES, MOST_FAILING, MOST_CHECKS, MOST_TASKS, MOST_COMPACTIONS, MOST_PENDING = 300, 20, 60, 60, 20, 400
MOST_TASK_FILES = 30
FIRST_PROMPTS, NEWEST_PROMPTS = 4, 16


class Task(msgspec.Struct, frozen=True):
    """One entry of the agent's own list."""

    text: str
    state: str = "pending"

    @property
    def is_open(self) -> bool:
        return self.state not in {"completed", "deleted"}


class Place(msgspec.Struct, frozen=True):
    """Where a line stands in the transcript."""

    offset: int
    """Bytes before it."""
    line: int
    """Its number, from 1."""
    timestamp: str = ""
    """ISO 8601, as the client wrote it."""


class Failure(msgspec.Struct, frozen=True):
    """A command whose last run failed."""

    command: str
    line: int
    """Of the transcript, where the failure stands."""
    exit_code: int | None = None
    offset: int = -1
    """Bytes before that line; -1 where they are not known."""


class Compacted(msgspec.Struct, frozen=True):
    """One compaction of the session."""

    timestamp: str
    trigger: str
    before: int | None = None
    """Tokens before it."""


class PendingCall(msgspec.Struct, frozen=True, array_like=True):
    """A tool call whose result has not been seen yet."""

    number: int
    """In the log."""
    kind: Kind
    """The tool's: a command is one also where the log has a search."""
    subject: str
    """The path, the command without its secrets, or the new task's text; empty for a call without one."""


class Activity(msgspec.Struct):
    """Of one session, as far as its transcript has been read. In each table the newest stands last."""

    transcript: str = ""
    offset: int = 0
    """Bytes that have been read, whole lines."""
    lines: int = 0
    edited: dict[str, int] = {}
    """How often each file was edited."""
    read: dict[str, int] = {}
    failing: dict[str, Failure] = {}
    """By command."""
    checks: dict[str, int] = {}
    """How often each command that tests, builds or checks was run, whatever came of it; by the bare command."""
    tasks: dict[str, Task] = {}
    """By the client's number; a list written as a whole is numbered from 1."""
    edited_for: dict[str, dict[str, int]] = {}
    """How often each file was edited while a task was in progress, by the task's text."""
    prompts: list[Place] = []
    """The first and the newest ones that a person wrote."""
    answer: Place | None = None
    """The newest line in which the agent said something in words."""
    compactions: list[Compacted] = []
    pending: dict[str, PendingCall] = {}
    """By tool use id."""
    log: ToolCallLog = msgspec.field(default_factory=ToolCallLog)
    """Every tool call since the last compaction, for the patterns of a session that degrades (monitor.pivot)."""

    @property
    def open_tasks(self) -> list[Task]:
        """Those in progress first."""
        return sorted((task for task in self.tasks.values() if task.is_open), key=lambda t: t.state != "in_progress")

    @property
    def waiting(self) -> list[ToolCall]:
        """The calls in the log whose result has not been seen yet."""
        found = (self.log.numbered(call.number) for call in self.pending.values())
        return [call for call in found if call is not None]

    def add_call(self, tool_use_id: str, call: ToolCall, kind: Kind, subject: str) -> None:
        """Log a tool call and count it; `kind` and `subject` as a pending call has them."""
        number = self.log.add(call)
        if tool_use_id:
            self.pending[tool_use_id] = PendingCall(number, kind, subject)
            _drop_first(self.pending, MOST_PENDING)
        counts = self._counts(kind)
        if counts is not None and subject:
            counts[subject] = counts.pop(subject, 0) + 1
            _drop_least(counts, MOST_FILES)
        if call.kind in EDIT_KINDS and subject:
            self._count_for_tasks(subject)

    def fail(self, call: PendingCall, state: int, place: Place, exit_code: int | None) -> None:
        """Note that a call failed or was refused: a failed command is kept, a file was neither read nor edited."""
        counts = self._counts(call.kind)
        if counts is not None and call.subject:
            counts[call.subject] = counts.get(call.subject, 1) - 1
            if counts[call.subject] <= 0:
                del counts[call.subject]
        elif call.kind == "command" and call.subject and state == FAILED:
            self._count_check(call.subject)
            self.failing.pop(call.subject, None)
            self.failing[call.subject] = Failure(call.subject, place.line, exit_code, place.offset)
            _drop_first(self.failing, MOST_FAILING)

    def succeed(self, call: PendingCall, task: str | None) -> None:
        """Note that a call succeeded; `task` is the number that the client gave to a new task."""
        if call.kind == "command":
            self._count_check(call.subject)
            self.failing.pop(call.subject, None)
        elif call.kind == "new_task":
            self.tasks[task or f"new {len(self.tasks) + 1}"] = Task(call.subject)
            self._forget_tasks()

    def change_task(self, number: str, text: str | None, state: str | None) -> None:
        """Change one task of the list, or remove it."""
        known = self.tasks.get(number, Task(f"task {number}"))
        if state == "deleted":
            self.tasks.pop(number, None)
            return
        self.tasks[number] = Task(text or known.text, state or known.state)
        self._forget_tasks()

    def replace_tasks(self, tasks: list[Task]) -> None:
        self.tasks = {str(number): task for number, task in enumerate(tasks[:MOST_TASKS], 1)}

    def add_prompt(self, place: Place) -> None:
        self.log.prompts += 1
        first, newest = self.prompts[:FIRST_PROMPTS], self.prompts[FIRST_PROMPTS:]
        self.prompts = [*first, *[*newest, place][-NEWEST_PROMPTS:]]

    def add_compaction(self, compaction: Compacted) -> None:
        self.log.reset()
        self.compactions = [*self.compactions, compaction][-MOST_COMPACTIONS:]

    def _count_for_tasks(self, path: str) -> None:
        for task in self.tasks.values():
            if task.state == "in_progress":
                files = self.edited_for.setdefault(task.text, {})
                files[path] = files.pop(path, 0) + 1
                _drop_least(files, MOST_TASK_FILES)
        while len(self.edited_for) > MOST_TASKS:
            del self.edited_for[next(iter(self.edited_for))]

    def _count_check(self, command: str) -> None:
        check = bare(command)
        if is_check(check):
            self.checks[check] = self.checks.pop(check, 0) + 1
            _drop_least(self.checks, MOST_CHECKS)

    def _counts(self, kind: Kind) -> dict[str, int] | None:
        return self.edited if kind in EDIT_KINDS else self.read if kind in READ_KINDS else None

    def _forget_tasks(self) -> None:
        """Keep the list bounded; what is done goes first."""
        while len(self.tasks) > MOST_TASKS:
            done = (number for number, task in self.tasks.items() if not task.is_open)
            del self.tasks[next(done, next(iter(self.tasks)))]


def _drop_first(table: dict[str, PendingCall] | dict[str, Failure], most: int) -> None:
    while len(table) > most:
        del table[next(iter(table))]


def _drop_least(counts: dict[str, int], most: int) -> None:
    """Of what is least used, that which has gone unused the longest."""
    while len(counts) > most:
        del counts[min(counts, key=lambda name: counts[name])]
