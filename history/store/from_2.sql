-- Migrates a store of version 2 to today's tables, without their views.

-- Levels were numbers, which would change their meaning if another level were put between two.
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
