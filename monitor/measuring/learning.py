"""Learn about the client for later sessions: the sizes of windows, and where it compacts by itself."""

import msgspec

from monitor.measuring.snapshot import Snapshot
from shared import paths
from shared.client import models
from shared.client.client_settings import write_run
from shared.gauge import limit
from shared.gauge.limit import Learned, compaction_key, window_key, write_learned
from shared.gauge.window import WindowSource


def learn(snapshot: Snapshot) -> None:
    """Save what a main conversation's snapshot adds; measuring itself writes nothing. Raises OSError."""
    conversation, root, run, before = snapshot.conversation, snapshot.session.root, snapshot.run, snapshot.learned
    if conversation.is_subagent:
        return
    identity = snapshot.tail.identity  # stated once in a run, so a later tail lacks it
    if identity and identity != run.identity:
        write_run(paths.session_run(root, conversation.session_id), msgspec.structs.replace(run, identity=identity))
    compactions = dict(before.compactions)
    key, point = _compaction(snapshot)
    if key in compactions and any(answer.tokens > compactions[key] for answer in snapshot.tail.answers[1:2]):
        del compactions[key]  # this session has passed it without a compaction
    if point is not None:
        compactions[key] = min(point, compactions.get(key, point))
    after = Learned({**before.windows, **_window(snapshot)}, compactions)
    if after != before:
        write_learned(root, after)  # a level may begin earlier now: older gates open (launcher.sh)


def _window(snapshot: Snapshot) -> dict[str, int]:
    """The window's size as the client reports it; its version is the transcript's, if that is of the same model."""
    bridge, tail = snapshot.bridge_of_run, snapshot.tail
    if bridge is None or bridge.window_source != WindowSource.BRIDGE or not bridge.context_window_size:
        return {}
    if not bridge.model_id or not tail.answers or not models.is_same(tail.answers[0].model, bridge.model_id):
        return {}
    return {window_key(bridge.model_id, tail.client, snapshot.session.environ): bridge.context_window_size}


def _compaction(snapshot: Snapshot) -> tuple[str, int | None]:
    """The key of this session's compactions, or "", and the tokens at which the last one began, if it is a lesson."""
    tail, size, boundary = snapshot.tail, snapshot.reading.window, snapshot.tail.compaction
    if not tail.answers or size is None:
        return "", None
    key = compaction_key(tail.answers[0].model, tail.client, size, snapshot.session.environ)
    if boundary is None or not boundary.before:
        return key, None
    # A point that a setting names, perhaps a project's, says nothing about sessions without it. And a compaction that
    # fits a window of 200,000 may have been in one, if the client hasn't reported a larger one, or goes by the other
    # model's, as 2.1.197 does under `opusplan`.
    is_set = snapshot.verdict.limit is not None and snapshot.verdict.limit.certainty == "set"
    is_reported = snapshot.reading.window_source is WindowSource.BRIDGE
    is_doubtful = not is_reported or (models.version_of(tail.client) or ()) <= models.EARLIER_CLIENT
    is_other = boundary.before <= models.STANDARD < size and is_doubtful
    is_lesson = not (is_set or is_other) and limit.shows_limit(
        boundary.trigger, boundary.timestamp, boundary.answered_at
    )
    return key, boundary.before if is_lesson else None
