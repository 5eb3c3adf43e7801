"""Ready-made snapshots of conversations, for tests of the speakers."""

from typing import Any

from monitor.measuring.snapshot import Snapshot
from monitor.session import Conversation, Session
from shared.gauge.bridge import Bridge
from shared.gauge.levels import LevelRules, level_of
from shared.gauge.limit import Learned, Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource, remaining_percentage
from shared.settings.config import Config
from shared.transcript.records import Answer
from shared.transcript.tail import Tail, open_transcript

WINDOW = 200_000
COMPACTED, ENDING = Limit(167_000, "catalogue", is_compacted=True), Limit(177_000, "set", is_compacted=False)
NOW = 1_795_272_100.0


def tail_of(tokens: int, answer: str = "", *, offset: int = 500, compaction: Any = None) -> Tail:
    """A transcript's tail; `answer` is the id of the answer that called the current tool, if already written."""
    newest = Answer(answer or "msg_unknown", "claude-opus-4-6", tokens, 0, "", offset, ("toolu_1",))
    return Tail(offset + 400, offset + 400, (newest,), compaction, None, bool(answer))


def snapshot_at(
    tokens: int,
    *,
    answer: str = "",
    limit: Limit | None = COMPACTED,
    agent: str | None = None,
    config: Config | None = None,
    bridge: Bridge | None = None,
    project: str = "",
    transcript: str = "",
    root: str = "/nowhere",
    tail: Tail | None = None,
    **fields: Any,
) -> Snapshot:
    """A conversation at `tokens` tokens of 200,000, judged by the default levels."""
    source = fields.pop("window_source", WindowSource.REQUEST)
    reading = Reading(remaining_percentage(tokens, WINDOW), tokens, WINDOW, "transcript", source, NOW)
    level = level_of(reading, LevelRules(), limit.tokens if limit else None)
    verdict = Verdict(reading, level, limit, is_subagent=agent is not None)
    session = Session(root, config or Config(), fields.pop("environ", {}), NOW, project)
    conversation = Conversation("session-1", transcript, agent)
    tail, fields["transcript_file"] = tail or tail_of(tokens, answer), open_transcript(transcript)
    return Snapshot(conversation, session, verdict, tail, bridge, Learned(), **fields)
