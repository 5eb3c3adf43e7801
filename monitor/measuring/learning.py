"""What a session shows of the client that later sessions can use: window sizes, and where it compacts by itself."""

import msgspec

from monitor.measuring import run as runs
from monitor.measuring.measurement import Measurement
from monitor.session import Conversation, Session
from shared import learned, limit, models, window
from shared.bridge import Bridge
from shared.learned import Learned
from shared.transcript import Tail


def learn(conversation: Conversation, session: Session, found: Measurement) -> None:
    """Remember what a measurement of `conversation` adds to what was known; a subagent's adds nothing. Raises OSError.

    Measuring itself writes nothing: a hook learns from what it has measured, a report does not.
    """
    if conversation.is_subagent:
        return
    _remember_identity(session, conversation.session_id, found)
    known, tail, size = found.known, found.tail, found.reading.window
    windows, compactions = _windows(session, found.bridge_of_run, tail), _compactions(session, tail, size)
    kept = {key: at for key, at in known.compactions.items() if not _is_refuted(key, at, session, tail, size)}
    new = Learned({**known.windows, **windows}, {**kept, **_smaller(compactions, kept)})
    if new != known:
        learned.write(session.root, new)  # a level may now begin earlier: older gates stand open (launcher.sh)


def _remember_identity(session: Session, session_id: str, found: Measurement) -> None:
    """Keep the name that the client gave its model in this run: it is given once, and a tail doesn't reach so far."""
    identity = found.tail.identity if found.tail else ""
    if identity and identity != found.run.identity:
        runs.write(session.root, session_id, msgspec.structs.replace(found.run, identity=identity))


def _windows(session: Session, bridge: Bridge | None, tail: Tail | None) -> dict[str, int]:
    """What the client said of the window; its version stands in the transcript, when that is of the same model."""
    if bridge is None or bridge.window_source != window.BRIDGE or not bridge.model_id or not bridge.context_window_size:
        return {}
    if tail is None or not tail.answers or not models.is_same(tail.answers[0].model, bridge.model_id):
        return {}
    key = learned.window_key(bridge.model_id, tail.answers[0].client, session.environ)
    return {key: bridge.context_window_size}


def _compactions(session: Session, tail: Tail | None, size: int | None) -> dict[str, int]:
    """Where an automatic compaction happened; one that the person asked for, or of an idle session, says nothing."""
    if tail is None or tail.compaction is None or not tail.answers or size is None:
        return {}
    seen, newest = tail.compaction, tail.answers[0]
    if not seen.before or not limit.teaches(seen.trigger, seen.timestamp, seen.answered_at):
        return {}
    return {learned.compaction_key(newest.model, newest.client, size, session.environ): seen.before}


def _is_refuted(key: str, at: int, session: Session, tail: Tail | None, size: int | None) -> bool:
    """Whether this session has gone past the point `at` without having been compacted."""
    if tail is None or not tail.answers or size is None:
        return False
    newest = tail.answers[0]
    own = learned.compaction_key(newest.model, newest.client, size, session.environ)
    return newest.usage.tokens > at and key == own


def _smaller(seen: dict[str, int], known: dict[str, int]) -> dict[str, int]:
    """The client compacts at or before each `preTokens`, so the smallest is the best estimate."""
    return {key: min(tokens, known.get(key, tokens)) for key, tokens in seen.items()}
