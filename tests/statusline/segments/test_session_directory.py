from pathlib import Path

import pytest

from statusline.measuring.status import Status
from statusline.payload import Payload, Workspace
from statusline.segments import session
from tests.statusline.scene import text


def form_text(directory: str | None, form: int = -1) -> str | None:
    return text(session.directory(Status(Payload(workspace=Workspace(directory)))), form)


@pytest.mark.parametrize(
    ("directory", "name"),
    [
        ("/home/dev/shop", "shop"),
        ("/home/dev/shop/", "shop"),
        ("/", "/"),
        ("C:\\Users\\dev\\shop", "shop"),
        ("C:\\", "C:"),
        ("\\\\server\\share\\shop\\", "shop"),
        ("/home/dev/back\\slash", "back\\slash"),
        ("/home/dev/sh\x07op", "shop"),
        ("/home/dev/店舗", "店舗"),
        ("", None),
        (None, None),
    ],
)
def test_the_last_part_of_the_path_is_shown(directory: str | None, name: str | None) -> None:
    assert form_text(directory) == name


def test_the_working_directory_is_used_if_the_workspace_is_missing() -> None:
    assert text(session.directory(Status(Payload(cwd="/home/dev/shop")))) == "shop"


def test_the_branch_is_shown_and_shortened_before_the_name(tmp_path: Path) -> None:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/feature/checkout-of-the-whole-cart-at-once\n")

    assert [form_text(str(tmp_path / "shop"), form) for form in range(4)] == [
        "shop",
        "shop",
        "shop (feature/check…)",
        "shop (feature/checkout-of-the-whole-c…)",
    ]


def test_a_long_name_is_shortened() -> None:
    assert form_text("/home/dev/the-whole-shop-in-one", 0) == "the-whole-sho…"
