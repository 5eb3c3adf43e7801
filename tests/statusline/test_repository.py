import os
from pathlib import Path

import pytest

from statusline.repository import head_of


def repository(path: Path, head: str = "ref: refs/heads/main\n") -> Path:
    (path / ".git").mkdir(parents=True)
    (path / ".git" / "HEAD").write_text(head)
    return path


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("ref: refs/heads/main\n", "main"),
        ("ref: refs/heads/feature/checkout-flow\n", "feature/checkout-flow"),
        ("ref: refs/bisect/bad\n", "refs/bisect/bad"),
        ("3f9c1e2a7b" + "0" * 30 + "\n", "@3f9c1e2"),
        ("3f9c1e2a7b" + "0" * 54 + "\n", "@3f9c1e2"),
        ("ref: refs/heads/.invalid\n", None),
        ("", None),
        ("garbage", None),
    ],
)
def test_head_is_named(head: str, name: str | None, tmp_path: Path) -> None:
    assert head_of(str(repository(tmp_path / "shop", head))) == name


def test_a_directory_deep_inside_finds_it(tmp_path: Path) -> None:
    repository(tmp_path / "shop")
    deep = tmp_path / "shop" / "src" / "cart"
    deep.mkdir(parents=True)

    assert head_of(str(deep)) == "main"


def test_the_nearest_repository_counts(tmp_path: Path) -> None:
    repository(tmp_path / "shop")
    inner = repository(tmp_path / "shop" / "vendor", "ref: refs/heads/inner\n")

    assert head_of(str(inner)) == "inner"


@pytest.mark.parametrize("is_relative", [False, True])
def test_a_worktree_has_its_own_head(is_relative: bool, tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    private = shop / ".git" / "worktrees" / "checkout"
    private.mkdir(parents=True)
    (private / "HEAD").write_text("ref: refs/heads/checkout-flow\n")
    worktree = tmp_path / "shop-checkout"
    worktree.mkdir()
    gitdir = os.path.relpath(private, worktree) if is_relative else private
    (worktree / ".git").write_text(f"gitdir: {gitdir}\n")

    assert head_of(str(worktree)) == "checkout-flow"


def test_outside_a_repository_there_is_none(tmp_path: Path) -> None:
    assert head_of(str(tmp_path / "gone" / "for" / "long")) is None


@pytest.mark.parametrize("directory", ["", ".", "shop", "a\0b"])
def test_a_relative_path_is_not_read(directory: str) -> None:
    assert head_of(directory) is None


def test_pipes_and_devices_do_not_block(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    (shop / ".git" / "HEAD").unlink()
    os.mkfifo(shop / ".git" / "HEAD")

    assert head_of(str(shop)) is None
