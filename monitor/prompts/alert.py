"""The alert of the first prompt after a compaction, and its acknowledgement."""

from monitor.checkpoints import orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.folder import acknowledge
from monitor.checkpoints.save import describe, save
from monitor.checkpoints.token_budget import Section, composed
from monitor.prompts.compaction import CompactionEvidence
from monitor.prompts.prompt import Prompt
from monitor.session import Project
from shared.plain import escaped, one_line
from shared.reading import Reading, remaining_percentage


def alerted(prompt: Prompt, found: CompactionEvidence) -> str:
    """The alert; empty in a project that is not there. Every checkpoint of the session is acknowledged by it."""
    if prompt.project is None:
        return ""
    checkpoint, path = _checkpoint(prompt, prompt.project, found)
    text = alert(checkpoint, path, prompt.project)
    for older in prompt.unacknowledged:
        prompt.session.attempt(acknowledge, older)
    return text


def _checkpoint(prompt: Prompt, project: Project, found: CompactionEvidence) -> tuple[Checkpoint, str | None]:
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


def _before(prompt: Prompt, found: CompactionEvidence) -> Reading | None:
    """The reading from before the compaction, as far as it is known."""
    tokens = found.boundary.before if found.boundary else None
    if tokens is None and prompt.memory is not None:
        tokens = prompt.memory.tokens
    now = prompt.verdict.reading if prompt.verdict else None
    if tokens is None or now is None or now.window is None:
        return None
    remaining = remaining_percentage(tokens, now.window)
    return Reading(remaining, tokens, now.window, "transcript", now.window_source, prompt.session.now)


BUDGET = 280
"""Tokens."""


def alert(checkpoint: Checkpoint, path: str | None, project: Project) -> str:
    """The alert for a checkpoint that lies at `path`; None for one that could not be written."""
    by = {"auto": " by the client itself", "manual": " on request"}.get(checkpoint.session_info.trigger, "")
    head = (
        "<compaction-alert>\n"
        f"This conversation was compacted{by}: what came before is now only a summary. Before that, at"
        f" {one_line(checkpoint.timestamp[:19], 20)} UTC, {sections.reading(checkpoint)} were in use."
    )
    parts = [
        *orchestration_sections.recovery(checkpoint.resumption_state)[:1],
        sections.tasks(checkpoint, 4),
        sections.edited(checkpoint, project, 4),
        sections.failing(checkpoint, 2),
        sections.branch(checkpoint, 0),
    ]
    if path is not None:
        parts.insert(
            0, Section(f"Checkpoint {checkpoint.checkpoint_id}", [sections.place(path, project)], keeps_end=True)
        )
    foot = (
        f"Worth doing first: {'read the checkpoint, then ' if path else ''}read again the files that you go on"
        " editing, whose contents may be gone from the window.\n"
        "</compaction-alert>"
    )
    return composed(head, [part for part in parts if part.items], foot, BUDGET, escaped)
