"""The redraws of a recorded session, and their rows in a conformance case."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

LONGEST_TEXT = 60
"""Characters of a text that stay: the client's own texts are longer, and none of them is needed."""
_LINES = {"assistant", "user", "system", "attachment", "api-request", "summary"}
"""The types of the transcript's lines that stay."""
_ATTACHMENTS = {"model", "total_tokens_reminder"}
"""The attachments that name a window."""
_FIELDS = {
    "agentId", "attachment", "compactMetadata", "content", "cwd", "entrypoint", "isApiErrorMessage",
    "isCompactSummary", "isMeta", "isSidechain", "isVisibleInTranscriptOnly", "leafUuid", "level",
    "logicalParentUuid", "message", "params", "parentUuid", "requestId", "sessionId", "subtype", "timestamp", "type",
    "uuid", "version",
}  # fmt: skip
"""The fields of a line that stay."""

Row = dict[str, Any]


class Redraw(NamedTuple):
    """One redraw: the status line's payload, and the transcripts at that moment."""

    payload: dict[str, Any]
    transcript: str
    agents: dict[str, str]

    @property
    def window(self) -> dict[str, Any]:
        block: dict[str, Any] = self.payload["context_window"]
        return block

    @property
    def session(self) -> str:
        return str(self.payload["session_id"])


class Origin(NamedTuple):
    """The directories of a recording, which get other names in a case."""

    home: Path
    project: Path

    def anonymous(self, row: Row, session: str) -> Row:
        """`row` with the case's names in place of ids and paths."""
        text = json.dumps(row)
        for real, name in ((session, "$SESSION"), (str(self.project), "$PROJECT"), (str(self.home), "$HOME")):
            text = text.replace(real, name)
        renamed: Row = json.loads(text)
        return renamed


def redraws_in(folder: Path) -> list[Redraw]:
    """The redraws that snapshot.py saved, oldest first."""
    return [Redraw(**json.loads(path.read_bytes())) for path in sorted(folder.glob("*.json"))]


def rows(redraws: Sequence[Redraw], origin: Origin) -> Iterator[Row]:
    """The newest session in order: transcript lines, and redraws with the client's figures.

    A redraw with an unchanged window and unchanged transcripts is left out. If the transcripts have grown, its numbers
    are those of an older sample: no number is as right as the old one.
    """
    session = redraws[-1].session
    files: dict[str, TranscriptRows] = {}
    last: object = None
    for redraw in redraws:
        if redraw.session != session:
            continue
        added = [
            row
            for name, text in {"": redraw.transcript, **redraw.agents}.items()
            for row in files.setdefault(name, TranscriptRows(name.removesuffix(".jsonl"))).added(text)
        ]
        if added or redraw.window != last:
            payload = redraw.payload | {"transcript_path": "$TRANSCRIPT"}
            again = [None] if redraw.window == last else []
            added.append({"redraw": payload, "accepted": [*accepted(redraw.window), *again]})
        last = redraw.window
        yield from (origin.anonymous(row, session) for row in added)


def accepted(window: dict[str, Any]) -> list[int | None]:
    """The answers that agree with the client: its own percentage, or None where it reports nothing.

    After a compaction it reports zeros, which mean that it doesn't know either.
    """
    usage = window["current_usage"]
    if usage is None:
        return [None]
    return [window["used_percentage"]] if any(usage.values()) else [None, 0]


class TranscriptRows:
    """The lines of one transcript as rows, without the client's own texts."""

    def __init__(self, agent: str) -> None:
        """`agent` is empty for the main transcript."""
        self._place = {"agent": agent} if agent else {}
        self._count = 0
        self._parents: dict[str, str | None] = {}

    def added(self, text: str) -> list[Row]:
        """The rows added to `text`, the whole transcript, since the last call."""
        lines = text.splitlines()
        new = [self._shortened(json.loads(line)) for line in lines[self._count :]]
        self._count = len(lines)
        return [{**self._place, "transcript": line} for line in new if line is not None]

    def _shortened(self, line: dict[str, Any]) -> dict[str, Any] | None:
        """A line that a reader may need; None for any other, whose children then get its parent."""
        parent = line.get("parentUuid") or ""
        parent = self._parents.get(parent, parent or None)
        is_attachment = line["type"] == "attachment"
        if line["type"] not in _LINES or (is_attachment and line["attachment"]["type"] not in _ATTACHMENTS):
            if "uuid" in line:
                self._parents[line["uuid"]] = parent
            return None
        short: dict[str, Any] = _cut({key: value for key, value in line.items() if key in _FIELDS})
        return short | {"parentUuid": parent} if "parentUuid" in line else short


def _cut(value: Any) -> Any:
    if isinstance(value, str) and len(value) > LONGEST_TEXT and not value.startswith("/"):
        return value[:LONGEST_TEXT] + "…"
    if isinstance(value, dict):
        return {key: _cut(part) for key, part in value.items()}
    return [_cut(part) for part in value] if isinstance(value, list) else value
