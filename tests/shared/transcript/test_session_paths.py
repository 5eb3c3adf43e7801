import pytest

from shared.transcript.session_paths import absolute, is_within


@pytest.mark.parametrize(
    ("path", "directory", "whole"),
    [
        ("src/../app.py", "/home/dev", "/home/dev/app.py"),
        ("/etc/hosts", "/home/dev", "/etc/hosts"),
        ("app.py", "", "app.py"),
    ],
)
def test_a_path_is_written_in_one_way(path: str, directory: str, whole: str) -> None:
    assert absolute(path, directory) == whole


@pytest.mark.parametrize(
    ("path", "directory", "expected"),
    [
        ("/home/dev/app.py", "/home/dev", True),
        ("/home/dev/app.py", "/home/dev/", True),
        ("/home/device/app.py", "/home/dev", False),
        ("/etc/hosts", "/", True),
        ("/etc/hosts", "", True),
    ],
)
def test_a_path_is_within_its_directory_and_those_above(path: str, directory: str, *, expected: bool) -> None:
    assert is_within(path, directory) is expected
