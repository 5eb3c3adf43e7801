import os
from pathlib import Path

import pytest

from statusline.payload import Payload, transcript_size


def test_a_transcript_has_a_size(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"x" * 17)

    assert transcript_size(Payload(transcript_path=str(path))) == 17


@pytest.mark.parametrize("path", ["", "/nowhere/session.jsonl", "a\0b", os.devnull])
def test_what_is_no_file_has_none(path: str) -> None:
    assert transcript_size(Payload(transcript_path=path)) == -1


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert transcript_size(Payload(transcript_path=str(tmp_path / "pipe"))) == -1
