"""The monitor's process takes the same memory whatever the transcript."""

import subprocess
import sys

import pytest

from tests import scratch
from tests.monitor.scene import CRITICAL, Scene
from tests.transcripts import captured

MOST_MEMORY = 30 << 20
MEASURE = """
import os, sys
child = os.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
sys.stderr.write(f"{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss * (1 if sys.platform == 'darwin' else 1024)}")
"""
"""Runs a command and tells its exit code and its peak memory. A small process of its own: a child begins with
the peak of the process that it was forked from."""


@pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")
@pytest.mark.parametrize("size", [1 << 20, 1 << 30])
@pytest.mark.parametrize("is_answered", [True, False])
def test_memory_is_flat_whatever_the_transcripts_size(scene: Scene, size: int, *, is_answered: bool) -> None:
    """With an answer behind a hole of `size` bytes, and with nothing but the hole."""
    scene.transcript.prompt()
    scene.transcript.grow(size)
    if is_answered:
        scene.transcript.write(captured("2.1.330").read_bytes())
        scene.transcript.answer(CRITICAL)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *scratch.command(scene.root)],
        input=scene.stdin(),
        capture_output=True,
        env=scratch.environment(scene.root),
        timeout=20,
        check=True,
    )
    code, peak = done.stderr.split()
    assert int(code) == 0
    assert int(peak) <= MOST_MEMORY
    assert (b"CRITICAL" in done.stdout) is is_answered


@pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")
def test_memory_is_flat_whatever_the_lines_length(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL)
    for _ in range(50):
        scene.transcript.grow(1 << 20)
    scene.transcript.grow(50 << 20)
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", MEASURE, *scratch.command(scene.root)],
        input=scene.stdin(),
        capture_output=True,
        env=scratch.environment(scene.root),
        timeout=20,
        check=True,
    )
    assert int(done.stderr.split()[1]) <= MOST_MEMORY
    assert b"CRITICAL" in done.stdout
