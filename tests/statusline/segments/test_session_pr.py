import pytest

from statusline.measuring.status import Status
from statusline.payload import Payload, PullRequest
from statusline.segments import session
from tests.statusline.scene import text


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (PullRequest(128), "PR #128"),
        (PullRequest(128, "changes_requested"), "PR #128 changes requested"),
        (PullRequest(7, "approved", "mr"), "MR !7 approved"),
        (PullRequest(7, "\x1b[5m"), "PR #7"),
        (PullRequest(None, "approved"), None),
        (None, None),
    ],
)
def test_the_request_and_its_review(request_: PullRequest | None, expected: str | None) -> None:
    assert text(session.pr(Status(Payload(pr=request_)))) == expected
