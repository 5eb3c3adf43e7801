"""`python -m docs.generate`: fills pages and draws pictures with what the code knows better than any writer.

A generated block is between `<!-- generated: NAME -->` and `<!-- end -->`; a test fails while one is outdated.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import patterns, results
from docs import bridge_schema, budgets, client_facts, pictures, plugin, reference, samples

REPOSITORY = Path(__file__).parent.parent
_BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)


def measured() -> str:
    """The tables of the last recorded run of the benchmarks."""
    return results.tables(json.loads((REPOSITORY / "benchmarks" / "results.json").read_text(encoding="utf-8")))


BLOCKS: dict[str, Callable[[], str]] = {
    "bridge-fields": bridge_schema.fields,
    "bridge-sources": bridge_schema.sources,
    "settings": reference.settings,
    "pivot-matrix": reference.matrix,
    "pattern-scores": patterns.by_pattern,
    "segments": reference.segments,
    "levels": reference.levels,
    "what-now": reference.what_now,
    "warning": samples.warning,
    "subagent-warning": samples.subagent_warning,
    "demo": samples.demo,
    "status": samples.status,
    "setting": samples.setting,
    "measured": measured,
    "budgets": budgets.table,
    **client_facts.BLOCKS,
}


def pages() -> list[Path]:
    """Every page of the documentation."""
    return sorted([*REPOSITORY.glob("*.md"), *REPOSITORY.glob("docs/*.md")])


def filled(page: str) -> str:
    """The text of a page with its blocks up to date. Raises KeyError for an unknown name."""
    return _BLOCK.sub(lambda block: block[1] + BLOCKS[block["name"]]() + block[4], page)


def files() -> dict[Path, str]:
    """The contents of everything that is made here."""
    contents = {path: filled(path.read_text(encoding="utf-8")) for path in pages()}
    contents |= {bridge_schema.SCHEMA: bridge_schema.document()} | plugin.files()
    return contents | {pictures.IMAGES / f"{name}.svg": picture() for name, picture in pictures.PICTURES.items()}


def main() -> int:
    """Bring every file up to date, and print the names of those that have changed."""
    for path, contents in files().items():
        if not path.exists() or path.read_text(encoding="utf-8") != contents:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(contents, encoding="utf-8")
            sys.stdout.write(f"{path.relative_to(REPOSITORY)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
