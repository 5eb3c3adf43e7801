"""What `python3 -m tests` runs: all but the long tests, unless they are asked for."""

import pytest

from tests.__main__ import default_marker


@pytest.mark.parametrize(
    ("arguments", "marker"),
    [
        ([], ["-m", "not client and not torture"]),
        (["tests/monitor", "-k", "reminder"], ["-m", "not client and not torture"]),
        (["tests/client"], ["-m", "not torture"]),
        (["tests/torture", "tests/installer/test_killed.py"], ["-m", "not client"]),
        (["tests/torture/test_faults.py::test_full_disk"], ["-m", "not client"]),
        (["tests/client", "tests/torture"], []),
        (["-m", "torture"], []),
        (["-mclient", "-x"], []),
    ],
)
def test_long_tests_are_left_out_unless_a_path_or_a_mark_asks_for_them(arguments: list[str], marker: list[str]) -> None:
    assert default_marker(arguments) == marker
