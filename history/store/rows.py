"""A transcript's rows for the store's tables, with texts in place of the store's ids."""

import msgspec


class WindowEntry(msgspec.Struct, array_like=True, gc=False):
    """Something that entered a window, before its number of tokens is known."""

    kind: int
    """schema.PartKind."""
    bytes: int
    name: str = ""
    path: str = ""
    """Absolute; empty where there is none."""
    is_directory: bool = False
    """Whether `path` is a directory."""
    subagent: str = ""


class PartRow(msgspec.Struct, array_like=True, gc=False):
    entry: WindowEntry
    certainty: int
    """schema.PartCertainty."""
    tokens: int


class WindowRow(msgspec.Struct, array_like=True, frozen=True, gc=False):
    tokens: int | None
    source: str
    ends_at: int | None
    certainty: str
    """The certainty of the end; empty if that is unknown."""


class CallRow(msgspec.Struct, array_like=True, gc=False):
    """One call of the model: the columns of `calls`, and its parts."""

    key: int
    cycle: int
    """The window cycle's number in the transcript."""
    model: str
    window: WindowRow
    step: int
    abandoned: int | None
    at: int | None
    fill: int
    growth: int
    level: str | None
    rebuild: int | None
    rebuilt: int | None
    input: int
    cache_creation: int
    cache_read: int
    output: int
    cache_creation_1h: int | None
    parts: list[PartRow]

    @property
    def usage(self) -> int:
        return self.input + self.cache_creation + self.cache_read + self.output


class CompactionRow(msgspec.Struct, array_like=True, gc=False):
    key: int
    cycle: int
    at: int | None
    trigger: str
    before: int | None
    after: int | None
    milliseconds: int | None
    summary: int | None = None


class WarningRow(msgspec.Struct, array_like=True, gc=False):
    key: int
    cycle: int
    step: int
    at: int | None
    level: str
    outcome: int | None = None
    """schema.WarningOutcome."""


class TranscriptRows(msgspec.Struct, array_like=True):
    calls: list[CallRow] = []
    compactions: list[CompactionRow] = []
    warnings: list[WarningRow] = []
    answers: dict[int, int] = {}
    """`cycles.answers` by the cycle's number."""
