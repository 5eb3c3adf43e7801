"""The history of the account's rate limits, from the status lines' samples."""

import json
import time
from pathlib import Path

from shared import paths
from shared.client.rate_limits import RateLimit, RateLimits
from statusline.measuring.session_samples import update
from statusline.payload import Payload
from tests.history.trees import ask, synced
from tests.transcripts import START


def test_each_change_of_a_rate_limit_is_taken_once(root: str) -> None:
    run = Path(paths.run_directory(root))
    run.mkdir()
    changes = [[START, 10, START + 9_000], [START + 90, 12, START + 9_000]]
    for count in (1, 2, 2):
        samples = {"rate_samples": {"5h": changes[:count]}}
        Path(paths.session_samples(root, "one")).write_text(json.dumps(samples))
        later = {"rate_samples": {"5h": [[at + 5, *rest] for at, *rest in changes[:count]]}}
        Path(paths.session_samples(root, "two")).write_text(json.dumps(later))
        synced(root)

    assert ask(root, "SELECT name, at - ?, used FROM rate_limits", int(START)) == [("5h", 0, 10.0), ("5h", 90, 12.0)]


def test_samples_between_two_syncs_are_stored(root: str, tmp_path: Path) -> None:
    synced(root)
    limits = RateLimits(RateLimit(41, time.time() + 3_600))
    update(Payload("session-1", str(tmp_path / "gone"), rate_limits=limits), 0, root)

    synced(root)

    assert ask(root, "SELECT name, used FROM rate_limits") == [("5h", 41.0)]


def test_a_sample_of_an_impossible_time_is_left_out(root: str) -> None:
    run = Path(paths.run_directory(root))
    run.mkdir()
    samples = [[1e300, 5, 1e300], [-1e25, 5, START], [START, 20, START + 9_000], [START + 90, 30, 1e19]]
    Path(paths.session_samples(root, "odd")).write_text(json.dumps({"rate_samples": {"5h": samples}}))

    synced(root)

    assert ask(root, "SELECT at - ?, used FROM rate_limits", int(START)) == [(0, 20.0)]
