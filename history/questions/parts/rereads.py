"""Files that were read again although they were still in the window."""

import sqlite3
from collections.abc import Mapping

import msgspec

from history.store.schema import PartKind
from shared.client.client import READ


class Reread(msgspec.Struct):
    """One file's reads after the first, in all cycles: the store doesn't know which lines each read brought."""

    file: str
    times: int = 0
    tokens: int = 0
    cost: int = 0
    """Tokens x answers for which they stayed."""
    same: int = 0
    """Reads, of `times`, that brought exactly as many bytes as an earlier one: the same again, not another part."""
    same_cost: int = 0


def rereads(store: sqlite3.Connection, since: int, paths: Mapping[int, tuple[str, str]]) -> list[Reread]:
    """The costliest first."""
    by_path: dict[int, Reread] = {}
    file, sizes = None, set[int]()
    for row in store.execute(_READS, (since, PartKind.TOOL, READ)):
        if file != (row["cycle"], row["path"]):
            file, sizes = (row["cycle"], row["path"]), set()
        else:
            reread = by_path.setdefault(row["path"], Reread(paths[row["path"]][0]))
            reread.times += 1
            reread.tokens += row["tokens"]
            reread.cost += row["cost"]
            if row["bytes"] in sizes:
                reread.same += 1
                reread.same_cost += row["cost"]
        sizes.add(row["bytes"])
    return sorted(by_path.values(), key=lambda reread: (-reread.cost, reread.file))


# Branches abandoned by a rewind don't count: what was read there is no longer in the window.
_READS = """
SELECT parts.path, calls.cycle, parts.tokens, parts.bytes, parts.tokens * (cycles.answers - calls.step + 1) AS cost
FROM parts JOIN calls ON calls.id = parts.call JOIN cycles ON cycles.id = calls.cycle
WHERE coalesce(calls.at, 0) >= ? AND calls.abandoned IS NULL AND parts.path IS NOT NULL
    AND parts.kind = ? AND parts.name = (SELECT id FROM names WHERE text = ?)
ORDER BY calls.cycle, parts.path, calls.step, parts.number
"""
