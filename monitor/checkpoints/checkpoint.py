"""A checkpoint: what can be known of a session without a model, written down before its window is emptied."""

from typing import Any

import msgspec

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.activity.shell.commits import Commit
from monitor.checkpoints.words import SessionWords
from shared.files import lenient

SCHEMA = 4
"""The file's schema. 1, which has no such field, lists any command that failed, and of words only prompts."""
BEFORE_COMPACTION = frozenset({"auto", "manual"})
"""What triggers a checkpoint that comes before a compaction."""


class ContextState(msgspec.Struct, frozen=True):
    """The reading."""

    fill_percentage: float | None = None
    """0 to 1; None when nothing was known."""
    input_tokens: int | None = None
    threshold_tier: str = "NORMAL"
    """The level, by its name."""
    context_window: int | None = None
    """Tokens."""
    context_window_source: str | None = None


class ClientProcess(msgspec.Struct, frozen=True):
    """The client's process, by which a session is known to be still alive."""

    pid: int
    started: float
    """Epoch seconds: a process id is given out again."""


class SessionInfo(msgspec.Struct, frozen=True):
    project_id: str
    """The name of the project's directory."""
    branch: str | None
    working_directory: str
    session_id: str = ""
    trigger: str = ""
    """What it was written for: auto or manual (a compaction), critical or exhausted (a level), compaction (one that
    has passed), export or spawn (a pivot)."""
    project_directory: str = ""
    """The real path, which is the project's identity."""
    transcript_path: str = ""
    transcript_size: int = -1
    """Bytes; -1 when it could not be read."""
    head: str | None = None
    """The commit that is checked out."""
    operation: str = ""
    """What git has begun in the repository and not finished, such as a rebase."""
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
    """Whether its last run passed. One that failed isn't listed as failing where a wider check has failed since."""
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
    """The resumption section of ORCHESTRATION.yaml; its text where it cannot be parsed."""
    orchestration_path: str | None = None
    files_edited: tuple[FileUse, ...] = ()
    """The most used first, as in `files_read`."""
    files_read: tuple[FileUse, ...] = ()
    dirty_files: tuple[str, ...] = ()
    """Paths as `git status` has them, from the repository's directory."""
    dirty_count: int = 0
    failing_commands: tuple[Failure, ...] = ()
    """The newest first."""
    todo: tuple[Task, ...] = ()
    """The open tasks, those in progress first."""
    words_path: str | None = None
    """The file in the person's own directory that holds the words; None with `checkpoint.include_prompts` off."""
    words: SessionWords | None = None
    """What that file holds: never a part of the checkpoint's own."""
    compacted_at: str = ""
    """When the session was last compacted, ISO 8601; empty if it never was."""
    summary_path: str | None = None
    """The file that the agent is asked to keep its state in (`messages.summary_file`), if it is there."""
    done: tuple[Task, ...] = ()
    """The tasks that are completed, in the list's order."""
    checks: tuple[Check, ...] = ()
    """The one run last first."""
    commits: tuple[Commit, ...] = ()
    """The session's own commits, the newest first."""
    words_digest: str = ""
    """A hash of the words, so that an older checkpoint is never shown with newer ones."""
    schema: int = 1
    """SCHEMA, of the version that wrote it."""

    @property
    def is_before_compaction(self) -> bool:
        return self.session_info.trigger in BEFORE_COMPACTION

    @property
    def documents(self) -> list[str]:
        """The files that were written to be gone on from."""
        return [path for path in (self.summary_path, self.orchestration_path) if path]


class _EarlierNames(msgspec.Struct):
    """What schemas 1 and 2 called otherwise."""

    goal_path: str | None = None


def decode(document: bytes) -> Checkpoint | None:
    """The checkpoint in a file of any schema up to ours; None where it is none."""
    checkpoint = lenient.decode_or(document, Checkpoint, None)
    if checkpoint is None or checkpoint.schema > SCHEMA:
        return None
    earlier = lenient.decode_or(document, _EarlierNames, _EarlierNames())
    return msgspec.structs.replace(checkpoint, words_path=checkpoint.words_path or earlier.goal_path)
