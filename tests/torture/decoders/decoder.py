"""What reads bytes that somebody else wrote: it answers, or raises the one error that its caller knows."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import scratch

_MISLEADING = ("TIDEGAUGE_", "CLAUDE_", "ANTHROPIC_", "DISABLE_", "XDG_")


class Decoder(NamedTuple):
    """One of them, in a home of its own."""

    documents: Sequence[bytes]
    """As they should be: the inputs are made from these."""
    decode: Callable[[bytes], None]
    """Give it these bytes. Whatever this raises, an assertion too, is a defect."""

    def __repr__(self) -> str:
        """Without its documents: of a failure with 30,000 characters hypothesis reports nothing but a warning."""
        return f"<{len(self.documents)} documents>"


def settle(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process stand in `home`, wait for no client, and know nothing of the person who runs it."""
    for name in os.environ:
        if name.startswith(_MISLEADING):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # no power is lost here
    monkeypatch.setattr("monitor.measuring.snapshot.LAG_SECONDS", 0)
    monkeypatch.setattr("monitor.hooks.stop.LAG_SECONDS", 0)


def check_log(root: Path) -> None:
    """No part of a process has failed since the last look."""
    if lines := scratch.log(root):
        (root.parents[1] / "log" / "tidegauge.log").unlink()
        raise AssertionError("\n".join(lines))
