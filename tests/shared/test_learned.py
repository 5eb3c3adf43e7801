from pathlib import Path

import pytest

from shared import learned
from shared.learned import MOST, Learned


def test_what_was_learnt_is_known_later(root: Path) -> None:
    known = Learned({"claude-opus-4-6": 200_000}, {"claude-opus-4-6|200000||": 169_124})
    learned.write(str(root), known)
    assert learned.read(str(root)) == known


DEEP = '{"later":' + "[" * 100_000


@pytest.mark.parametrize(
    "text", [None, "", "{", "null", "[]", '{"windows": 1}', '{"windows": {"m": "x"}}', "\udcff", DEEP]
)
def test_without_a_whole_file_nothing_is_known(root: Path, text: str | None) -> None:
    if text is not None:
        (root / "learned.json").write_bytes(text.encode(errors="surrogateescape"))
    assert learned.read(str(root)) == Learned()


def test_the_newest_entries_are_kept(root: Path) -> None:
    models = {f"model-{n}": 200_000 for n in range(MOST + 50)}
    learned.write(str(root), Learned(models, models))
    kept = learned.read(str(root))
    assert list(kept.windows) == list(kept.compactions) == list(models)[50:]
