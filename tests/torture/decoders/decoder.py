"""Decoders of bytes that somebody else wrote: they answer, or raise the one error that their caller handles."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import scratch

_MISLEADING = ("TIDEGAUGE_", "CLAUDE_", "ANTHROPIC_", "DISABLE_", "XDG_")


class Decoder(NamedTuple):
    """A decoder, in a home of its own."""

    documents: Sequence[bytes]
    """As they should be: the inputs are made from these."""
    decode: Callable[[bytes], None]
    """Give it these bytes. Whatever this raises, an assertion too, is a defect."""

    def __repr__(self) -> str:
        """The repr without the documents: for a failure with 30,000 characters hypothesis reports only a warning."""
        return f"<{len(self.documents)} documents>"


def settle(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move this process to `home`, without waits for the client or anything of the person who runs it."""
    for name in os.environ:
        if name.startswith(_MISLEADING):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # no power is lost here
    monkeypatch.setattr("monitor.measuring.snapshot.LAG_SECONDS", 0)
    monkeypatch.setattr("monitor.hooks.stop.LAG_SECONDS", 0)


def check_log(root: Path) -> None:
    """Check that no part of a process has failed since the last check."""
    if lines := scratch.log(root):
        (root.parents[1] / "log" / "tidegauge.log").unlink()
        raise AssertionError("\n".join(lines))
