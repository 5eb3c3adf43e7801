"""A person's prompt, with the state of its session until now."""

import msgspec

from monitor.checkpoints.folder import StoredCheckpoint, folder_of, newest
from monitor.measuring.snapshot import Snapshot, snapshot_of, tail_of
from monitor.memory.memory import Memory, PromptMemory
from monitor.session import Conversation, Project, Session
from shared.client import client
from shared.files.lenient import epoch_of
from shared.gauge.verdict import Verdict
from shared.project_files import ACKNOWLEDGED
from shared.transcript import jsonl
from shared.transcript.line import line_in
from shared.transcript.tail import Tail

_ANSWER, _USER = b'"type":"assistant"', b'"type":"user"'


class Prompt(msgspec.Struct, frozen=True):
    conversation: Conversation
    session: Session
    project: Project | None
    tail: Tail
    snapshot: Snapshot | None
    """None if the usage of the window is unknown."""
    memory: PromptMemory | None
    """The memory of the last prompt; None in a session that we haven't been in before."""
    unacknowledged: tuple[StoredCheckpoint, ...] = ()
    """The session's own checkpoints without an alert yet, the newest first; after a lost alert, all of them."""
    is_last_lost: bool = False
    """Whether the last prompt, with our texts, never reached the agent: it was blocked or retracted."""

    @property
    def verdict(self) -> Verdict | None:
        return self.snapshot.verdict if self.snapshot else None

    @property
    def is_alert_lost(self) -> bool:
        return self.is_last_lost and self.memory is not None and self.memory.has_alert


def prompt_in(conversation: Conversation, session: Session, project: Project | None, memory: Memory) -> Prompt:
    """The prompt that is being submitted; what can't be read counts as missing."""
    snapshot = session.attempt(lambda: snapshot_of(conversation, session, is_at_prompt=True))
    tail = snapshot.tail if snapshot else tail_of(conversation, session)
    is_last_lost = session.attempt(_is_lost, conversation, memory.prompt) or False
    prompt = Prompt(conversation, session, project, tail, snapshot, memory.prompt, is_last_lost=is_last_lost)
    prompt = msgspec.structs.replace(prompt, unacknowledged=session.attempt(_unacknowledged, prompt) or ())
    return msgspec.structs.replace(prompt, snapshot=None) if session.attempt(_is_outdated, prompt, memory) else prompt


def _unacknowledged(prompt: Prompt) -> tuple[StoredCheckpoint, ...]:
    if prompt.project is None:
        return ()
    folder, session_id = folder_of(prompt.session, prompt.project), prompt.conversation.session_id
    stored = newest(folder, without="" if prompt.is_alert_lost else ACKNOWLEDGED)
    return tuple(item for item in stored if item.checkpoint.session_info.session_id == session_id)


def _is_lost(conversation: Conversation, last: PromptMemory | None) -> bool:
    """Whether the last prompt's message was lost: as no answer, error or Esc has followed, the prompt was dropped."""
    if last is None or not (last.has_alert or last.has_retraction):
        return False
    return not _has_line_after(conversation.transcript, last.size, (_ANSWER, client.INTERRUPTION.encode()))


def _is_outdated(prompt: Prompt, memory: Memory) -> bool:
    """Whether the reading is from before a compaction that is under way, or isn't in the transcript yet.

    A prompt typed while the client compacts reaches the agent afterwards.
    """
    tail, last = prompt.tail, prompt.memory
    if not tail.answers:
        return False
    if last is not None and last.is_compacted:
        return tail.answers[0].offset < memory.offset
    announced = prompt.unacknowledged[0].checkpoint if prompt.unacknowledged else None
    if announced is None or not announced.is_before_compaction:
        return False
    if prompt.snapshot and (epoch_of(announced.timestamp) or 0) + 1 <= prompt.snapshot.run.started_at:
        return False  # it ended with the client that had begun it
    return not _has_line_after(prompt.conversation.transcript, announced.session_info.transcript_size, (_ANSWER, _USER))


def _has_line_after(transcript: str, size: int, markers: tuple[bytes, ...]) -> bool:
    """Whether the conversation has a line with one of `markers` after the transcript's first `size` bytes."""
    for offset, data in jsonl.newest_first(transcript):
        if offset < size:
            return False
        line = line_in(data) if any(marker in data for marker in markers) else None
        if line is not None and not line.isSidechain:
            return True
    return True  # the file was replaced
