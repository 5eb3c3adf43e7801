import inspect

from shared.settings.config import StatusLine
from statusline.segments import SEGMENTS, session, spending, window


def test_every_segment_of_a_file_is_in_the_table_under_its_name() -> None:
    functions = {
        name
        for module in (session, spending, window)
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }
    assert set(SEGMENTS) == functions


def test_the_default_line_shows_every_segment_in_the_tables_order() -> None:
    assert [name for line in StatusLine().lines for name in line] == list(SEGMENTS)
