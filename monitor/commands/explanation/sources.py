"""What each source of a measurement says, in words: the bridge, the transcript, the gate."""

import os

from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.measuring.measurement import Measurement
from monitor.session import Conversation
from monitor.warnings import gate
from shared import bridge
from shared.bridge import FRESH_SECONDS
from shared.config import Config
from shared.duration import duration_text
from shared.reading import percent_text
from shared.timestamp import epoch_of
from shared.transcript import Tail


def bridge_text(
    place: Surroundings, config: Config, conversation: Conversation, tail: Tail | None, found: Measurement | None
) -> str:
    """The bridge's value, its age, and why the monitor believes it or not."""
    path = bridge.path_of(place.root, conversation.session_id, config.bridge.directory)
    if path is None or not os.path.exists(path):
        return "none: no status line was drawn (headless runs draw none)"
    seen = bridge.read(path, conversation.session_id)
    if seen is None:
        return f"unreadable, or another session's: {path}"
    value = f"{percent_text(seen.remaining_percentage)} % remaining"
    if seen.tokens is not None and seen.context_window_size is not None:
        value += f", {seen.tokens:,} of {seen.context_window_size:,} tokens"
    age = place.now - seen.timestamp
    when = f"sampled {duration_text(age)} ago" if age >= 0 else f"stamped {duration_text(-age)} ahead of the clock"
    if found is not None and found.reading.source == "bridge":
        return f"{value}, {when}: fresh"
    return f"{value}, {when}: stale, because {_staleness(seen, age, tail)}"


def _staleness(seen: bridge.Bridge, age: float, tail: Tail | None) -> str:
    if abs(age) > FRESH_SECONDS:
        return f"a sample counts for {FRESH_SECONDS} s"
    size = tail.size if tail else -1
    if seen.transcript_size is not None and size > seen.transcript_size:
        return f"the transcript has grown by {size - seen.transcript_size:,} bytes since"
    return "the transcript holds something newer"


def transcript_text(path: str, tail: Tail | None, now: float) -> str:
    """What the transcript's end says."""
    if not path:
        return "none is known"
    if tail is None:
        return f"missing or unreadable: {path}"
    said = []
    if tail.answers:
        newest = tail.answers[0]
        said.append(f"{newest.usage.tokens:,} tokens in the newest answer{_ago(newest.timestamp, now)}")
        said.append(newest.model)
    else:
        said.append("no answer yet" + (" since the compaction" if tail.compaction else ""))
    if tail.compaction:
        seen = tail.compaction
        sizes = " → ".join(f"{tokens:,}" for tokens in (seen.before, seen.after) if tokens is not None)
        trigger = {"auto": "by itself", "manual": "by hand"}.get(seen.trigger, "")
        said.append(" ".join(["compacted", *filter(None, (trigger, sizes))]) + _ago(seen.timestamp, now))
    return "; ".join([*said, f"{tail.size:,} bytes"])


def gate_limit(root: str, conversation: str) -> int | None:
    """Tokens up to which the launcher stays silent; None without a gate."""
    found = gate.read(root, conversation)
    return found.limit if found else None


def gate_text(root: str, conversation: str) -> str:
    limit = gate_limit(root, conversation)
    if limit is None:
        return "none: the next tool use starts the monitor"
    return f"the launcher stays silent while {limit:,} tokens can't have been reached"


def _ago(stamp: str, now: float) -> str:
    at = epoch_of(stamp)
    return "" if at is None else f", {duration_text(now - at)} ago"
