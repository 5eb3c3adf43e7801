"""What later sessions can use of what this one shows of the client: window sizes, and where it compacts by itself."""

import msgspec

from monitor.measuring.snapshot import Snapshot
from monitor.session import write_run
from shared.client import models
from shared.gauge import limit, window
from shared.gauge.limit import Learned, compaction_key, window_key, write_learned


def learn(snapshot: Snapshot) -> None:
    """Remember what a main conversation's snapshot adds to what was known. Raises OSError.

    Measuring itself writes nothing: a hook learns from what it has measured, a report does not.
    """
    if snapshot.conversation.is_subagent:
        return
    _remember_identity(snapshot)
    before = snapshot.learned
    points = {key: tokens for key, tokens in before.compactions.items() if not _is_refuted(snapshot, key, tokens)}
    observed = {key: min(tokens, points.get(key, tokens)) for key, tokens in _compaction(snapshot).items()}
    after = Learned({**before.windows, **_window(snapshot)}, {**points, **observed})
    if after != before:
        write_learned(snapshot.session.root, after)  # a level may begin earlier now: older gates open (launcher.sh)


def _remember_identity(snapshot: Snapshot) -> None:
    """Keep the name that the client gave its model in this run: it is given once, and a tail doesn't reach so far."""
    identity = snapshot.tail.identity if snapshot.tail else ""
    if identity and identity != snapshot.run.identity:
        run = msgspec.structs.replace(snapshot.run, identity=identity)
        write_run(snapshot.session.root, snapshot.conversation.session_id, run)


def _window(snapshot: Snapshot) -> dict[str, int]:
    """The client's own report of the window; its version is in the transcript, if that is of the same model."""
    bridge, tail = snapshot.bridge_of_run, snapshot.tail
    if bridge is None or bridge.window_source != window.BRIDGE or not bridge.model_id or not bridge.context_window_size:
        return {}
    if tail is None or not tail.answers or not models.is_same(tail.answers[0].model, bridge.model_id):
        return {}
    key = window_key(bridge.model_id, tail.answers[0].client, snapshot.session.environ)
    return {key: bridge.context_window_size}


def _compaction(snapshot: Snapshot) -> dict[str, int]:
    """Where an automatic compaction happened; one that the person asked for, or of an idle session, says nothing."""
    boundary, key = snapshot.tail.compaction if snapshot.tail else None, _key(snapshot)
    if boundary is None or not boundary.before or not key:
        return {}
    is_lesson = limit.teaches(boundary.trigger, boundary.timestamp, boundary.answered_at)
    return {key: boundary.before} if is_lesson else {}


def _is_refuted(snapshot: Snapshot, key: str, tokens: int) -> bool:
    """Whether this session has gone past the point at `tokens` without having been compacted."""
    tail = snapshot.tail
    return key == _key(snapshot) and tail is not None and tail.answers[0].tokens > tokens


def _key(snapshot: Snapshot) -> str:
    """Under what a compaction of this session is remembered; empty where that isn't known."""
    tail, size = snapshot.tail, snapshot.reading.window
    if tail is None or not tail.answers or size is None:
        return ""
    newest = tail.answers[0]
    return compaction_key(newest.model, newest.client, size, snapshot.session.environ)
