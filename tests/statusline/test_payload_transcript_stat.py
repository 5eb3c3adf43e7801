import os
from pathlib import Path

import pytest

from statusline.payload import TranscriptStat, stat_of


def test_a_transcript_has_a_size(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"x" * 17)

    assert stat_of(str(path)) == TranscriptStat(str(path), 17)


@pytest.mark.parametrize("path", ["", "/nowhere/session.jsonl", "a\0b", os.devnull])
def test_what_is_no_file_has_none(path: str) -> None:
    assert stat_of(path).size == -1


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert stat_of(str(tmp_path / "pipe")).size == -1
