"""The alert of the first prompt after a compaction, and its acknowledgement."""

import html
import re
from collections.abc import Iterator

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.compaction import CarriedOver, carried_over, missing
from monitor.checkpoints.folder import folder_of, mark
from monitor.checkpoints.save import describe, save
from monitor.checkpoints.texts import orchestration_sections, requests, sections
from monitor.checkpoints.token_budget import MARK, UNSAVED_MARK, Section, compose
from monitor.prompts.prompt import Prompt
from monitor.session import Project
from shared.gauge.verdict import Verdict, verdict_on
from shared.gauge.window import Reading, remaining_percentage
from shared.project_files import ACKNOWLEDGED
from shared.text.plain import escaped, whole_seconds
from shared.transcript.records import Compaction


def deliver_alert(prompt: Prompt, compaction: Compaction) -> str:
    """Return the alert and acknowledge the session's checkpoints; empty if the project doesn't exist."""
    if prompt.project is None:
        return ""
    checkpoint, path = _checkpoint(prompt, prompt.project, compaction)
    since = checkpoint.session_info.transcript_size if checkpoint.is_before_compaction else 0
    text = alert(checkpoint, path, prompt.project, carried_over(prompt.conversation.transcript, since))
    for older in prompt.unacknowledged:
        prompt.session.attempt(mark, folder_of(prompt.session, prompt.project), older.name, ACKNOWLEDGED)
    return text


def _checkpoint(prompt: Prompt, project: Project, compaction: Compaction) -> tuple[Checkpoint, str | None]:
    """The checkpoint before the compaction, or that of a lost alert, else a new one from the transcript; its path."""
    newest = prompt.unacknowledged[0] if prompt.unacknowledged else None
    if newest is not None and (newest.checkpoint.is_before_compaction or prompt.is_alert_lost):
        return newest.checkpoint, newest.path
    session, verdict = prompt.session, _before(prompt, compaction)
    if session.config.hooks.checkpoint:
        saved = session.attempt(save, prompt.conversation, session, project, "compaction", verdict)
        if saved is not None:
            session.attempt(mark, folder_of(session, project), saved.name, ACKNOWLEDGED)
            return saved.checkpoint, saved.path
    return describe(prompt.conversation, session, project, "compaction", verdict), None


def _before(prompt: Prompt, compaction: Compaction) -> Verdict | None:
    """The verdict on the window before the compaction; None if unknown."""
    tokens = compaction.before
    if tokens is None and prompt.memory is not None:
        tokens = prompt.memory.tokens
    now = prompt.verdict
    if tokens is None or now is None or (window := now.reading.window) is None:
        return None
    remaining, source = remaining_percentage(tokens, window), now.reading.window_source
    reading = Reading(remaining, tokens, window, "transcript", source, prompt.session.now)
    return verdict_on(reading, now.limit, prompt.session.config.levels)


BUDGET, REQUESTS_BUDGET = 280, 90
"""Tokens of the whole alert, and of its requests."""


def alert(checkpoint: Checkpoint, path: str | None, project: Project, carried: CarriedOver) -> str:
    """The alert on what `carried` lacks of the checkpoint, which is at `path` if it could be written."""
    by = {"auto": " by the client itself", "manual": " on request"}.get(checkpoint.session_info.trigger, "")
    head = f"<compaction-alert>\nThis conversation was compacted{by}: what came before is now only a summary."
    texts = {"the summary": carried.summary, "the resumption context": carried.resumption}
    places = [place for place, text in texts.items() if text]
    if not places:
        at = whole_seconds(checkpoint.timestamp)
        head += f" Before that, at {at} UTC, {sections.reading(checkpoint)} were in use."
    else:
        facts = re.split(r"; | \| |\n", html.unescape(carried.resumption))  # one per line, as before they were joined
        checkpoint = missing(checkpoint, "\n".join([carried.summary, *facts]))
    parts = [part for part in _facts(checkpoint, project, carried) if part.items]
    if places and parts:
        head += f" What follows is not in {' or '.join(places)}."
    if path is not None:
        name = f"Checkpoint {checkpoint.checkpoint_id}"
        parts.insert(0, Section(name, [sections.path_text(path, project)], keeps_end=True))
    foot = "Read again the files that you go on editing: their contents may be gone from the window."
    mark = MARK if path else UNSAVED_MARK
    return compose(head, parts, f"{foot}\n</compaction-alert>", BUDGET, escaped, mark=mark)


def _facts(checkpoint: Checkpoint, project: Project, carried: CarriedOver) -> Iterator[Section]:
    """The sections, the most important first; files, branch and checks only if there is no summary yet."""
    if not carried.resumption:
        yield from orchestration_sections.recovery(checkpoint.resumption_state)[:1]
        yield from requests.short(checkpoint.words, REQUESTS_BUDGET, escaped)
    yield sections.tasks(checkpoint, 4)
    yield sections.failing(checkpoint, 2)
    if not (carried.summary or carried.resumption):
        yield sections.checks(checkpoint, 3)
        yield sections.edited(checkpoint, project, 4)
        yield sections.branch(checkpoint, 0)
