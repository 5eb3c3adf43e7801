"""What the store holds: every table and column, and how an older store is migrated.

Numbers, names of tools and models, paths, ids and times: never text of a conversation. Tokens are the API's own
count unless a column says that it is estimated; times are epoch seconds. To change a table, raise SCHEMA and add a
migration; to change how a transcript is read, raise PARSER, and every transcript that still exists is read again.
"""

import enum

from shared.gauge.levels import Level

SCHEMA = 6
"""The version of the tables, which is the file's `user_version`."""
APPLICATION = 0x54494445
"""`TIDE`: SQLite's mark of whose file it is."""
PARSER = 3
"""The version of the reading of transcripts (history/reading): a transcript that an older version has read is
read again if the file still exists; if the client has pruned it, its rows stay as they are."""


class PartKind(enum.IntEnum):
    """What entered the window between two answers (`parts.kind`)."""

    START = 0
    """What an emptied window begins with, which no line shows: system prompt, tools, instruction files."""
    OUTPUT = 1
    """The previous answer, which is part of what the next request sends. `name` is empty."""
    TOOL = 2
    """A tool's result. `name` is the tool's."""
    PROMPT = 3
    """What the person wrote, or the client in their name; the summary after a compaction."""
    ATTACHMENT = 4
    """What the client added, hook output included. `name` is the attachment's type."""
    REMOVED = 5
    """What left the window without a compaction; negative."""
    UNSEEN = 6
    """Growth for which the transcript shows nothing, such as tools that were loaded later."""


class PartCertainty(enum.IntEnum):
    """How a part's tokens are known (`parts.certainty`)."""

    MEASURED = 0
    """All that entered besides the answer's own output, whose tokens the API reported."""
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


_VIEWS = """
-- Where each call belongs.
CREATE VIEW conversations AS
    SELECT cycles.id AS cycle, transcripts.id AS transcript, session, agent, project
    FROM cycles JOIN transcripts ON transcripts.id = cycles.transcript;

-- Every part with how long it stayed: `answers` that held it, until a compaction, a rewind or now, and what that cost:
-- `cost` = tokens x answers.
CREATE VIEW stays AS
    SELECT parts.*, calls.cycle, calls.at,
        coalesce(calls.abandoned, cycles.answers) - calls.step + 1 AS answers,
        parts.tokens * (coalesce(calls.abandoned, cycles.answers) - calls.step + 1) AS cost
    FROM parts JOIN calls ON calls.id = parts.call JOIN cycles ON cycles.id = calls.cycle;
"""

