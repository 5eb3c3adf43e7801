"""What a session is told at its start of the work that an unacknowledged checkpoint holds."""

from monitor.checkpoints import goal, orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.token_budget import Section, composed
from monitor.session import Project
from shared.plain import escaped, one_line, path_end

BUDGET = 760
"""Tokens."""
GOAL_BUDGET = 120
"""Of these, for what was asked."""


def resumption(checkpoint: Checkpoint, path: str, project: Project, *, is_own: bool) -> str:
    """The context from a checkpoint at `path`, of this session (`is_own`) or of an earlier one of the project."""
    state = checkpoint.resumption_state
    whose = "This session" if is_own else "An earlier session of this project"
    head = (
        "<resumption-context>\n"
        f"{whose} left checkpoint {checkpoint.checkpoint_id} at {one_line(checkpoint.timestamp[:19], 20)} UTC, with"
        f" {sections.reading(checkpoint)} in use. The work goes on from there, unless the user asks for something else."
    )
    parts = [
        *goal.short(checkpoint.goal, GOAL_BUDGET, escaped),
        *orchestration_sections.recovery(state),
        sections.tasks(checkpoint, 10),
        _order(checkpoint, path, project),
        sections.failing(checkpoint, 4),
        sections.branch(checkpoint, 8),
        *orchestration_sections.details(state),
        sections.prompts(checkpoint),
        Section("Compaction history", [*sections.history(checkpoint).items, *orchestration_sections.history(state)]),
        sections.read(checkpoint, project, 8),
    ]
    return composed(head, [part for part in parts if part.items], "</resumption-context>", BUDGET, escaped)


def _order(checkpoint: Checkpoint, path: str, project: Project) -> Section:
    """What to read, in which order: what was written for this purpose, then what was worked on."""
    paths: list[str] = []
    if checkpoint.summary is not None:
        paths.append(checkpoint.summary.path)
    if checkpoint.orchestration_path is not None:
        paths.append(checkpoint.orchestration_path)
    paths += orchestration_sections.files(checkpoint.resumption_state)
    paths += [use.path for use in checkpoint.files_edited[:5]]
    paths.append(path)
    shown = list(dict.fromkeys(path_end(project.shown(path), 160) for path in paths))
    return Section("Read in this order", [f"{number}. {path}" for number, path in enumerate(shown, 1)], keeps_end=True)
