"""The report's picture can be retaken where there is a browser."""

from pathlib import Path

import pytest

from docs.drawing import report

pytestmark = pytest.mark.any_python


def size(picture: bytes) -> tuple[int, int]:
    """The columns and rows of a PNG."""
    return int.from_bytes(picture[16:20], "big"), int.from_bytes(picture[20:24], "big")


def test_it_shows_the_same_part_of_the_page(tmp_path: Path) -> None:
    report.take(tmp_path / "report.png")
    width, height = size((tmp_path / "report.png").read_bytes())

    assert width == report.SIZE["width"]
    # Fonts differ from machine to machine, and so do the lines of a paragraph.
    assert height == pytest.approx(size(report.PICTURE.read_bytes())[1], rel=0.2)
