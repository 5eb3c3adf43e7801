"""The sources of a measurement in words: the bridge, the transcript, the gate."""

import os

from commands.environment.environment import Environment
from monitor.measuring.snapshot import Snapshot
from monitor.session import Conversation
from shared import paths
from shared.files.lenient import epoch_of
from shared.gauge import bridge
from shared.gauge.bridge import FRESH_SECONDS
from shared.gauge.window import percent_text
from shared.settings.config import Config
from shared.text.quantities import duration_text
from shared.transcript.tail import Tail


def bridge_text(
    environment: Environment,
    config: Config,
    conversation: Conversation,
    tail: Tail | None,
    measurement: Snapshot | None,
) -> str:
    """The bridge's value, its age, and why the monitor believes it or not."""
    path = paths.bridge(environment.root, conversation.session_id, config.bridge.directory)
    if not os.path.exists(path):
        return "none: no status line was drawn (headless runs draw none)"
    record = bridge.read(path, conversation.session_id)
    if record is None:
        return f"unreadable, or another session's: {path}"
    value = f"{percent_text(record.remaining_percentage)} % remaining"
    if record.tokens is not None and record.context_window_size is not None:
        value += f", {record.tokens:,} of {record.context_window_size:,} tokens"
    age = environment.now - record.timestamp
    when = f"sampled {duration_text(age)} ago" if age >= 0 else f"stamped {duration_text(-age)} ahead of the clock"
    if measurement is not None and measurement.reading.source == "bridge":
        return f"{value}, {when}: fresh"
    return f"{value}, {when}: stale, because {_staleness(record, age, tail)}"


def _staleness(record: bridge.Bridge, age: float, tail: Tail | None) -> str:
    if abs(age) > FRESH_SECONDS:
        return f"a sample counts for {FRESH_SECONDS} s"
    size = tail.size if tail else -1
    if record.transcript_size is not None and size > record.transcript_size:
        return f"the transcript has grown by {size - record.transcript_size:,} bytes since"
    return "the transcript holds something newer"


def transcript_text(path: str, tail: Tail | None, now: float) -> str:
    """The end of the transcript: the newest answer, the newest compaction, the size."""
    if not path:
        return "none is known"
    if tail is None:
        return f"missing or unreadable: {path}"
    parts = []
    if tail.answers:
        newest = tail.answers[0]
        parts.append(f"{newest.tokens:,} tokens in the newest answer{_ago(newest.timestamp, now)}")
        parts.append(newest.model)
    else:
        parts.append("no answer yet" + (" since the compaction" if tail.compaction else ""))
    if tail.compaction:
        compaction = tail.compaction
        sizes = " → ".join(f"{tokens:,}" for tokens in (compaction.before, compaction.after) if tokens is not None)
        trigger = {"auto": "automatically", "manual": "by hand"}.get(compaction.trigger, "")
        parts.append(" ".join(["compacted", *filter(None, (trigger, sizes))]) + _ago(compaction.timestamp, now))
    return "; ".join([*parts, f"{tail.size:,} bytes"])


def _ago(stamp: str, now: float) -> str:
    at = epoch_of(stamp)
    return "" if at is None else f", {duration_text(now - at)} ago"
