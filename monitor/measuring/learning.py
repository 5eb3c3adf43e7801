"""What a session shows of the client that later sessions can use: window sizes, and where it compacts by itself."""

from monitor.measuring.measurement import Measurement
from monitor.session import Conversation, Session
from shared import compaction, learned, window
from shared.bridge import Bridge
from shared.learned import Learned
from shared.transcript import Tail


def learn(conversation: Conversation, session: Session, found: Measurement) -> None:
    """Remember what a measurement of `conversation` adds to what was known; a subagent's adds nothing. Raises OSError.

    Measuring itself writes nothing: a hook learns from what it has measured, a report does not.
    """
    if conversation.is_subagent:
        return
    known, tail, size = found.known, found.tail, found.reading.window
    windows, compactions = _windows(found.bridge), _compactions(session, tail, size)
    kept = {key: at for key, at in known.compactions.items() if not _is_refuted(key, at, session, tail, size)}
    new = Learned({**known.windows, **windows}, {**kept, **_smaller(compactions, kept)})
    if new != known:
        learned.write(session.root, new)  # a level may now begin earlier: older gates stand open (launcher.sh)


def _windows(bridge: Bridge | None) -> dict[str, int]:
    if bridge is None or bridge.window_source != window.BRIDGE or not bridge.model_id or not bridge.context_window_size:
        return {}
    return {bridge.model_id: bridge.context_window_size}


def _compactions(session: Session, tail: Tail | None, size: int | None) -> dict[str, int]:
    """Where an automatic compaction happened; one that the person asked for says nothing."""
    if tail is None or tail.compaction is None or not tail.answers or size is None:
        return {}
    if tail.compaction.trigger != "auto" or not tail.compaction.before:
        return {}
    return {compaction.key(tail.answers[0].model, size, session.environ): tail.compaction.before}


def _is_refuted(key: str, at: int, session: Session, tail: Tail | None, size: int | None) -> bool:
    """Whether this session has gone past the point `at` without having been compacted."""
    if tail is None or not tail.answers or size is None:
        return False
    newest = tail.answers[0]
    return newest.usage.tokens > at and key == compaction.key(newest.model, size, session.environ)


def _smaller(seen: dict[str, int], known: dict[str, int]) -> dict[str, int]:
    """The client compacts at or before each `preTokens`, so the smallest is the best estimate."""
    return {key: min(tokens, known.get(key, tokens)) for key, tokens in seen.items()}
