"""The alert of the first prompt after a compaction, and its acknowledgement."""

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.folder import acknowledge
from monitor.checkpoints.save import describe, save
from monitor.measuring.measurement import readings
from monitor.project import Project
from monitor.prompts.alert_text import alert
from monitor.prompts.compaction import Evidence
from monitor.prompts.prompt import Prompt
from shared.boundary import attempt
from shared.reading import Reading, remaining_percentage


def alerted(prompt: Prompt, found: Evidence) -> str:
    """The alert; empty in a project that is not there. Every checkpoint of the session is acknowledged by it."""
    if prompt.project is None:
        return ""
    checkpoint, path = _checkpoint(prompt, prompt.project, found)
    text = alert(checkpoint, path, prompt.project)
    for older in prompt.unacknowledged:
        attempt("monitor", prompt.session.root, acknowledge, older)
    return text


def _checkpoint(prompt: Prompt, project: Project, found: Evidence) -> tuple[Checkpoint, str | None]:
    """The one from just before the compaction; without a PreCompact event, one of what the transcript still tells."""
    newest = prompt.unacknowledged[0] if prompt.unacknowledged else None
    if newest is not None and (newest.checkpoint.is_before_compaction or newest.checkpoint.is_placed):
        return newest.checkpoint, newest.path
    session, reading = prompt.session, _before(prompt, found)
    if session.config.hooks.checkpoint:
        saved = attempt("monitor", session.root, save, prompt.conversation, session, project, "compaction", reading)
        if saved is not None:
            attempt("monitor", session.root, acknowledge, saved)
            return saved.checkpoint, saved.path
    return describe(prompt.conversation, session, project, "compaction", reading), None


def _before(prompt: Prompt, found: Evidence) -> Reading | None:
    """The reading from before the compaction, as far as it is known."""
    tokens = found.boundary.before if found.boundary else None
    if tokens is None and prompt.memory is not None:
        tokens = prompt.memory.tokens
    now, bridge = readings(prompt.conversation, prompt.session, prompt.tail)
    window = next((one.window for one in (now, bridge) if one is not None and one.window), None)
    if tokens is None or window is None:
        return None
    source = now.window_source if now else ""
    return Reading(remaining_percentage(tokens, window), tokens, window, "transcript", source, prompt.session.now)
