"""The last line of every answer: what to change, and how much that would have saved."""

import sqlite3
from collections.abc import Sequence
from typing import Literal

import msgspec

from shared.duration import duration_text
from shared.quantities import tokens_text


class Advice(msgspec.Struct, frozen=True):
    """What to change, and how much that would have saved in the period in question, computed from the rows."""

    change: str
    """A sentence; if nothing can be saved, why there is nothing to change."""
    saved: int = 0
    """In `unit`; 0: nothing to change."""
    of: int = 0
    """All that was spent, in the same unit."""
    unit: Literal["input tokens", "tokens written to the cache", "seconds", "compactions"] = "input tokens"

    @property
    def line(self) -> str:
        if not self.saved:
            return f"Nothing to change: {self.change}"
        if self.unit == "seconds":
            saved = f"{duration_text(self.saved)} of {duration_text(self.of)} spent on compactions"
        elif self.unit == "compactions":
            saved = f"{self.saved} of {self.of} compactions"
        else:
            saved = f"{tokens_text(self.saved)} of {tokens_text(self.of)} {self.unit}"
        return f"To change: {self.change} That would have saved {saved} ({percent_text(self.saved / self.of)})."


def largest(candidates: Sequence[Advice], otherwise: str) -> Advice:
    """The one that would have saved most; `otherwise` says why there is none."""
    best = max(candidates, key=lambda advice: advice.saved)
    return best if best.saved else Advice(otherwise)


def without_compactions(change: str, avoided: Sequence[sqlite3.Row], every: Sequence[sqlite3.Row]) -> Advice:
    """What not having the compactions `avoided` would have saved; older clients don't say how long they took."""
    if seconds := seconds_of(avoided):
        return Advice(change, seconds, seconds_of(every), "seconds")
    return Advice(change, len(avoided), len(every), "compactions")


def seconds_of(compactions: Sequence[sqlite3.Row]) -> int:
    return round(sum(row["milliseconds"] or 0 for row in compactions) / 1000)


def percent_text(part: float | None) -> str:
    """`n/a` if there is no whole."""
    if part is None:
        return "n/a"
    return "<1%" if 0 < part < 0.005 else f"{100 * part:.0f}%"
