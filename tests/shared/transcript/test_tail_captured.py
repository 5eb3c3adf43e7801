import json
from pathlib import Path

import pytest

from tests.transcripts import NEW_CLIENT, OLD_CLIENT, captured, captured_subagent, tail_of

VERSIONS = (OLD_CLIENT, NEW_CLIENT)


def cut(source: Path, target: Path, count: int) -> Path:
    """The first `count` lines of a captured transcript: the file at an earlier point."""
    target.write_bytes(b"".join(source.read_bytes().splitlines(keepends=True)[:count]))
    return target


@pytest.mark.parametrize(
    ("version", "count", "tokens"),
    [
        (OLD_CLIENT, 7, None),
        (OLD_CLIENT, 8, 21_000),
        (OLD_CLIENT, 11, 52_000),
        (OLD_CLIENT, 13, 90_003),
        (OLD_CLIENT, 19, 134_003),
        (OLD_CLIENT, 37, 169_000),
        (OLD_CLIENT, 38, None),
        (OLD_CLIENT, 41, None),
        (OLD_CLIENT, 42, 24_000),
        (OLD_CLIENT, 52, None),
        (OLD_CLIENT, 64, 13_003),
        (NEW_CLIENT, 23, None),
        (NEW_CLIENT, 24, 21_000),
        (NEW_CLIENT, 34, 21_000),
        (NEW_CLIENT, 47, 90_003),
        (NEW_CLIENT, 58, 134_003),
        (NEW_CLIENT, 59, 10_503),
        (NEW_CLIENT, 87, 169_000),
        (NEW_CLIENT, 88, None),
        (NEW_CLIENT, 110, None),
        (NEW_CLIENT, 111, 24_000),
        (NEW_CLIENT, 137, None),
        (NEW_CLIENT, 165, None),
        (NEW_CLIENT, 176, 3),
    ],
)
def test_a_captured_session_is_read_at_every_point(
    tmp_path: Path, version: str, count: int, tokens: int | None
) -> None:
    assert tail_of(cut(captured(version), tmp_path / "session.jsonl", count)).tokens == tokens


@pytest.mark.parametrize("version", VERSIONS)
def test_a_captured_session_never_reads_differently_than_line_by_line(tmp_path: Path, version: str) -> None:
    path = tmp_path / "session.jsonl"
    path.touch()
    expected = None
    for text in captured(version).read_bytes().splitlines(keepends=True):
        with path.open("ab") as file:
            file.write(text)
        line = json.loads(text)
        if line["type"] == "assistant":
            usage = line["message"]["usage"]
            expected = sum(usage[f"{kind}input_tokens"] for kind in ("", "cache_creation_", "cache_read_"))
        elif line.get("subtype") == "compact_boundary":
            expected = None
        assert tail_of(path).tokens == expected


@pytest.mark.parametrize(("version", "tokens"), [(OLD_CLIENT, 10_503), (NEW_CLIENT, 150_003)])
def test_a_captured_subagent_is_read_from_its_own_file(version: str, tokens: int) -> None:
    assert tail_of(captured_subagent(version), is_subagent=True).tokens == tokens


@pytest.mark.parametrize("version", VERSIONS)
def test_a_subagents_lines_never_count_for_its_session(version: str) -> None:
    assert tail_of(captured_subagent(version)).answers == ()


@pytest.mark.parametrize(("version", "is_long"), [(OLD_CLIENT, None), (NEW_CLIENT, False)])
def test_only_the_newer_client_records_its_requests(version: str, *, is_long: bool | None) -> None:
    assert tail_of(captured(version)).is_long is is_long


@pytest.mark.parametrize("version", VERSIONS)
def test_a_captured_batch_is_one_answer_with_two_tools(tmp_path: Path, version: str) -> None:
    count = {OLD_CLIENT: 13, NEW_CLIENT: 42}[version]
    newest = tail_of(cut(captured(version), tmp_path / "session.jsonl", count)).answers[0]
    assert (len(newest.calls), newest.tokens) == (2, 90_003)
