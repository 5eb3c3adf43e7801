"""The alert of the first prompt after a compaction, and its acknowledgement."""

import html
import re
from collections.abc import Iterator

from monitor.checkpoints import goal, orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.folder import acknowledge
from monitor.checkpoints.lost import missing
from monitor.checkpoints.save import describe, save
from monitor.checkpoints.token_budget import Section, composed
from monitor.prompts.compaction import SaidSince, UntoldCompaction, said_since
from monitor.prompts.prompt import Prompt
from monitor.session import Project
from shared.plain import escaped, whole_seconds
from shared.reading import Reading, remaining_percentage


def alerted(prompt: Prompt, found: UntoldCompaction) -> str:
    """The alert; empty in a project that is not there. Every checkpoint of the session is acknowledged by it."""
    if prompt.project is None:
        return ""
    checkpoint, path = _checkpoint(prompt, prompt.project, found)
    seen = checkpoint.session_info.transcript_size if checkpoint.is_before_compaction else 0
    text = alert(checkpoint, path, prompt.project, said_since(prompt.conversation.transcript, seen))
    for older in prompt.unacknowledged:
        prompt.session.attempt(acknowledge, older)
    return text


def _checkpoint(prompt: Prompt, project: Project, found: UntoldCompaction) -> tuple[Checkpoint, str | None]:
    """The one from just before the compaction; without a PreCompact event, one of what the transcript still tells."""
    newest = prompt.unacknowledged[0] if prompt.unacknowledged else None
    if newest is not None and newest.checkpoint.is_before_compaction:
        return newest.checkpoint, newest.path
    session, reading = prompt.session, _before(prompt, found)
    if session.config.hooks.checkpoint:
        saved = session.attempt(save, prompt.conversation, session, project, "compaction", reading)
        if saved is not None:
            session.attempt(acknowledge, saved)
            return saved.checkpoint, saved.path
    return describe(prompt.conversation, session, project, "compaction", reading), None


def _before(prompt: Prompt, found: UntoldCompaction) -> Reading | None:
    """The reading from before the compaction, as far as it is known."""
    tokens = found.boundary.before if found.boundary else None
    if tokens is None and prompt.memory is not None:
        tokens = prompt.memory.tokens
    now = prompt.verdict.reading if prompt.verdict else None
    if tokens is None or now is None or now.window is None:
        return None
    remaining = remaining_percentage(tokens, now.window)
    return Reading(remaining, tokens, now.window, "transcript", now.window_source, prompt.session.now)


NOTHING = SaidSince()
BUDGET, GOAL_BUDGET = 280, 90
"""Tokens: in all, and of these for what was asked."""


def alert(checkpoint: Checkpoint, path: str | None, project: Project, said: SaidSince = NOTHING) -> str:
    """The alert for a checkpoint that lies at `path`; None for one that could not be written.

    Of what was measured it tells what was not `said` since, the most needed first.
    """
    by = {"auto": " by the client itself", "manual": " on request"}.get(checkpoint.session_info.trigger, "")
    head = f"<compaction-alert>\nThis conversation was compacted{by}: what came before is now only a summary."
    if not said.resumption:
        at = whole_seconds(checkpoint.timestamp)
        head += f" Before that, at {at} UTC, {sections.reading(checkpoint)} were in use."
    places = " or ".join(_places(said))
    if places:
        checkpoint = missing(checkpoint, "\n".join([said.summary, *_facts_in(said.resumption)]))
    facts = [
        *([] if said.resumption else orchestration_sections.recovery(checkpoint.resumption_state)[:1]),
        *goal.short(checkpoint.goal, GOAL_BUDGET, escaped),
        sections.tasks(checkpoint, 4),
        sections.checks(checkpoint, 3),
        sections.edited(checkpoint, project, 4),
        sections.read(checkpoint, project, 2 if places else 0),
        sections.failing(checkpoint, 2),
        sections.branch(checkpoint, 0),
    ]
    parts = [part for part in facts if part.items]
    if places:
        head += f" What follows is not in {places}." if parts else f" All that was measured stands in {places}."
    if path is not None:
        parts.insert(
            0, Section(f"Checkpoint {checkpoint.checkpoint_id}", [sections.place(path, project)], keeps_end=True)
        )
    reading = "read the checkpoint, then " if path and not places else ""
    foot = (
        f"Worth doing first: {reading}read again the files that you go on editing, whose contents may be gone from"
        " the window.\n"
        "</compaction-alert>"
    )
    return composed(head, parts, foot, BUDGET, escaped)


def _places(said: SaidSince) -> Iterator[str]:
    if said.summary:
        yield "the summary"
    if said.resumption:
        yield "the resumption context"


def _facts_in(resumption: str) -> list[str]:
    """The facts that a resumption told, a line each, as they were before it was written."""
    return re.split(r"; | \| |\n", html.unescape(resumption))
