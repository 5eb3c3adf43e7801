"""What the summary of a compaction must keep: the client puts this into the summariser's instructions.

It is read by a model that holds the whole conversation, so it names facts and leaves the words to it.
"""

from monitor.checkpoints import orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.token_budget import composed
from monitor.session import Project
from shared.plain import untagged

BUDGET = 300
"""Tokens in all, the first line with them."""


def brief(checkpoint: Checkpoint, path: str, project: Project) -> str:
    """The brief of a checkpoint that lies at `path`."""
    parts = [
        sections.tasks(checkpoint, 5),
        sections.edited(checkpoint, project, 6),
        sections.failing(checkpoint, 3),
        sections.branch(checkpoint, 0),
        *orchestration_sections.recovery(checkpoint.resumption_state)[:1],
        sections.read(checkpoint, project, 5),
    ]
    parts = [part for part in parts if part.items]
    head = f"Checkpoint {checkpoint.checkpoint_id} saved at {sections.fill(checkpoint)}% context fill"
    if parts:
        head += "\nMeasured in this session, for the summary to keep, with why each matters and what comes next:"
    foot = f"The summary names this file, which holds the details: {sections.place(path, project)}"
    return composed(head, parts, foot, BUDGET, untagged)