_TABLES = f"""
-- Small facts of the store itself. `salt`: what paths are hashed with; `hashes_paths`: 1 once a sync has hashed them;
-- `plain_paths`: 1 until the file has been written anew after that;
-- `synced_at`: epoch seconds of the last whole sync; `telemetry_version`: history.telemetry.ledger's.
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

-- Texts that repeat: models, tools (an MCP server's tool is `mcp__SERVER__TOOL`), attachments, types of subagents.
CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

-- A file or a directory that a tool was called with, or a project. Hashed: both parts are 16 hexadecimal digits.
CREATE TABLE paths (
    id INTEGER PRIMARY KEY,
    directory INTEGER,               -- paths.id; NULL: this is a directory
    name TEXT NOT NULL,              -- a file's name; of a directory the whole path
    UNIQUE (directory, name)         -- holds for files: SQL takes NULLs for different
);
CREATE UNIQUE INDEX directories ON paths (name) WHERE directory IS NULL;

-- The sizes of windows, and where each really ends; `key` is all of it, for SQL takes NULLs for different.
CREATE TABLE windows (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    tokens INTEGER,                  -- NULL: unknown
    source TEXT NOT NULL,            -- of the size: one of shared.gauge.window.SOURCES
    ends_at INTEGER,                 -- tokens: the limit (shared.gauge.limit); NULL: unknown
    certainty TEXT NOT NULL          -- of the limit: one of shared.gauge.limit.LimitCertainty; '' where it is unknown
);

-- One row a file that the client wrote: a session's, or a subagent's. It stays when the client prunes the file.
CREATE TABLE transcripts (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,     -- 63 bits of a digest of its path
    path TEXT NOT NULL,              -- absolute; '' where paths are hashed
    session TEXT NOT NULL,           -- the session's id; of a subagent its caller's
    agent TEXT,                      -- the subagent's id; NULL: this is a session's own
    project INTEGER,                 -- paths.id: the directory that the client was started in
    version TEXT NOT NULL,           -- of the client that wrote its newest line; '' where it doesn't say
    first_at INTEGER,                -- time of its first line that somebody said; NULL: there is none, so no session
    last_at INTEGER,                 -- time of its last one
    position INTEGER NOT NULL,       -- the file's bytes when it was last read
    modified INTEGER NOT NULL,       -- its mtime then, in nanoseconds
    checksum BLOB NOT NULL,          -- empty: older versions read on from where they had stopped
    parser INTEGER NOT NULL,         -- PARSER of the reading
    state BLOB NOT NULL              -- empty, as above
);

-- For what a project's new sessions begin with (history.fresh_starts).
CREATE INDEX transcripts_of_project ON transcripts (project, last_at);

-- The time since a window was last empty, or compacted: from the start of a conversation, or a compaction, to the next.
CREATE TABLE cycles (
    id INTEGER PRIMARY KEY,
    transcript INTEGER NOT NULL,     -- transcripts.id
    number INTEGER NOT NULL,         -- from 0 in its transcript
    answers INTEGER NOT NULL,        -- on its branch until now: the largest `step` that is still in the window
    UNIQUE (transcript, number)
);

-- One row a call of the model that was paid for, however many lines and files tell of it.
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,          -- says nothing: the order is that of `cycle` and `step`
    key INTEGER NOT NULL UNIQUE,     -- 63 bits of a digest of the message's and the request's ids
    cycle INTEGER NOT NULL,          -- cycles.id, and so the transcript
    step INTEGER NOT NULL,           -- number of the answer on its branch of the cycle, from 1
    abandoned INTEGER,               -- after a rewind: the last step of the branch that was left; NULL: not left
    at INTEGER,                      -- time of the answer's first line
    model INTEGER NOT NULL,          -- names.id
    window INTEGER NOT NULL,         -- windows.id
    input INTEGER NOT NULL,          -- tokens, as billed
    cache_creation INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    output INTEGER NOT NULL,
    fill INTEGER NOT NULL,           -- tokens in the window: of the last request, where server tools made it several
    growth INTEGER NOT NULL,         -- `fill` less that of the step before on its branch; of step 1 all of it
    level TEXT,                      -- its name, by the settings of the sync; NULL: unknown window
    rebuild INTEGER,                 -- RebuildCause, where the prompt cache was written again
    rebuilt INTEGER,                 -- tokens that were read from the cache a step before and had to be written again
    cache_creation_1h INTEGER        -- of `cache_creation`, what the API keeps for an hour; NULL: not said
);

CREATE INDEX calls_of_cycle ON calls (cycle);

-- What entered the window with a call: the tokens of a call's parts sum to its `growth`, exactly.
CREATE TABLE parts (
    call INTEGER NOT NULL,           -- calls.id: the first whose request held it
    number INTEGER NOT NULL,         -- from 0, in the order in which they entered
    kind INTEGER NOT NULL,           -- PartKind
    certainty INTEGER NOT NULL,      -- PartCertainty
    tokens INTEGER NOT NULL,
    bytes INTEGER NOT NULL,          -- as it stands in the transcript; 0 for what no line shows
    name INTEGER,                    -- names.id: the tool, or the attachment's type
    path INTEGER,                    -- paths.id: what the tool was called with
    subagent INTEGER,                -- names.id: the type of the subagent that was started
    PRIMARY KEY (call, number)
) WITHOUT ROWID;

CREATE TABLE compactions (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,     -- 63 bits of a digest of the boundary's id
    cycle INTEGER NOT NULL,          -- cycles.id: the one that it ended
    at INTEGER,
    trigger TEXT NOT NULL,           -- auto or manual
    before INTEGER,                  -- tokens in the window before it
    after INTEGER,                   -- the kept messages' alone, as the client says it; older clients don't
    summary INTEGER,                 -- tokens of the summary, estimated: its bytes / 4
    milliseconds INTEGER             -- that it took; older clients don't say
);

-- Messages of ours to the agent, as they stand in the transcript.
CREATE TABLE warnings (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL UNIQUE,     -- 63 bits of a digest of the line's id
    cycle INTEGER NOT NULL,          -- cycles.id
    step INTEGER NOT NULL,           -- the answer after which it came; 0: before the cycle's first
    at INTEGER,
    level TEXT NOT NULL,             -- its name
    outcome INTEGER                  -- WarningOutcome; NULL: too little has followed yet
);

-- How much of the account's limits was used, on change, as the status lines reported it.
CREATE TABLE rate_limits (
    name TEXT NOT NULL,              -- 5h or 7d
    at INTEGER NOT NULL,             -- when the client said so
    used REAL NOT NULL,              -- percent
    resets_at INTEGER,
    PRIMARY KEY (name, at)
) WITHOUT ROWID;

-- What a collector has taken (history.telemetry.ledger): each counter as it knows it.
CREATE TABLE telemetry_accounts (
    series INTEGER PRIMARY KEY,      -- 63 bits of a salted digest of the metric's name and attributes
    total REAL NOT NULL,             -- of the newest point
    started INTEGER NOT NULL,        -- when it was 0, in epoch nanoseconds
    newest INTEGER NOT NULL          -- time of the newest point, in epoch nanoseconds
);

-- How much of each of the last hours has been taken.
CREATE TABLE telemetry_cells (
    hour INTEGER NOT NULL,           -- its beginning
    series INTEGER NOT NULL,         -- as above; of the gauges that of the fill
    taken REAL NOT NULL,             -- of a counter the sum; of gauges the fullest answer's rank
    PRIMARY KEY (hour, series)
) WITHOUT ROWID;

{_VIEWS}"""

