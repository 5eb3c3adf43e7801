from pathlib import Path

import pytest

from benchmarks import history_tree
from tests.history import trees


def test_the_generated_tree_has_its_stated_totals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history_tree, "FILES", 60)
    root = trees.root_in(tmp_path)

    totals = history_tree.make(trees.client_of(root), 4)
    trees.synced(root)

    assert trees.stored(root) == trees.counted(root) == totals[:5]
    assert totals.sessions > 40
    assert totals.subagents > 4
