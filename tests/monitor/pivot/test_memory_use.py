"""A long session is read in flat memory."""

import sys

import pytest

from benchmarks.sessions.work import project, work
from benchmarks.sessions.writer import MadeUpSession
from tests import peak_memory, scratch
from tests.monitor.scene import Scene

SIZE = 24 << 20
MOST_MEMORY = 40 << 20


@pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")
def test_a_long_session_is_read_in_flat_memory(scene: Scene) -> None:
    session = MadeUpSession("long")
    work(session, project(session), 20)
    while scene.transcript.size < SIZE:
        scene.transcript.write(session.transcript)
    peaks = []
    for tokens in (141_000, 160_000):  # an alert, and an export that is recommended
        scene.transcript.answer(tokens)
        command, environ = scratch.command(scene.root), scratch.environment(scene.root)
        _, code, peak = peak_memory.measure(command, scene.stdin(), environ)
        assert code == 0
        peaks.append(peak)
    assert max(peaks) <= MOST_MEMORY
    assert scratch.log(scene.root) == []
