"""The worktree in which the session runs."""

from shared.config import Config
from shared.plain import plain
from statusline.segment import Part, Segment
from statusline.status import Status
from statusline.width import cut

IMPORTANCE, SHORT_COLUMNS = 44, 16


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    worktree, workspace = status.payload.worktree, status.payload.workspace
    name = plain((worktree and worktree.name) or (workspace and workspace.git_worktree) or "").strip()
    if not name:
        return None
    label = Part("worktree ", "dim")
    return Segment(IMPORTANCE, ((label, Part(name, "accent")), (label, Part(cut(name, SHORT_COLUMNS), "accent"))))
