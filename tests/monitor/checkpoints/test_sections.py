from monitor.checkpoints import sections
from monitor.session import Project

CHECKPOINT = ".claude/tidegauge/checkpoints/cx-001-checkpoint.json"


def test_a_file_is_named_by_its_whole_path() -> None:
    assert sections.place(f"/shop/{CHECKPOINT}", Project("/shop", "/shop")) == f"/shop/{CHECKPOINT}"


def test_a_file_with_a_long_path_is_named_as_seen_from_the_project() -> None:
    shop = "/shop" * 20

    assert sections.place(f"{shop}/{CHECKPOINT}", Project(shop, shop)) == CHECKPOINT
