"""The cost of each text in the agent's window at its longest, and the most that it may cost."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from docs import markdown
from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.activity.requests import UserRequest
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo
from monitor.checkpoints.compaction import CarriedOver
from monitor.checkpoints.texts.resumption import BRIEF_BUDGET as BRIEF
from monitor.checkpoints.texts.resumption import BUDGET as RESUMPTION
from monitor.checkpoints.texts.resumption import brief, resumption, unfinished
from monitor.checkpoints.words import SessionWords
from monitor.guards import ceiling
from monitor.guards.reading import reads
from monitor.hooks import subagent_start
from monitor.hooks.staleness import staleness
from monitor.pivot.messages import for_agent
from monitor.prompts.alert import BUDGET as ALERT
from monitor.prompts.alert import alert
from monitor.prompts.tag import prompt_tag, unreadable_tag
from monitor.session import Project
from monitor.speakers.level import context_warning, frame
from shared.gauge.levels import Level, Tier
from shared.gauge.limit import Limit
from shared.gauge.verdict import Verdict
from shared.gauge.window import Reading, WindowSource
from shared.gauge.wording import PADDED_REMINDER, RETRACTION
from shared.settings.config import Messages

_AGENT = "general-purpose-reviewer-of-database-migrations-and-their-rollback-plans-for-shop"
"""The longest name that is shown."""
TAG, CALM_TAG, PROMPT, WARNING, CRITICAL, GUARD, SENTENCE = 200, 75, 480, 160, 200, 200, 110
COMMAND = f"~/{'a' * 40}/tidegauge/bin/tidegauge resume 999"
"""The command that continues in a new session, if ours isn't on the PATH."""
LINE = 40
"""Tokens that a message may take in addition for each sentence that appears in it once."""
WORDS = (
    "packages/application-server/source/components/CheckoutSummaryView.test.tsx",
    "7f3a9c1e5b2d4f60-8a7b-4c3d-9e2f-1a0b3c5d7e9f.json",
    "src/\u8a2d\u5b9a/\u8aad\u307f\u8fbc\u307f\u9806\u5e8f\u306e\u30c6\u30b9\u30c8.py",
    "\u043d\u0430\u0441\u0442\u0440\u043e\u0439\u043a\u0438/\u043f\u043e\u0440\u044f\u0434\u043e\u043a_\u0447\u0442\u0435\u043d\u0438\u044f.py",
    "a<b>&'c'\"d\"{e}[f](g)*h?|i;j~k`l!m@n#o$p%q^r=s+t",
    "\U0001f680\U0001f9ea\U0001f4e6\U0001f525",
)
"""Words of paths and tasks that cost many tokens: each is tried for the whole of a checkpoint."""
_MANY = 80


class Text(NamedTuple):
    """One text, made of one kind of words."""

    name: str
    when: str
    budget: int
    """Tokens."""
    text: str


def longest() -> Iterator[Text]:
    """Every text that is put into a window, at its longest."""
    reading = Reading(0, 1_999_999, 2_000_000, "transcript", WindowSource.TOKENS, 0)
    limit = Limit(1_977_000, "assumed", is_compacted=False)
    for style in ("directive", "advisory"):
        settings = Messages(style=style, summary_file="documentation/state/PROJECT-SUMMARY.md")
        verdicts = [Verdict(reading, level, limit, 9_999) for level in Level]
        tags = [prompt_tag(one, tier, settings, COMMAND, is_saved=True) for one in verdicts for tier in Tier]
        for tag in (*tags, unreadable_tag()):
            yield Text("prompt tag", "a prompt from WARNING on", TAG, tag)
        for tier in Tier:
            calm = Verdict(Reading(36, 640_123, 1_000_000, "bridge", WindowSource.MODEL, 0), Level.NORMAL)
            yield Text(
                "prompt tag at NORMAL", "each prompt, where that is set", CALM_TAG, prompt_tag(calm, tier, settings)
            )
        for verdict in verdicts[1:]:
            for one in (verdict, msgspec.structs.replace(verdict, is_subagent=True)):
                reported = frame(context_warning(one, settings, command=COMMAND))
                budget = WARNING if verdict.level < Level.CRITICAL else CRITICAL
                yield Text(verdict.level.name, "a tool use at this level, by its cadence", budget, reported)
        for sentence in (RETRACTION, PADDED_REMINDER, for_agent("export the session: /token-status --pivot export")):
            yield Text("an extra sentence", "a message, once", LINE, sentence)
        failed = f"failed: Read-only file system: /{WORDS[0][:66]}"
        for sentence in (f"The session is being exported to {WORDS[0][:60]}.", f"The session's export {failed}."):
            saved = for_agent("", sentence)
            yield Text("an extra sentence", "a message, once", LINE, saved)
        for words in WORDS:
            yield from _of_a_checkpoint(words, max(tags, key=len))
    for is_blocked in (False, True):
        what = ceiling.warning("Agent", _AGENT, reading, 100, is_blocked=is_blocked)
        yield Text("ceiling guard", "loading an agent or a skill above the ceiling", GUARD, what)
    blocked = reads.block(WORDS[0], "node_modules/", ".tidegaugeignore", ".tidegaugeignore")
    yield Text("read guard", "a read that is kept out", GUARD, blocked)
    reported = subagent_start.budget(Verdict(reading, Level.EXHAUSTED, limit))
    yield Text("subagent budget", "a subagent's start, its caller at a level", SENTENCE, reported)
    moment = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
    yield Text("staleness", "a write of ORCHESTRATION.yaml", SENTENCE, staleness(moment, moment, "cx-999"))


