"""The worktree that the session runs in."""

from shared.config import Config
from shared.plain import plain
from statusline.segment import Part, Segment, segment
from statusline.status import Status
from statusline.width import cut

SHORT_COLUMNS = 16


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    worktree, workspace = status.payload.worktree, status.payload.workspace
    name = plain((worktree and worktree.name) or (workspace and workspace.git_worktree) or "").strip()
    if not name:
        return None
    label = Part("worktree ", "dim")
    return segment(
        (46, (label, Part(cut(name, SHORT_COLUMNS), "accent"))),
        (44, (label, Part(name, "accent"))),
    )
