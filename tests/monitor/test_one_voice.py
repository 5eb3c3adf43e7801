"""A session walked from 0 to 100%: every text about its window agrees on level, number and step."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from monitor import dispatch
from monitor.pivot.patterns import PATTERNS
from monitor.pivot.patterns.finding import Evidence, Finding
from shared.gauge.levels import Level
from shared.gauge.verdict import UNKNOWN_WINDOW_TOKENS, Verdict
from shared.gauge.window import Reading, WindowSource
from shared.gauge.wording import RETRACTION, agent_steps
from statusline import line
from tests import scratch
from tests.levels import level_at
from tests.monitor.workshop import Workshop
from tests.statusline.scene import payload_with

pytestmark = pytest.mark.any_python

SIZE = 200_000
LIMITS = {
    "compacted": 167_000,  # by the catalogue
    "ending": 177_000,  # where automatic compaction is off
    "unknown": None,
}
"""Where the window ends, in tokens."""
FULL = """
[hooks]
tag_every_prompt = true
ceiling_guard = true
read_guard = true
[ceiling]
strict = true
[pivot]
export_before_compaction = true
"""
CORE = "[hooks]\nceiling_guard = false\nread_guard = false\n"

_LEVEL = re.compile(rf"\b({'|'.join(level.name for level in Level)})\b")
_OTHER_LADDERS = re.compile(r"\b(nominal|low|alert|emergency|full|roomy)\b", re.IGNORECASE)
_PERCENT = re.compile(r"(\d+(?:\.\d+)?) ?%")
_FILL = re.compile(r"<fill-percentage>(\d\.\d\d)<")
_CEILING = " (ceiling: 40%)"
_TIME = re.compile(r"\d\d:\d\d:\d\d")
_GOES_ON = re.compile(r"\b(go(?:es)? on|carry on|as it is|nothing to do)\b", re.IGNORECASE)
_STOPS = re.compile(
    r"\b(stop|end the task|window ends|export the session|caller now|compaction is off)\b",
    re.IGNORECASE,
)
_COMPACTS = re.compile(r"client compacts|until compaction|compaction is due|it is compacted|to compact", re.IGNORECASE)
_ORDERS = re.compile(r"^(?:\d\. )?(Save|Finish|Don't|Update|Write|Return|Then|End|Make|Keep|Tell)\b", re.MULTILINE)
_STEP_CHARACTERS = 12
"""Of a level's first step: what tells it from the others'."""


class Walk(NamedTuple):
    """A variant of the session."""

    end: str
    settings: str
    style: str = "directive"
    is_assumed: bool = False
    pattern: str = ""

    def __str__(self) -> str:
        profile = "full" if self.settings == FULL else "core"
        window = "assumed" if self.is_assumed else "known"
        return "-".join(filter(None, (self.end, profile, self.style, window, self.pattern)))


class Statement(NamedTuple):
    """One text."""

    by: str
    text: str
    is_for_agent: bool = True


WALKS = [
    *(Walk(end, settings) for end in LIMITS for settings in (CORE, FULL)),
    *(Walk(end, settings, is_assumed=True) for end in ("compacted", "ending") for settings in (CORE, FULL)),
    *(Walk(end, FULL, "advisory") for end in ("compacted", "ending")),
    *(Walk(end, CORE, pattern=pattern) for end in ("compacted", "ending") for pattern in PATTERNS),
]


class Session:
    """A session and all its texts."""

    def __init__(self, workshop: Workshop, walk: Walk) -> None:
        self._at = workshop
        self._walk = walk
        if walk.is_assumed:
            workshop.transcript.record_requests(is_long=None)
        workshop.configure(f"{walk.settings}\n[messages]\nstyle = '{walk.style}'\n")

    def step(self, used: int) -> Iterator[Statement]:
        """Play one turn with a tool at `used` percent, a subagent, a prompt and every report."""
        at, tokens, name = self._at, max(used * SIZE // 100, 500), f"toolu_{used}"
        model = "house-model-1" if self._walk.end == "unknown" else "claude-opus-4-6"
        at.transcript.answer(tokens, id=f"msg_{used}", tool_use_ids=[name], model=model)
        if self._walk.end != "unknown" and not self._walk.is_assumed:
            yield Statement("line", self._line(tokens), is_for_agent=False)
        yield from self._fired("PostToolUse", tool_name="Bash", tool_input={}, tool_use_id=name)
        yield from self._fired("PreToolUse", tool_name="Agent", tool_input={"subagent_type": "Explore"})
        yield from self._fired("SubagentStart", agent_id="a1", agent_type="Explore")
        at.transcript.result(name)
        yield from self._fired("UserPromptSubmit", prompt="Go on")
        yield from self._fired("UserPromptSubmit", prompt="/token-status")

    def compact(self, used: int) -> Iterator[Statement]:
        """Play an automatic compaction and the prompt after it."""
        self._at.compact()
        yield from self._fired("SessionStart", source="compact")
        self._at.transcript.boundary(used * SIZE // 100, 4_000)
        yield from self._fired("UserPromptSubmit", prompt="Go on")

    def _line(self, tokens: int) -> str:
        usage = {"input_tokens": tokens, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        payload = payload_with(
            "normal",
            session_id=self._at.session_id,
            transcript_path=str(self._at.transcript.path),
            rate_limits=None,
            prompt_cache=None,  # its percentages are none of the window's
            context_window={
                "context_window_size": SIZE,
                "current_usage": usage | {"output_tokens": 120},
                "used_percentage": tokens * 100 // SIZE,
                "remaining_percentage": 100 - tokens * 100 // SIZE,
            },
        )
        return line.main(payload, str(self._at.root)).decode()

    def _fired(self, event: str, **fields: Any) -> Iterator[Statement]:
        stdin = json.dumps(self._at.payload(event, **fields)).encode()
        answer = dispatch.main(stdin, str(self._at.root))
        if answer.is_blocking:
            assert not self._walk.is_assumed
            yield Statement(event, answer.stderr.decode())
        elif answer.stdout:
            output = json.loads(answer.stdout)
            if context := output.get("hookSpecificOutput", {}).get("additionalContext"):
                yield Statement(event, context)
            if notice := output.get("systemMessage"):
                yield Statement(event, notice, is_for_agent=event == "PreToolUse")


@pytest.mark.parametrize("walk", WALKS, ids=str)
def test_all_texts_agree(workshop: Workshop, walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monitor.measuring.snapshot.LAG_SECONDS", 0)
    if walk.end == "ending":
        monkeypatch.setenv("DISABLE_AUTO_COMPACT", "1")
    findings = (Finding(walk.pattern, 0.8, (Evidence("it was seen", 3, (1, 9)),)),) if walk.pattern else ()
    monkeypatch.setattr("monitor.pivot.analysis.find_all", lambda *_: findings)
    session = Session(workshop, walk)
    everything = []
    levels: set[str] = set()
    last = 84 if walk.end == "compacted" else 100  # further on nobody believes in the point any more
    # Nothing begins below 40%: a part of those steps will do.
    for used in (*range(0, 38, 4), *range(38, last + 1)):
        level = level_in(walk, used)
        levels.add(level.name)
        for statement in session.step(used):
            everything.append(statement)
            check(statement, walk, used, level)
    assert {_LEVEL.findall(statement.text)[0] for statement in everything if _LEVEL.search(statement.text)} | {
        "NORMAL"
    } == levels
    after = list(session.compact(last))
    assert sum(statement.text.count(RETRACTION) for statement in after) == 1
    for statement in after:
        for past in statement.text.rpartition("</context-monitor>")[2].splitlines():
            assert _TIME.search(past) or not (_LEVEL.search(past) or _PERCENT.search(past)), past
    assert scratch.log(Path(workshop.root)) == []


def level_in(walk: Walk, used: int) -> Level:
    tokens = used * SIZE // 100
    if walk.end == "unknown":
        return Level.WARNING if tokens >= UNKNOWN_WINDOW_TOKENS[Level.WARNING] else Level.NORMAL
    return level_at(tokens, LIMITS[walk.end])


def check(statement: Statement, walk: Walk, used: int, level: Level) -> None:
    """Check one text against the truth at `used` percent."""
    text = statement.text.replace(_CEILING, "")
    where = f"{walk} at {used}%, {statement.by}: {statement.text}"
    assert set(_LEVEL.findall(text)) <= {level.name}, where
    assert not _OTHER_LADDERS.search(text), where
    check_numbers(text, walk, used, where)
    check_step(statement, text, walk, level, where)


def check_numbers(text: str, walk: Walk, used: int, where: str) -> None:
    if walk.end == "unknown":
        assert not _PERCENT.search(text), where
        assert not _FILL.search(text), where
        return
    remaining = f"{100 - used}% remain"
    counted = text.replace(remaining, "")
    assert {float(number) for number in _PERCENT.findall(counted)} <= {used}, where
    assert {round(100 * float(number)) for number in _FILL.findall(text)} <= {used}, where


def check_step(statement: Statement, text: str, walk: Walk, level: Level, where: str) -> None:
    if walk.end == "compacted":
        assert not _STOPS.search(text), where
    if walk.end == "ending":
        assert not _COMPACTS.search(text), where
    is_roomy = level < Level.CRITICAL and walk.end == "compacted"  # the client compacts by itself: the work can go on
    if level and not is_roomy and _GOES_ON.search(text):
        assert "Save" in text[: _GOES_ON.search(text).start()], where  # type: ignore[union-attr]  # found above
    is_told = "CONTEXT WINDOW" in text or "<action>" in text
    if is_told and level and walk.end != "unknown":
        step, *_ = agent_steps(
            Verdict(Reading(50, None, SIZE, "bridge", WindowSource.BRIDGE, 0), level), "PROJECT-SUMMARY.md"
        )
        assert step[:_STEP_CHARACTERS] in text, where
    if (walk.is_assumed or walk.end == "unknown") and statement.is_for_agent:
        assert not _ORDERS.search(text) or "this is advice" in text, where
        assert "blocked" not in text, where
    if walk.style == "advisory" and is_told and level:
        assert "user's instructions take precedence" in text, where
