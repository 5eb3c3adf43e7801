import ntpath
import posixpath

import pytest

from shared.transcript.session_paths import absolute, rules_of


@pytest.mark.parametrize("path", [r"C:\work", "c:/work", r"\\server\share\x"])
def test_a_drive_or_a_server_is_of_windows(path: str) -> None:
    assert rules_of(path) is ntpath


@pytest.mark.parametrize("path", ["/home/dev", "src/app.py", "", "a:b"])
def test_anything_else_is_not(path: str) -> None:
    assert rules_of(path) is posixpath


@pytest.mark.parametrize(
    ("path", "directory", "whole"),
    [
        ("src/../app.py", "/home/dev", "/home/dev/app.py"),
        ("/etc/hosts", "/home/dev", "/etc/hosts"),
        (r"src\app.py", r"c:\work", r"C:\work\src\app.py"),
        ("d:/notes/a.md", r"C:\work", r"D:\notes\a.md"),
        ("app.py", "", "app.py"),
    ],
)
def test_a_path_is_written_in_one_way(path: str, directory: str, whole: str) -> None:
    assert absolute(path, directory) == whole
