"""What the summary of a compaction must keep: the client puts this into the summariser's instructions.

It is read by a model that holds the whole conversation, so it names facts and leaves the words to it.
"""

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.texts import orchestration_sections, requests, sections
from monitor.checkpoints.token_budget import composed
from monitor.session import Project
from shared.text.plain import untagged

BUDGET, REQUESTS_BUDGET = 300, 90
"""Tokens in all, the first line with them, and of these for what was asked."""


def brief(checkpoint: Checkpoint, path: str, project: Project) -> str:
    """The brief of a checkpoint that lies at `path`."""
    parts = [
        *requests.short(checkpoint.words, REQUESTS_BUDGET, untagged),
        sections.tasks(checkpoint, 5),
        sections.failing(checkpoint, 3),
        sections.edited(checkpoint, project, 6),
        sections.branch(checkpoint, 0),
        *orchestration_sections.recovery(checkpoint.resumption_state)[:1],
        sections.read(checkpoint, project, 5),
    ]
    parts = [part for part in parts if part.items]
    head = f"Checkpoint {checkpoint.checkpoint_id} saved at {sections.fill(checkpoint)}% context fill"
    if parts:
        head += "\nKeep in the summary, with reasons and next steps:"
    foot = f"Name this file in the summary: {sections.shown_path(path, project)}"
    return composed(head, parts, foot, BUDGET, untagged)
