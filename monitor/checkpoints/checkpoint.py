"""A checkpoint: everything that can be known about a session without a model, saved before its window is emptied."""

from typing import Any

import msgspec

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.activity.shell.commits import Commit
from monitor.checkpoints.words import SessionWords
from shared.files import lenient

SCHEMA = 4
"""The file's schema. Schema 1, which lacks this field, lists every failed command, and only prompts as words."""
BEFORE_COMPACTION = frozenset({"auto", "manual"})
"""The triggers of a checkpoint before a compaction."""


class ContextState(msgspec.Struct, frozen=True):
    """The reading."""

    fill_percentage: float | None = None
    """0 to 1; None if unknown."""
    input_tokens: int | None = None
    threshold_tier: str = "NORMAL"
    """The level's name."""
    context_window: int | None = None
    """Tokens."""
    context_window_source: str | None = None


class ClientProcess(msgspec.Struct, frozen=True):
    """The client's process, which shows whether a session is still alive."""

    pid: int
    started: float
    """Epoch seconds: process ids are reused."""


class SessionInfo(msgspec.Struct, frozen=True):
    project_id: str
    """The name of the project's directory."""
    branch: str | None
    working_directory: str
    session_id: str = ""
    trigger: str = ""
    """The reason for the checkpoint: auto or manual (a compaction), critical or exhausted (a level), compaction (a past
    one), export or spawn (a pivot)."""
    project_directory: str = ""
    """The real path, which identifies the project."""
    transcript_path: str = ""
    transcript_size: int = -1
    """Bytes; -1 if it couldn't be read."""
    head: str | None = None
    """The commit checked out."""
    operation: str = ""
    """The unfinished operation of git in the repository, such as a rebase."""
    client: ClientProcess | None = None


class FileUse(msgspec.Struct, frozen=True):
    path: str
    count: int


class Check(msgspec.Struct, frozen=True):
    """A command that tests, builds or checks."""

    command: str
    edits_since: int = 0
    """Edits that the session has made since its last run."""
    has_passed: bool = False
    """Whether its last run passed. A failed check isn't listed as failing if a wider one has failed since."""
    has_delegated: bool = False
    """Whether a subagent has worked since."""


class Checkpoint(msgspec.Struct, frozen=True):
    checkpoint_id: str
    """`cx-NNN`."""
    timestamp: str
    """ISO 8601."""
    compaction_sequence: int
    context_state: ContextState
    session_info: SessionInfo
    resumption_state: Any = None
    """The resumption section of ORCHESTRATION.yaml; the file's text if it can't be parsed."""
    orchestration_path: str | None = None
    files_edited: tuple[FileUse, ...] = ()
    """The most used first, as in `files_read`."""
    files_read: tuple[FileUse, ...] = ()
    dirty_files: tuple[str, ...] = ()
    """Entries of `git status`, relative to the repository's directory."""
    dirty_count: int = 0
    failing_commands: tuple[Failure, ...] = ()
    """The newest first."""
    todo: tuple[Task, ...] = ()
    """The open tasks, those in progress first."""
    words_path: str | None = None
    """The file in the person's own directory that holds the words; None with `checkpoint.include_prompts` off."""
    words: SessionWords | None = None
    """The content of that file, which is never part of the checkpoint's file."""
    compacted_at: str = ""
    """The time of the session's last compaction, ISO 8601; empty without one."""
    summary_path: str | None = None
    """The file in which the agent is asked to keep its state (`messages.summary_file`), if it exists."""
    done: tuple[Task, ...] = ()
    """The completed tasks, in the list's order."""
    checks: tuple[Check, ...] = ()
    """The most recently run first."""
    commits: tuple[Commit, ...] = ()
    """The session's own commits, the newest first."""
    words_digest: str = ""
    """A hash of the words, so that an older checkpoint is never shown with newer ones; empty if they aren't stored."""
    schema: int = 1
    """SCHEMA, of the version that wrote it."""

    @property
    def is_before_compaction(self) -> bool:
        return self.session_info.trigger in BEFORE_COMPACTION

    @property
    def documents(self) -> list[str]:
        """The files written to continue the work from."""
        return [path for path in (self.summary_path, self.orchestration_path) if path]


class _EarlierNames(msgspec.Struct):
    """Names of fields in schemas 1 and 2."""

    goal_path: str | None = None


def decode(document: bytes) -> Checkpoint | None:
    """The checkpoint in a file of any schema up to ours; None if the file isn't one."""
    checkpoint = lenient.decode_or(document, Checkpoint, None)
    if checkpoint is None or checkpoint.schema > SCHEMA:
        return None
    earlier = lenient.decode_or(document, _EarlierNames, _EarlierNames())
    return msgspec.structs.replace(checkpoint, words_path=checkpoint.words_path or earlier.goal_path)
