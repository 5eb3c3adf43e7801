"""`python -m docs.generate`: puts into the pages, and draws, what the code knows better than any writer.

A generated block stands between `<!-- generated: NAME -->` and `<!-- end -->`; a test fails while one is old.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import patterns, results
from docs import bridge_schema, budgets, client_facts, pictures, plugin, reference, samples, walkthrough

REPOSITORY = Path(__file__).parent.parent
_BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)


def measured() -> str:
    """The tables of the last recorded run of the benchmarks."""
    return results.tables(json.loads((REPOSITORY / "benchmarks" / "results.json").read_text(encoding="utf-8")))


BLOCKS: dict[str, Callable[[], str]] = {
    "bridge-fields": bridge_schema.fields,
    "bridge-sources": bridge_schema.sources,
    "settings": reference.settings,
    "project-bounds": reference.project_bounds,
    "pivot-matrix": reference.matrix,
    "pattern-scores": patterns.by_pattern,
    "segments": reference.segments,
    "levels": reference.levels,
    "what-now": reference.what_now,
    "warning": samples.warning,
    "subagent-warning": samples.subagent_warning,
    "demo": walkthrough.demo,
    "status": walkthrough.status,
    "setting": walkthrough.setting,
    "measured": measured,
    "budgets": budgets.table,
    **client_facts.BLOCKS,
}


def pages() -> list[Path]:
    """Every page of the documentation."""
    return sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")])


def filled(page: str) -> str:
    """The text of a page with its blocks up to date. Raises KeyError for a name that is none."""
    return _BLOCK.sub(lambda block: block[1] + BLOCKS[block["name"]]() + block[4], page)


def main() -> int:
    """Bring every page and picture up to date; names those that have changed."""
    for path in pages():
        before = path.read_text(encoding="utf-8")
        after = filled(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(REPOSITORY)}\n")
    bridge_schema.write()
    plugin.main()
    return pictures.main()


if __name__ == "__main__":
    sys.exit(main())
