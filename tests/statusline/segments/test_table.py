from pathlib import Path

import statusline.segments
from shared.config import StatusLine
from statusline.segments import SEGMENTS


def test_every_file_is_in_the_table_under_its_name() -> None:
    files = {path.stem for path in Path(statusline.segments.__path__[0]).glob("*.py")} - {"__init__", "badge"}

    assert set(SEGMENTS) == files
    assert all(render.__module__ == f"statusline.segments.{name}" for name, render in SEGMENTS.items())


def test_the_default_line_shows_every_segment_in_the_tables_order() -> None:
    assert [name for line in StatusLine().lines for name in line] == list(SEGMENTS)
