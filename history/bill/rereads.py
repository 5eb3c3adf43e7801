"""Files that were read again although they were still in the window, on branches that no rewind has left."""

import sqlite3

import msgspec

from history.store.schema import PartKind
from history.store.stored_paths import joined
from shared.client.client import READ


class Reread(msgspec.Struct, frozen=True):
    """One file's reads after the first, in all cycles: the store doesn't know which lines each read brought."""

    file: str
    times: int
    tokens: int
    cost: int
    """Tokens x answers for which they stayed."""
    same: int
    """How many of `times` returned exactly as many bytes as an earlier read: the same again, not another part."""


def rereads(store: sqlite3.Connection, since: int) -> list[Reread]:
    """The files read again since then, the costliest first."""
    by_path = [Reread(joined(directory, name), *sums) for directory, name, *sums in store.execute(_BY_PATH, (since,))]
    return sorted(by_path, key=lambda reread: (-reread.cost, reread.file))


def repeated(store: sqlite3.Connection) -> dict[int, int]:
    """Tokens, by call, of reads that returned as many bytes of a file as an earlier read in the window."""
    return dict(store.execute(_SAME_BY_CALL).fetchall())


_REREADS = f"""
SELECT * FROM (
    SELECT call, path, tokens, at, tokens * (answers - step + 1) AS cost,
        row_number() OVER (PARTITION BY cycle, path ORDER BY step, parts.number) > 1 AS is_again,
        row_number() OVER (PARTITION BY cycle, path, bytes ORDER BY step, parts.number) > 1 AS is_same
    FROM parts JOIN calls ON calls.id = call JOIN cycles ON cycles.id = cycle
    WHERE abandoned IS NULL AND path IS NOT NULL
        AND kind = {PartKind.TOOL:d} AND name = (SELECT id FROM names WHERE text = '{READ}')
) WHERE is_again
"""
# total(), because the sum of absurd counts overflows; a float is exact up to 2^53.
_BY_PATH = f"""
SELECT above.name, paths.name, count(*), CAST(total(tokens) AS INTEGER), CAST(total(cost) AS INTEGER), sum(is_same)
FROM ({_REREADS}) JOIN paths ON paths.id = path LEFT JOIN paths AS above ON above.id = paths.directory
WHERE coalesce(at, 0) >= ? GROUP BY path
"""
_SAME_BY_CALL = f"SELECT call, CAST(total(tokens) AS INTEGER) FROM ({_REREADS}) WHERE is_same GROUP BY call"
