from pathlib import Path

import pytest

from shared.gauge.limit import MOST_LEARNED, Learned, compaction_key, read_learned, window_key, write_learned

MODEL, CLIENT = "claude-opus-4-6", "2.1.330"


def test_learnt_facts_are_read_back(root: Path) -> None:
    learned = Learned({window_key(MODEL, CLIENT, {}): 200_000}, {compaction_key(MODEL, CLIENT, 200_000, {}): 169_124})
    write_learned(str(root), learned)
    assert read_learned(str(root)) == learned


DEEP = '{"later":' + "[" * 100_000


@pytest.mark.parametrize(
    "text", [None, "", "{", "null", "[]", '{"windows": 1}', '{"windows": {"m": "x"}}', "\udcff", DEEP]
)
def test_a_damaged_file_yields_nothing(root: Path, text: str | None) -> None:
    if text is not None:
        (root / "learned.json").write_bytes(text.encode(errors="surrogateescape"))
    assert read_learned(str(root)) == Learned()


def test_the_newest_entries_are_kept(root: Path) -> None:
    assert MOST_LEARNED == 200
    windows = {window_key(f"model-{n}", CLIENT, {}): 200_000 for n in range(MOST_LEARNED + 50)}
    compactions = {compaction_key(f"model-{n}", CLIENT, 200_000, {}): 167_000 for n in range(MOST_LEARNED + 50)}
    write_learned(str(root), Learned(windows, compactions))
    learned = read_learned(str(root))
    assert list(learned.windows) == list(windows)[50:]
    assert list(learned.compactions) == list(compactions)[50:]


def test_a_window_is_remembered_with_its_conditions() -> None:
    disabled = {"CLAUDE_CODE_DISABLE_1M_CONTEXT": "1"}
    keys = {
        window_key(model, client, environ)
        for model in (MODEL, "claude-sonnet-5")
        for client in (CLIENT, "2.1.197")
        for environ in ({}, disabled)
    }
    assert len(keys) == 8


def test_a_compaction_is_remembered_with_its_conditions() -> None:
    by_window, by_percent = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "150000"}, {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}
    by_output = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000"}
    keys = {
        compaction_key(model, client, window, environ)
        for model in (MODEL, "claude-sonnet-5")
        for client in (CLIENT, "2.1.197")
        for window in (200_000, 1_000_000)
        for environ in ({}, by_window, by_percent, by_window | by_percent, by_output)
    }
    assert len(keys) == 40
