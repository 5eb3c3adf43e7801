"""What filled the windows, summed up under a name."""

import sqlite3

import msgspec

from history.store.schema import PartCertainty


class Filler(msgspec.Struct):
    """All parts of one name."""

    name: str
    parts: int = 0
    tokens: int = 0
    """Negative where more left the windows than entered."""
    cost: int = 0
    """Tokens x answers for which they stayed: what they added to the input of all answers."""
    measured: int = 0
    """The tokens that are measured; the two below are the other certainties."""
    split: int = 0
    estimated: int = 0

    @property
    def certainty(self) -> str:
        """How most of the tokens are known, such as `split 84%`."""
        amounts = {name: abs(getattr(self, name)) for name in ("measured", "split", "estimated")}
        most = max(amounts, key=lambda name: amounts[name])
        part = amounts[most] / (sum(amounts.values()) or 1)
        return most if part > 0.995 else f"{most} {part:.0%}"


class Sums:
    """Fillers while they are summed up."""

    def __init__(self) -> None:
        self._fillers: dict[str, Filler] = {}
        self.entered = 0
        """Tokens that entered the windows."""

    def add(self, name: str, row: sqlite3.Row) -> None:
        """Add a row of parts of one certainty."""
        filler = self._fillers.get(name)
        if filler is None:
            filler = self._fillers[name] = Filler(name)
        filler.parts += row["parts"]
        filler.tokens += row["tokens"]
        filler.cost += row["cost"]
        match PartCertainty(row["certainty"]):
            case PartCertainty.MEASURED:
                filler.measured += row["tokens"]
            case PartCertainty.SPLIT:
                filler.split += row["tokens"]
            case PartCertainty.ESTIMATED:
                filler.estimated += row["tokens"]
        self.entered += max(0, row["tokens"])

    def largest(self, most: int) -> list[Filler]:
        return sorted(self._fillers.values(), key=lambda filler: (-filler.tokens, filler.name))[:most]
