"""Cases that no current client produces, composed of recorded rows; each one's source says so."""

import json
from collections.abc import Sequence

from tests.client.recording.redraws import Row


def start(rows: Sequence[Row]) -> list[Row]:
    """Only the redraws before the first answer, for which the client has no figures."""
    return list(rows[: _first_certain(rows)])


def without_start(rows: Sequence[Row]) -> list[Row]:
    """All rows but the redraws before the first answer, so that each case tests one thing."""
    count = _first_certain(rows)
    return [*(row for row in rows[:count] if "redraw" not in row), *rows[count:]]


def _first_certain(rows: Sequence[Row]) -> int:
    """The index of the first redraw with a percentage, or of the transcript lines just before it."""
    first = next(number for number, row in enumerate(rows) if row.get("accepted", [None]) != [None])
    unknown = [number for number, row in enumerate(rows[:first]) if "redraw" in row]
    return unknown[-1] + 1 if unknown else 0


def sidechains(rows: Sequence[Row]) -> list[Row]:
    """The subagent's lines in the session's own transcript, where clients up to 2.0 wrote them."""
    return [{key: value for key, value in row.items() if key != "agent"} for row in rows]


def torn(rows: Sequence[Row]) -> list[Row]:
    """The last answer, half written when the last redraw shows it."""
    *before, last = rows
    at = max(number for number, row in enumerate(before) if row.get("transcript", {}).get("type") == "assistant")
    line = json.dumps(before[at]["transcript"], separators=(",", ":"), ensure_ascii=False)
    return [*before[:at], {"torn": line[: len(line) // 2]}, last]


def without_window(rows: Sequence[Row], used: int) -> list[Row]:
    """The transcript alone: one redraw whose payload lacks `context_window`; silence is as right as `used`."""
    lines = [row for row in rows if "transcript" in row]
    payload = {key: value for key, value in rows[-1]["redraw"].items() if key != "context_window"}
    return [*lines, {"redraw": payload, "accepted": [None, used]}]


def with_answer(rows: Sequence[Row], used: int) -> list[Row]:
    """The last redraw accepting `used` as well as what the client reported."""
    *before, last = rows
    return [*before, {**last, "accepted": sorted({*last["accepted"], used})}]
