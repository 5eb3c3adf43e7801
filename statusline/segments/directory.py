"""The session's directory and the branch checked out there."""

from shared.config import Config
from shared.plain import plain
from statusline.repository import head_of
from statusline.segment import Part, Segment, segment
from statusline.status import Status
from statusline.width import cut

BRANCH_COLUMNS, SHORT_COLUMNS = 32, 14


def render(status: Status, config: Config) -> Segment | None:  # noqa: ARG001  every segment is called alike
    if not status.directory:
        return None
    name = plain(_basename(status.directory)).strip()
    branch = plain(head_of(status.directory) or "").strip()
    if not name:
        return None
    whole = Part(name, "directory")
    forms: list[tuple[int, tuple[Part, ...]]] = [(90, (Part(cut(name, SHORT_COLUMNS), "directory"),)), (88, (whole,))]
    if branch:
        forms.append((76, (whole, Part(f" ({cut(branch, SHORT_COLUMNS)})", "branch"))))
        forms.append((74, (whole, Part(f" ({cut(branch, BRANCH_COLUMNS)})", "branch"))))
    return segment(*forms)


def _basename(path: str) -> str:
    is_windows = path[1:3] == ":\\" or path.startswith("\\\\")
    whole = path.rstrip("\\/" if is_windows else "/")
    return (whole.replace("\\", "/") if is_windows else whole).rpartition("/")[2] or path
