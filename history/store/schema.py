"""The meanings of numbers in the store's columns, and the migration of older stores; tables.sql has every column.

To change a table, raise SCHEMA and add a migration; to change how a transcript is read, raise PARSER, and every
transcript that still exists is read again.
"""

import enum
from pathlib import Path

from shared.gauge.levels import Level

SCHEMA = 6
"""The version of the tables, which is the file's `user_version`."""
APPLICATION = 0x54494445
"""`TIDE`, the file's `application_id`."""
PARSER = 3
"""The version of history/reading: a transcript that an older version has read is read again if its file still
exists; if the client has pruned it, its rows stay as they are."""


class PartKind(enum.IntEnum):
    """The kind of a part that entered the window between two answers (`parts.kind`)."""

    START = 0
    """The start of an emptied window, which no line shows: system prompt, tools, instruction files."""
    OUTPUT = 1
    """The previous answer, which is part of what the next request sends. `name` is empty."""
    TOOL = 2
    """A tool's result. `name` is the tool's."""
    PROMPT = 3
    """A text that the person wrote, or the client in their name; the summary after a compaction."""
    ATTACHMENT = 4
    """An addition by the client, such as hook output. `name` is the attachment's type."""
    REMOVED = 5
    """Tokens that left the window without a compaction; negative."""
    UNSEEN = 6
    """Growth for which the transcript shows nothing, such as tools that were loaded later."""


class PartCertainty(enum.IntEnum):
    """The certainty of a part's tokens (`parts.certainty`)."""

    MEASURED = 0
    """Exact by the API's counts: the previous answer's output, or all the rest if that is one part."""
    SPLIT = 1
    """An entry's share, by size, of what several parts measure together."""
    ESTIMATED = 2
    """An estimate from the size alone: nothing measures it, not even together with others."""


class RebuildCause(enum.IntEnum):
    """Why the prompt cache was written again (`calls.rebuild`)."""

    EXPIRED = 0
    """More time had passed since the last answer than the cache lives."""
    COMPACTION = 1
    MODEL_SWITCH = 2
    PREFIX_CHANGED = 3
    """None of these: something before the newest messages had changed."""


class WarningOutcome(enum.IntEnum):
    """What followed a warning (`warnings.outcome`); defined in history.reading.calls.warnings."""

    GROWTH_STOPPED = 0
    SAVED = 1
    COMPACTED = 2
    WENT_ON = 3


_SCRIPTS = {0: ("tables.sql", "views.sql"), 2: ("from_2.sql", "views.sql")}
"""The scripts that make today's tables, by the store's version; 0 is an empty store."""


def migration(version: int) -> str | None:
    """The script that migrates a store of `version` to today's tables; None if there is none. Raises OSError."""
    names = _SCRIPTS.get(version)
    return None if names is None else "".join(Path(__file__).with_name(name).read_text("utf-8") for name in names)


def urgency(column: str) -> str:
    """An SQL expression for the rank of the level named in `column`; NULL if today's levels lack it."""
    return " ".join([f"CASE {column}", *(f"WHEN '{level.name}' THEN {int(level)}" for level in Level), "END"])
