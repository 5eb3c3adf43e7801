-- Every table and column. Numbers, names of tools and models, paths, ids and times: never text of a conversation.
-- Tokens are the API's own count unless a column says that it is estimated; times are epoch seconds.

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

-- The sizes of windows, and where each really ends; `key` joins all columns, because SQL treats NULLs as different.
CREATE TABLE windows (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    tokens INTEGER,                  -- NULL: unknown
    source TEXT NOT NULL,            -- of the size: a name of shared.gauge.window.WindowSource
    ends_at INTEGER,                 -- tokens: the limit (shared.gauge.limit); NULL: unknown
    certainty TEXT NOT NULL          -- of the limit: one of shared.gauge.limit.LimitCertainty; '' where it is unknown
);

-- One row per file that the client wrote: a session's, or a subagent's. It stays when the client prunes the file.
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

-- One row per call of the model that was paid for, however many lines and files repeat it.
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

-- Our messages to the agent, as the transcript has them.
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
