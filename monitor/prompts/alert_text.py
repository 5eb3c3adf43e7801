"""What the agent is told with the first prompt after a compaction."""

from monitor.checkpoints import orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.token_budget import Section, composed
from monitor.project import Project
from shared.plain import escaped, one_line

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
