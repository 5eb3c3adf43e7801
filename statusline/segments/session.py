"""Segments on the session: its model, directory, changes, pull request, worktree and agent."""

from shared.text.plain import plain
from statusline.measuring.status import Status
from statusline.repository import head_of
from statusline.segment import Form, Part, Segment
from statusline.terminal.width import cut

NAME_COLUMNS, DIRECTORY_COLUMNS, BRANCH_COLUMNS = 16, 14, 32
"""The most columns of a name and of a directory in a segment's shortest form, and of a branch in its fullest."""


def model(status: Status) -> Segment | None:
    """The model's name and effort."""
    own, effort = status.payload.model, status.payload.effort
    name = plain((own and (own.display_name or own.id)) or "").strip() or "Claude"
    level = plain((effort and effort.level) or "").strip()
    short, whole = Part(cut(name.partition(" (")[0], NAME_COLUMNS), "model"), Part(name, "model")
    return (Form(96, (short,)), Form(87, (whole,)), Form(40, (whole, Part(f" {level}" if level else "", "dim"))))


def directory(status: Status) -> Segment | None:
    """The session's directory and the branch checked out there."""
    if not status.directory:
        return None
    name = plain(_basename(status.directory)).strip()
    branch = plain(head_of(status.directory) or "").strip()
    if not name:
        return None
    whole = Part(name, "directory")
    forms = [Form(90, (Part(cut(name, DIRECTORY_COLUMNS), "directory"),)), Form(88, (whole,))]
    if branch:
        forms.append(Form(76, (whole, Part(f" ({cut(branch, DIRECTORY_COLUMNS)})", "branch"))))
        forms.append(Form(74, (whole, Part(f" ({cut(branch, BRANCH_COLUMNS)})", "branch"))))
    return tuple(forms)


def changes(status: Status) -> Segment | None:
    """The lines that the session has added and removed."""
    cost = status.payload.cost
    added, removed = cost and cost.total_lines_added, cost and cost.total_lines_removed
    if not added and not removed:
        return None
    parts = [Part(f"+{added}", "added")] if added is not None else []
    parts += [Part(" ")] if added is not None and removed is not None else []
    parts += [Part(f"-{removed}", "removed")] if removed is not None else []
    return (Form(30, tuple(parts)),)


def pr(status: Status) -> Segment | None:
    """The pull or merge request of the branch, and how its review stands."""
    request = status.payload.pr
    if request is None or request.number is None:
        return None
    name = f"MR !{request.number}" if request.kind == "mr" else f"PR #{request.number}"
    state = plain(request.review_state or "", 24).replace("_", " ").strip()
    short = Part(name, "accent")
    return (Form(48, (short,)), Form(44, (short, Part(f" {state}" if state else "", "dim"))))


def worktree(status: Status) -> Segment | None:
    """The worktree that the session runs in."""
    own, workspace = status.payload.worktree, status.payload.workspace
    name = (own.name if own else None) or (workspace.git_worktree if workspace else None)
    return _labelled("worktree ", name, 46)


def agent(status: Status) -> Segment | None:
    """The agent that the session runs as."""
    own = status.payload.agent
    return _labelled("agent ", own.name if own else None, 52)


def _labelled(label: str, text: str | None, importance: int) -> Segment | None:
    name, before = plain(text or "").strip(), Part(label, "dim")
    if not name:
        return None
    short = before, Part(cut(name, NAME_COLUMNS), "accent")
    return Form(importance, short), Form(importance - 2, (before, Part(name, "accent")))


def _basename(path: str) -> str:
    is_windows = path[1:3] == ":\\" or path.startswith("\\\\")
    whole = path.rstrip("\\/" if is_windows else "/")
    return (whole.replace("\\", "/") if is_windows else whole).rpartition("/")[2] or path
