import pytest

from statusline.measuring.status import Status
from statusline.payload import NamedPart, Payload, Workspace
from statusline.segments import session
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("worktree", "workspace", "expected"),
    [
        (NamedPart("checkout"), None, "worktree checkout"),
        (None, Workspace(git_worktree="checkout"), "worktree checkout"),
        (NamedPart("check\x07out"), Workspace(git_worktree="other"), "worktree checkout"),
        (NamedPart(" "), None, None),
        (NamedPart(), Workspace(), None),
        (None, None, None),
    ],
)
def test_the_worktree_is_named(worktree: NamedPart | None, workspace: Workspace | None, expected: str | None) -> None:
    assert text(session.worktree(Status(Payload(worktree=worktree, workspace=workspace)))) == expected


def test_a_long_name_is_shortened() -> None:
    segment = session.worktree(Status(Payload(worktree=NamedPart("checkout-of-the-whole-cart"))))

    assert text(segment, 0) == "worktree checkout-of-the…"
