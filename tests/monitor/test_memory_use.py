"""The monitor's process takes the same memory for any transcript."""

import sys

import pytest

from tests import peak_memory, scratch
from tests.monitor.scene import CRITICAL, Scene
from tests.transcripts import captured

MOST_MEMORY = 30 << 20
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="measured by POSIX's wait4")


def run(scene: Scene) -> tuple[bytes, int]:
    """The monitor's answer, and its peak memory in bytes."""
    command, environ = scratch.command(scene.root), scratch.environment(scene.root)
    output, code, peak = peak_memory.measure(command, scene.stdin(), environ)
    assert code == 0
    return output, peak


@pytest.mark.parametrize("size", [1 << 20, 1 << 30])
@pytest.mark.parametrize("is_answered", [True, False])
def test_memory_use_is_independent_of_the_transcripts_size(scene: Scene, size: int, *, is_answered: bool) -> None:
    """One transcript has an answer after a hole of `size` bytes, the other only the hole."""
    scene.transcript.prompt()
    scene.transcript.grow(size)
    if is_answered:
        scene.transcript.write(captured("2.1.330").read_bytes())
        scene.transcript.answer(CRITICAL)
    output, peak = run(scene)
    assert peak <= MOST_MEMORY
    assert (b"CRITICAL" in output) is is_answered


def test_memory_use_is_independent_of_the_lines_length(scene: Scene) -> None:
    scene.transcript.answer(CRITICAL)
    for _ in range(50):
        scene.transcript.grow(1 << 20)
    scene.transcript.grow(50 << 20)
    output, peak = run(scene)
    assert peak <= MOST_MEMORY
    assert b"CRITICAL" in output