_FROM_2 = f"""
-- Levels had numbers, which can't be told from ones that mean something else once another level lies between two.
UPDATE calls SET level = CASE level WHEN 0 THEN 'NORMAL' WHEN 1 THEN 'WARNING' WHEN 2 THEN 'CRITICAL'
    WHEN 3 THEN 'EXHAUSTED' END WHERE level IS NOT NULL;
UPDATE warnings SET level = CASE level WHEN 0 THEN 'NORMAL' WHEN 1 THEN 'WARNING' WHEN 2 THEN 'CRITICAL'
    WHEN 3 THEN 'EXHAUSTED' ELSE level END;
ALTER TABLE calls ADD COLUMN cache_creation_1h INTEGER;
CREATE INDEX transcripts_of_project ON transcripts (project, last_at);

-- A window cycle was called a filling, and a checksum a seal. The column `lost` of compactions stays, and isn't used.
DROP VIEW conversations;
DROP VIEW stays;
DROP INDEX calls_of_filling;
ALTER TABLE fillings RENAME TO cycles;
ALTER TABLE calls RENAME COLUMN filling TO cycle;
ALTER TABLE compactions RENAME COLUMN filling TO cycle;
ALTER TABLE warnings RENAME COLUMN filling TO cycle;
ALTER TABLE transcripts RENAME COLUMN seal TO checksum;
CREATE INDEX calls_of_cycle ON calls (cycle);
{_VIEWS}"""

MIGRATIONS = {0: _TABLES, 2: _FROM_2}
"""The script that makes today's tables, by the version that a store has; 0 is an empty one."""


def urgency(column: str) -> str:
    """An SQL expression for the rank of the level named in `column` in today's order; NULL for no level of today's."""
    cases = " ".join(f"WHEN '{level.name}' THEN {int(level)}" for level in Level)
    return f"CASE {column} {cases} END"
