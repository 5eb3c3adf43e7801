"""Every transcript of a client is found, whatever its name and depth."""

import inspect
import os
import sys

import pytest

from history.reading import processes
from history.reading.transcripts import all_in
from tests.history import trees
from tests.history.trees import ask, synced, transcript, turn


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a file's name is text")
@pytest.mark.parametrize("worthwhile", [1 << 30, 0])  # read by this process, and by two others
def test_a_transcript_with_an_undecodable_name_is_read(
    root: str, monkeypatch: pytest.MonkeyPatch, worthwhile: int
) -> None:
    monkeypatch.setattr(processes, "_WORTHWHILE", worthwhile)
    session = transcript(root)
    turn(session, 20_000, "1")
    session.path.rename(session.path.with_name(os.fsdecode(b"\xff\xfe.jsonl")))
    turn(transcript(root, "second"), 30_000, "2")

    assert synced(root).read == 2
    assert synced(root).read == 0
    assert ask(root, "SELECT session FROM transcripts ORDER BY session") == [("\\xff\\xfe",), ("second",)]


@pytest.mark.skipif(sys.platform == "win32", reason="there no file is that young")
def test_a_transcript_from_the_far_future_is_read_once(root: str) -> None:
    """SQLite can't hold nanoseconds beyond the year 2262."""
    session = transcript(root)
    turn(session, 20_000, "1")
    os.utime(session.path, (12_000_000_000, 12_000_000_000))

    assert [synced(root).read, synced(root).read] == [1, 0]


def test_folders_nested_deeper_than_the_recursion_limit_are_searched(root: str) -> None:
    session = transcript(root)
    turn(session, 20_000, "1")
    session.path.with_suffix("").joinpath("subagents", *"d" * 100).mkdir(parents=True)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 90)
    try:
        transcripts = list(all_in(trees.client_of(root)))
    finally:
        sys.setrecursionlimit(limit)

    assert [file.session for file in transcripts] == ["first"]
