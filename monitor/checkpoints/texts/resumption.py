"""Texts on the work in a checkpoint, for a compaction's summariser and for a session at its start."""

from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.texts import orchestration_sections, requests, sections
from monitor.checkpoints.token_budget import UNSAVED_MARK, Section, compose
from monitor.session import Project
from shared.gauge import wording
from shared.text.plain import escaped, name_end, untagged, whole_seconds

BRIEF_BUDGET, _BRIEF_REQUESTS_BUDGET = 300, 90
"""Tokens of the whole brief, including the first line, and of its requests."""
BUDGET, _AFTER_SUMMARY_BUDGET = 760, 340
"""Tokens of a resumption, and of one next to a summary."""
_REQUESTS_BUDGET = 120
"""Tokens of a resumption's requests."""


def brief(checkpoint: Checkpoint, path: str | None, project: Project) -> str:
    """What the summary must keep, from the checkpoint, at `path` if it could be written.

    It names facts, and leaves the wording to its reader, a model with the whole conversation.
    """
    parts = [
        *requests.short(checkpoint.words, _BRIEF_REQUESTS_BUDGET, untagged),
        sections.tasks(checkpoint, 5),
        sections.failing(checkpoint, 3),
        sections.edited(checkpoint, project, 6),
        sections.branch(checkpoint, 0),
        *orchestration_sections.recovery(checkpoint.resumption_state)[:1],
        sections.read(checkpoint, project, 5),
    ]
    saved = f"Checkpoint {checkpoint.checkpoint_id} saved at {sections.fill(checkpoint)}% context fill"
    keep = "Keep in the summary, with reasons and next steps:" if any(part.items for part in parts) else ""
    if path is None:
        return compose(keep, parts, "", BRIEF_BUDGET, untagged, mark=UNSAVED_MARK)
    foot = f"Name this file in the summary: {sections.path_text(path, project)}"
    return compose(f"{saved}\n{keep}".rstrip(), parts, foot, BRIEF_BUDGET, untagged)


def resumption(
    checkpoint: Checkpoint, path: str, project: Project, *, has_fill: bool = True, has_continued: bool = False
) -> str:
    """The context from this session's own checkpoint at `path`; `has_fill` includes how full the window was.

    `has_continued`: whether `checkpoint` has the state of a session that has gone on since.
    """
    state = checkpoint.resumption_state
    in_use = f", with {sections.reading(checkpoint)} in use" if has_fill else ""
    head = (
        f"<{wording.RESUMPTION}>\n"
        f"This session left checkpoint {checkpoint.checkpoint_id} at {whole_seconds(checkpoint.timestamp)} UTC{in_use}"
        f"{', and has gone on since' if has_continued else ''}."
        f" The work goes on from {'its present state' if has_continued else 'there'},"
        " unless the user asks for something else."
    )
    compacted = [whole_seconds(checkpoint.compacted_at)] if checkpoint.compacted_at else []
    parts = [
        *requests.short(checkpoint.words, _REQUESTS_BUDGET, escaped),
        *orchestration_sections.recovery(state),
        sections.tasks(checkpoint, 10),
        sections.failing(checkpoint, 4),
        _order(checkpoint, project),
        sections.checks(checkpoint, 4),
        sections.commits(checkpoint, 5),
        sections.branch(checkpoint, 8),
        *orchestration_sections.details(state),
        sections.prompts(checkpoint),
        Section("Compaction history", [*compacted, *orchestration_sections.history(state)]),
        sections.read(checkpoint, project, 8),
        Section("More", [sections.path_text(path, project)], keeps_end=True),
    ]
    return compose(head, parts, f"</{wording.RESUMPTION}>", BUDGET, escaped)


def resumption_after_summary(checkpoint: Checkpoint, path: str, project: Project) -> str:
    """The context next to a summary, from a `checkpoint` reduced to what the summary lacks (compaction.missing)."""
    state = checkpoint.resumption_state
    parts = [
        *requests.short(checkpoint.words, _REQUESTS_BUDGET, escaped),
        *orchestration_sections.recovery(state),
        sections.tasks(checkpoint, 4),
        sections.failing(checkpoint, 3),
        *orchestration_sections.details(state),
    ]
    head = f"<{wording.RESUMPTION}>\n"
    if any(part.items for part in parts):
        head += "Not in the summary:"
        parts.append(Section("More", [sections.path_text(path, project)], keeps_end=True))
    else:
        covered = "tasks, checks and all but the shortest requests"
        head += f"The summary has what checkpoint {checkpoint.checkpoint_id} knows of {covered}."
    return compose(head, parts, f"</{wording.RESUMPTION}>", _AFTER_SUMMARY_BUDGET, escaped)


def unfinished(checkpoint: Checkpoint, command: str) -> str:
    """The text for a new session that an earlier one left unfinished work, and how to continue it."""
    return (
        f"Unfinished work of an earlier session of this project is saved: checkpoint {checkpoint.checkpoint_id},"
        f" {whole_seconds(checkpoint.timestamp)} UTC. Should the user want to go on with it, the command is"
        f" `{command}`, in a terminal."
    )


def _order(checkpoint: Checkpoint, project: Project) -> Section:
    """The documents to continue from, then the files worked on; not the checkpoint, as this text repeats it."""
    paths = [*checkpoint.documents, *orchestration_sections.files(checkpoint.resumption_state, project)]
    paths += [use.path for use in checkpoint.files_edited[:5]]
    places = list(dict.fromkeys(name_end(project.short_path(path), 160) for path in paths))
    return Section("Read in this order", [f"{number}. {path}" for number, path in enumerate(places, 1)], keeps_end=True)
