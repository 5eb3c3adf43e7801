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
