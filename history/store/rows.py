"""What a stretch of a transcript adds to the store's tables: texts for which the store has no ids yet."""

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
    """Whether `path` is one."""
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
    """How certain the end is; empty where it is unknown."""


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


class CompactionRow(msgspec.Struct, array_like=True, gc=False):
    key: int
    cycle: int
    at: int | None
    trigger: str
    before: int | None
    after: int | None
    milliseconds: int | None


class WarningRow(msgspec.Struct, array_like=True, gc=False):
    key: int
    cycle: int
    step: int
    at: int | None
    level: str


class NewRows(msgspec.Struct, array_like=True):
    calls: list[CallRow] = []
    abandoned: list[tuple[int, int, int]] = []
    """Branches that a rewind left, added by earlier stretches: cycle, last step that stays, last step of the branch."""
    compactions: list[CompactionRow] = []
    summaries: dict[int, int] = {}
    """Tokens of the summary, by the compaction's key."""
    warnings: list[WarningRow] = []
    outcomes: dict[int, int] = {}
    """schema.WarningOutcome by the warning's key."""
    answers: dict[int, int] = {}
    """`cycles.answers` by the cycle's number."""
