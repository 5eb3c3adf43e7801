import re

import pytest

from monitor.activity.activity import Failure, Task
from monitor.checkpoints import sections
from monitor.checkpoints.brief import brief
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, FileUse, SessionInfo
from monitor.session import Project

CHECKPOINT = ".claude/tidegauge/checkpoints/cx-001-checkpoint.json"


def test_a_file_is_named_by_its_whole_path() -> None:
    assert sections.place(f"/shop/{CHECKPOINT}", Project("/shop", "/shop")) == f"/shop/{CHECKPOINT}"


def test_a_file_with_a_long_path_is_named_as_seen_from_the_project() -> None:
    shop = "/shop" * 20

    assert sections.place(f"{shop}/{CHECKPOINT}", Project(shop, shop)) == CHECKPOINT


@pytest.mark.parametrize(("part", "said"), [(0.825, "83"), (0.0, "0"), (None, "?"), (1e308, "?")])
def test_the_fill_is_a_percentage_where_there_is_one(part: float | None, said: str) -> None:
    checkpoint = Checkpoint("cx-001", "", 1, ContextState(fill_percentage=part), SessionInfo("shop", "main", "/shop"))
    assert sections.fill(checkpoint) == said


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ((), "main at aaaaaaaaaa, all committed"),
        ((".M a.py",), "main at aaaaaaaaaa, 1 file with uncommitted changes"),
        ((".M a.py", "?? b.py"), "main at aaaaaaaaaa, 2 files with uncommitted changes"),
    ],
)
def test_a_branch_says_how_much_is_not_committed(files: tuple[str, ...], said: str) -> None:
    info = SessionInfo("shop", "main", "/shop", head="a" * 40)
    checkpoint = Checkpoint("cx-001", "", 1, ContextState(), info, dirty_files=files, dirty_count=len(files))
    section = sections.branch(checkpoint, 5)
    assert section.items == [said, *files]


@pytest.mark.parametrize(
    ("info", "said"),
    [
        (SessionInfo("shop", None, "/shop", head="b" * 40), ["none (detached) at bbbbbbbbbb, all committed"]),
        (SessionInfo("shop", "main", "/shop"), ["main, all committed"]),
        (SessionInfo("shop", "main", "/shop", head="(initial)"), ["main, all committed"]),
        (SessionInfo("shop", None, "/shop"), []),
    ],
)
def test_a_branch_is_told_as_far_as_there_is_one(info: SessionInfo, said: list[str]) -> None:
    assert sections.branch(Checkpoint("cx-001", "", 1, ContextState(), info), 5).items == said


def many(count: int) -> Checkpoint:
    """A checkpoint with so many of everything."""
    numbers = range(1, count + 1)
    return Checkpoint(
        "cx-001",
        "",
        1,
        ContextState(),
        SessionInfo("shop", "main", "/shop"),
        todo=tuple(Task(f"task {number}") for number in numbers),
        files_edited=tuple(FileUse(f"/shop/edited{number}", 2) for number in numbers),
        files_read=tuple(FileUse(f"/shop/read{number}", 2) for number in numbers),
        failing_commands=tuple(Failure(f"failing{number}", 9) for number in numbers),
        dirty_files=tuple(f".M dirty{number}" for number in numbers),
        dirty_count=count,
    )


def test_a_brief_names_so_many_of_each_kind() -> None:
    told = brief(many(9), f"/shop/{CHECKPOINT}", Project("/shop", "/shop"))
    counted = {
        word: len(set(re.findall(rf"{word}\d", told))) for word in ("task ", "edited", "failing", "read", "dirty")
    }
    assert counted == {"task ": 5, "edited": 6, "failing": 3, "read": 5, "dirty": 0}
    assert "9 files with uncommitted changes" in told
