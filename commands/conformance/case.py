"""The cases of the conformance suite: recorded redraws, each with the answers that agree with the client.

A case is a file in cases/: a line of JSON that names it, then what happened, in order. A row is a line that the client
appended to the session's transcript or to a subagent's, a line of which only a part is written yet, or a redraw with
the status line's payload. `$SESSION`, `$TRANSCRIPT`, `$PROJECT` and `$HOME` stand for what differs from run to run.
"""

import os

import msgspec

DIRECTORY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")


class CaseRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step: exactly one of `transcript`, `torn` and `redraw` is set."""

    transcript: msgspec.Raw = msgspec.Raw()
    """A whole line of a transcript."""
    agent: str = ""
    """The subagent whose transcript the line belongs to, such as `agent-a4f7`; empty for the session's."""
    torn: str = ""
    """The beginning of a line of the session's transcript that the client is still writing."""
    redraw: msgspec.Raw = msgspec.Raw()
    """The payload that the client gives its status line."""
    accepted: tuple[int | None, ...] = ()
    """The percentages in use that agree with the client; None means that none is shown."""


class RecordedCase(msgspec.Struct, frozen=True):
    """One recorded session; title, client and source are the first line of its file."""

    title: str
    client: str
    """The client's version."""
    source: str
    """The case's origin, and what was changed in it."""
    name: str = ""
    rows: tuple[CaseRow, ...] = ()


def read_cases() -> list[RecordedCase]:
    """Read all cases, those of one name together. Raises OSError, msgspec.MsgspecError."""
    return [_read(name) for name in sorted(os.listdir(DIRECTORY)) if name.endswith(".jsonl")]


def _read(name: str) -> RecordedCase:
    with open(os.path.join(DIRECTORY, name), "rb") as file:
        first, _, following = file.read().partition(b"\n")
    case = msgspec.json.decode(first, type=RecordedCase)
    rows = msgspec.json.Decoder(CaseRow).decode_lines(following)
    return msgspec.structs.replace(case, name=name.removesuffix(f".{case.client}.jsonl"), rows=tuple(rows))