def _of_a_checkpoint(words: str, tag: str) -> Iterator[Text]:
    project = Project("/home/dev/shop", "/home/dev/shop")
    checkpoint = _checkpoint(words)
    path = f"/home/dev/shop/.claude/tidegauge/checkpoints/{words}/cx-999-checkpoint.json"
    alerted = alert(checkpoint, path, project, CarriedOver())
    yield Text("brief", "a compaction, to the summariser", BRIEF, brief(checkpoint, path, project))
    after = alert(checkpoint, path, project, CarriedOver("A summary that names nothing."))
    resumed = resumption(checkpoint, path, project, has_continued=True)
    at_last = alert(checkpoint, path, project, CarriedOver("A summary that names nothing.", resumed))
    for text in (alerted, after, at_last):
        yield Text("compaction alert", "the first prompt after a compaction", ALERT, text)
        yield Text("all with a prompt", "the first prompt after a compaction", PROMPT, f"{tag}\n{text}")
    yield Text("resumption", "a session's start after a compaction, or when it is resumed", RESUMPTION, resumed)
    line = unfinished(checkpoint, f"/home/dev/{'a' * 80}/tidegauge/bin/tidegauge resume 999")
    yield Text("unfinished work", "the start of a new session of the project", SENTENCE, line)


def _checkpoint(words: str) -> Checkpoint:
    long = f"{words} " * 20
    flow = {"id": words, "text": long}
    return Checkpoint(
        "cx-999",
        "2026-12-31T23:59:59+00:00",
        999,
        ContextState(0.9999, 1_999_999, "EMERGENCY", 2_000_000, WindowSource.MODEL),
        SessionInfo("shop", long, "/home/dev/shop", "s", "auto", "/home/dev/shop", f"/{long}.jsonl", 9, "a" * 40),
        {
            "recovery_state": {f"{words} {n}": long for n in range(_MANY)},
            "next_step": long,
            "decisions": [flow] * _MANY,
            "quality_trajectory": {f"{n}": flow for n in range(_MANY)},
            "agent_summaries": {f"{n}": flow for n in range(_MANY)},
            "files_to_read": [{"path": f"{n}/{words}"} for n in range(_MANY)],
            "compaction_events": [flow] * _MANY,
        },
        f"/home/dev/shop/{words}/ORCHESTRATION.yaml",
        tuple(FileUse(f"/home/dev/shop/{n}/{words}", 999) for n in range(_MANY)),
        tuple(FileUse(f"/home/dev/shop/{n}/{words}", 999) for n in range(_MANY)),
        tuple(f"?? {n}/{words}" for n in range(_MANY)),
        _MANY,
        tuple(Failure(f"{n} {long}", 99_999) for n in range(_MANY)),
        tuple(Task(f"{n} {long}", "in_progress") for n in range(_MANY)),
        f"/home/dev/.local/share/tidegauge/goals/{words}.json",
        SessionWords((UserRequest("prompt", long),) * 20, 999, long),
        "2026-12-31T23:59:59Z",
        f"/home/dev/shop/{words}/PROJECT-SUMMARY.md",
        checks=tuple(Check(f"{n} {long}", 999) for n in range(_MANY)),
    )


def table() -> str:
    """The table of each text's cost at its longest, in characters/4."""
    rows: dict[str, tuple[str, int, int]] = {}
    for one in longest():
        cost = -(-len(one.text) // 4)
        rows[one.name] = (one.when, one.budget, max(cost, rows.get(one.name, ("", 0, 0))[2]))
    head = ("text", "comes with", "at its longest", "budget")
    return markdown.table(head, ((name, when, cost, budget) for name, (when, budget, cost) in rows.items()))
