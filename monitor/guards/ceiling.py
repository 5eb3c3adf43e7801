"""The ceiling guard: it keeps capabilities from being loaded speculatively into a window that is filling up.

It gates agents and skills, because room can be made without them; those that lead back under the ceiling always pass,
as does everything in a window that can't be measured.
"""

import msgspec

from monitor.hook import Reply, ToolInput
from monitor.measuring.snapshot import Snapshot, snapshot_of
from monitor.memory import memory as memories
from monitor.memory.reminder import has_risen_by
from monitor.session import Conversation, Session
from shared import paths
from shared.client import client
from shared.gauge import levels, window
from shared.gauge.window import Reading
from shared.settings.config import CEILING, Config, Window
from shared.text.plain import escaped, name_end

_WAYS_BACK = frozenset({
    "context-summarization", "context-loading-protocol", "continue", "review-summary", "session-review",
    "token-limit-pivot-orchestrator",
})  # fmt: skip
"""Skills that make room or hand on the work, and our own agent, which handles a session near its end."""
WINDOW, PERCENTAGE, SWITCH, STRICT = (
    "DEV_TEAM_CONTEXT_WINDOW",
    "DEV_TEAM_CONTEXT_CEILING_PCT",
    "DEV_TEAM_CONTEXT_CEILING",
    "DEV_TEAM_CONTEXT_STRICT",
)
"""Variables of an older guard that people may have set: they override our own settings."""
_POINTS = 5
"""Percent by which the window must have risen for another warning."""


def check(
    tool: str, arguments: ToolInput, conversation: Conversation, tool_use_id: str, session: Session
) -> Reply | None:
    """Return a warning or a block for a capability loaded at or above the ceiling; None lets it pass."""
    environ, settings, hooks = session.environ, session.config.ceiling, session.config.hooks
    names = _names(arguments)
    is_way_back = any(name.rpartition(":")[2].lstrip("/") in _WAYS_BACK for name in names)
    is_way_back = is_way_back or (tool != client.SKILL and _is_chunked(session, conversation.session_id))
    if environ.get(SWITCH, "").lower() == "off" or is_way_back:
        return None
    snapshot = _snapshot(conversation, tool_use_id, session)
    reading = snapshot.reading if snapshot else None
    if snapshot is None or reading is None or not reading.tokens or not reading.window:
        return None
    ceiling = ceiling_of(session, reading.window, snapshot.limit_tokens)
    used = reading.tokens * 100 // reading.window
    if used < ceiling:
        if memories.exists(session.root, conversation.id):
            with memories.locked(session.root, conversation.id) as lock:
                lock.memory.ceiling = None  # the next rise is reported again
        return None
    is_strict = environ.get(STRICT, "").lower() == "on" or settings.strict
    is_blocked = is_strict and reading.window_source.certainty == "known"
    text = warning(tool, escaped(name_end("".join(names[:1]), 80)), reading, ceiling, is_blocked=is_blocked)
    if is_blocked:
        return Reply(stderr=text, is_blocking=True)
    if not hooks.context_warnings:
        return None
    step = used // _POINTS * _POINTS
    with memories.locked(session.root, conversation.id) as lock:
        before, lock.memory.ceiling = lock.memory.ceiling, step  # also a lower one: the next rise is reported again
    notice = text if hooks.notices else ""
    return Reply(context=text, notice=notice, stderr=notice) if has_risen_by(step, before, _POINTS) else None


def _snapshot(conversation: Conversation, tool_use_id: str, session: Session) -> Snapshot | None:
    """The snapshot, with the window that the environment names; None while it may be from before a compaction."""
    size = _number(session.environ.get(WINDOW), window.LARGEST)
    config = msgspec.structs.replace(session.config, window=Window(size=size)) if size else session.config
    in_window = msgspec.structs.replace(session, config=config)
    snapshot = snapshot_of(conversation, in_window, tool_use_id, is_due=lambda _: True)
    if snapshot is None or snapshot.tail.holds_tool_use:
        return snapshot
    is_older = memories.read(session.root, conversation.id).is_newer_than(snapshot.tail, conversation.transcript)
    return None if is_older else snapshot


def warning(tool: str, name: str, reading: Reading, percentage: int, *, is_blocked: bool) -> str:
    facts = f"{reading.used}% of the context window is used (ceiling: {percentage}%). {f'{tool} {name}'.strip()}"
    if is_blocked:
        return f"{facts} is blocked: make room first, for example by /compact."
    advice = "its instructions enter this window, so summarise the work first, for example by /compact"
    if tool != client.SKILL:
        advice = "its result enters this window, so have it return a summary"
    return f"{facts} is allowed: {advice}."


def ceiling_of(session: Session, size: int | None, compaction_at: int | None) -> int:
    """The ceiling in percent, from the environment or the settings, as in percentage_in."""
    return _number(session.environ.get(PERCENTAGE), 100) or percentage_in(session.config, size, compaction_at)


def percentage_in(config: Config, size: int | None, compaction_at: int | None = None) -> int:
    """The ceiling in percent; by default that of WARNING in a large window, which is compacted at `compaction_at`."""
    if config.ceiling.percentage is not None:
        return config.ceiling.percentage
    if size is None or size <= levels.LARGE:
        return CEILING
    return max(CEILING, -(-100 * levels.begins_at(config.levels.warning, size, compaction_at) // size))


def _names(arguments: ToolInput) -> list[str]:
    """The names of what is loaded, with or without a plugin's prefix; the tool's own kind of name first."""
    values = (arguments.subagent_type, arguments.skill, arguments.name, arguments.command)
    return [name for value in values if (name := value.strip())]


def _is_chunked(session: Session, session_id: str) -> bool:
    """Whether the last pivot split the work into tasks for subagents: starting these is a way back."""
    last = memories.read(session.root, session_id).pivot_state.last_pivot if paths.is_id(session_id) else None
    return last is not None and last.strategy == "chunk"


def _number(text: str | None, most: int) -> int | None:
    """A whole number from 1 to `most`; None for anything else."""
    if not text or len(text) > 12 or not (text.isascii() and text.isdecimal()):
        return None
    return int(text) if 0 < int(text) <= most else None
