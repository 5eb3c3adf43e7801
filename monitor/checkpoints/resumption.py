"""What a session is told at its start of the work that an unacknowledged checkpoint holds."""

import os
import shlex

from monitor.checkpoints import goal, orchestration_sections, sections
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.token_budget import Section, composed
from monitor.session import Project, Session
from shared import wording
from shared.plain import escaped, path_end, whole_seconds

BUDGET = 760
"""Tokens."""
GOAL_BUDGET = 120
"""Of these, for what was asked."""


def resumption(checkpoint: Checkpoint, path: str, project: Project, lost: int | None = None) -> str:
    """The context from this session's own checkpoint at `path`.

    `lost` is how many of its facts the client's summary lacks; None where there is no summary.
    """
    state = checkpoint.resumption_state
    head = (
        f"<{wording.RESUMPTION}>\n"
        f"This session left checkpoint {checkpoint.checkpoint_id} at {whole_seconds(checkpoint.timestamp)} UTC,"
        f" with {sections.reading(checkpoint)} in use. The work goes on from there, unless the user asks for something"
        " else."
    )
    head += f" {wording.LACKING}{lost:,}." if lost is not None else ""
    parts = [
        *goal.short(checkpoint.goal, GOAL_BUDGET, escaped),
        *orchestration_sections.recovery(state),
        sections.tasks(checkpoint, 10),
        sections.checks(checkpoint, 4),
        _order(checkpoint, path, project),
        sections.failing(checkpoint, 4),
        sections.branch(checkpoint, 8),
        *orchestration_sections.details(state),
        sections.prompts(checkpoint),
        Section("Compaction history", [*sections.history(checkpoint).items, *orchestration_sections.history(state)]),
        sections.read(checkpoint, project, 8),
    ]
    return composed(head, [part for part in parts if part.items], f"</{wording.RESUMPTION}>", BUDGET, escaped)


def unfinished(checkpoint: Checkpoint, command: str) -> str:
    """What a session that begins is told of an earlier one's work: that there is some, and how to take it up."""
    return (
        f"Unfinished work of an earlier session of this project is saved: checkpoint {checkpoint.checkpoint_id},"
        f" {whole_seconds(checkpoint.timestamp)} UTC. Should the user want to go on with it, the command is"
        f" `{command}`, in a terminal."
    )


def resume_command(session: Session, number: int | None) -> str:
    """What a person types to go on from the checkpoint of this number, on one short line; None stands for any."""
    name = "tidegauge.cmd" if os.name == "nt" else "tidegauge"
    directories = session.environ.get("PATH", "").split(os.pathsep)
    program = "tidegauge"
    if not any(os.access(os.path.join(directory, name), os.X_OK) for directory in directories if directory):
        program = os.path.join(session.root, "bin", name)
        home = os.path.expanduser("~") + os.sep
        is_plain = not set(program) & set(" '\"$`\\")
        program = f"~/{program.removeprefix(home)}" if program.startswith(home) and is_plain else shlex.quote(program)
    return f"{program} resume {'N' if number is None else number}"


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
