"""Whole sessions through the launcher and through the monitor alone: both get the same messages."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.monitor.launched import LaunchedSession
from tests.transcripts import Transcript

pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="on Windows the interpreter is named directly"),
    pytest.mark.any_python,
]


class Step(NamedTuple):
    """One turn, and how much of it the client has written when the turn's hooks run."""

    output: int
    """Tokens that the answer says it has put out: what the next one's window holds beyond the results."""
    results: list[int]
    """Bytes of each parallel call's result, two of them a token: dense, but a token takes more than one byte."""
    lag: str
    """`none`, `answer` where the client has not written the answer yet, `result` where not the one before it either."""
    event: str
    """What happens before the turn: `write` of the summary file, `rewind`, `compaction`, or nothing."""


STEPS = st.builds(
    Step,
    st.integers(0, 500) | st.integers(0, 9_000),
    st.lists(st.integers(0, 800), min_size=1, max_size=3) | st.lists(st.integers(0, 14_000), min_size=1, max_size=3),
    st.sampled_from(["none", "none", "answer", "result"]),
    st.sampled_from([*[""] * 8, "write", "rewind", "compaction"]),
)


class Twins:
    """A session through the launcher, and its twin in which the monitor sees every tool use."""

    def __init__(self, folder: Path, tokens: int, **environ: str) -> None:
        self._sessions = [LaunchedSession(folder / name, **environ) for name in ("launched", "seen")]
        self._whole = Transcript(folder / "whole.jsonl").record_requests()
        self._tokens, self._uses, self._written = tokens, 0, 0
        self._late = ""
        for number in range(12, 0, -1):
            self._whole.answer(tokens - 150 * number, id=f"msg_before_{number}", tool_use_ids=[])

    def play(self, step: Step) -> list[tuple[str, str]]:
        """Both sessions' messages at each tool use of a turn."""
        self._happen(step.event)
        names = [f"toolu_{self._uses + number}" for number in range(len(step.results))]
        self._uses += len(names)
        before_result = self._whole.size
        if self._late:
            self._whole.result(*self._late_result())
        before_answer = self._whole.size
        self._whole.answer(self._tokens, id=f"msg_{names[0]}", tool_use_ids=names, output=step.output)
        self._show({"none": self._whole.size, "answer": before_answer, "result": before_result}[step.lag])
        messages = [self._messages(name, "x" * size) for name, size in zip(names, step.results, strict=True)]
        for name, size in list(zip(names, step.results, strict=True))[:-1]:
            self._whole.result(name, "x" * size)
        self._late, self._late_bytes = names[-1], step.results[-1]
        self._tokens += step.output + sum(step.results) // 2
        return messages

    def _late_result(self) -> tuple[str, str]:
        return self._late, "x" * self._late_bytes

    def _messages(self, name: str, text: str) -> tuple[str, str]:
        launched, whole = self._sessions
        return launched.use(name, text), whole.use_in_monitor(name, text)

    def _happen(self, event: str) -> None:
        if event == "write":
            for session in self._sessions:
                session.write_summary(f"after {self._uses} tool uses")
        elif event == "rewind":
            self._tokens = max(60_000, self._tokens - 40_000)
        elif event == "compaction":
            # Manual: whichever monitor sees an automatic one would learn it as the limit, at any fill.
            self._whole.boundary(self._tokens, 9_000, trigger="manual")
            self._tokens, self._late = 100_000, ""

    def _show(self, size: int) -> None:
        """Extend both transcripts to the first `size` bytes, unless they are longer already."""
        data = self._whole.path.read_bytes()[self._written : max(size, self._written)]
        self._written += len(data)
        for session in self._sessions:
            if data:
                session.transcript.write(data)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with patch("monitor.measuring.snapshot.LAG_SECONDS", 0):
        yield tmp_path_factory.mktemp("launcher")  # doesn't wait for an export that is still being written there


@settings(max_examples=15)
@given(
    start=st.integers(70_000, 175_000),
    steps=st.lists(STEPS, min_size=4, max_size=16),
    is_compacted=st.booleans(),
)
def test_the_launcher_changes_no_message(folder: Path, start: int, steps: list[Step], *, is_compacted: bool) -> None:
    """At all levels, however late the client writes, and whatever happens between the turns."""
    environ = {} if is_compacted else {"DISABLE_AUTO_COMPACT": "1"}
    twins = Twins(Path(tempfile.mkdtemp(dir=folder)), start, **environ)
    for number, step in enumerate(steps):
        for launched, expected in twins.play(step):
            assert launched == expected, (number, step)
