from pathlib import Path

import pytest

from shared import paths
from shared.client.rate_limits import RateLimit, RateLimits
from shared.files import files
from statusline.measuring.session_samples import CompactionCount, SessionSamples, update
from statusline.payload import Payload
from tests.transcripts import Transcript

ROUGHLY_NEVER = 4e9


def draw(root: Path, path: Path, used: float = 40, session_id: str = "session-1") -> SessionSamples:
    limits = RateLimits(RateLimit(used, ROUGHLY_NEVER))
    payload = Payload(session_id, str(path), rate_limits=limits)
    return update(payload, files.size(str(path)), str(root))


def test_samples_are_kept_for_the_next_redraw(root: Path, tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.boundary(167_000)
    first = draw(root, transcript.path)
    transcript.boundary(167_000)
    second = draw(root, transcript.path, used=41)

    assert (first.compactions.number, second.compactions.number) == (1, 2)
    assert first.rate_samples == second.rate_samples
    assert [sample.used for sample in second.rate_samples["5h"]] == [40]


def test_a_redraw_with_nothing_new_writes_nothing(root: Path, tmp_path: Path) -> None:
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.boundary(167_000)
    draw(root, transcript.path)
    path = Path(paths.session_samples(str(root), "session-1"))
    before = path.stat().st_mtime_ns
    transcript.answer(24_000)

    assert draw(root, transcript.path).compactions.number == 1
    assert path.stat().st_mtime_ns == before
    assert len(path.read_bytes()) < 1000


@pytest.mark.parametrize("compactions", [b'"many"', b'{"number":-1}', b'{"offset":-%d}' % 2**64])
def test_a_damaged_file_counts_as_missing(root: Path, tmp_path: Path, compactions: bytes) -> None:
    transcript = Transcript(tmp_path / "t.jsonl")
    transcript.boundary(167_000)
    draw(root, transcript.path)
    Path(paths.session_samples(str(root), "session-1")).write_bytes(b'{"compactions":%s}' % compactions)

    assert draw(root, transcript.path).compactions.number == 1


def test_without_a_usable_id_or_transcript_few_samples_are_taken(root: Path, tmp_path: Path) -> None:
    assert draw(root, tmp_path / "none", session_id="../x") == SessionSamples()
    assert draw(root, tmp_path / "none").compactions.number == 0


def test_a_failed_read_or_write_is_lost_alone(root: Path, tmp_path: Path) -> None:
    (root / "run").write_text("in the way")
    limits = RateLimits(RateLimit(40, ROUGHLY_NEVER))

    samples = update(Payload("session-1", str(tmp_path / "gone"), rate_limits=limits), 500, str(root))

    assert (samples.compactions, len(samples.rate_samples["5h"])) == (CompactionCount(), 1)
