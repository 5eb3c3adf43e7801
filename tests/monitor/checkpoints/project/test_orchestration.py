import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from monitor.checkpoints.project import orchestration
from monitor.session import Project
from shared import effort
from shared.secrets.masking import MASK, OMISSION
from tests import processor_time
from tests.shared.credentials import KEYS, PASSWORD


def test_a_section_is_kept_as_json() -> None:
    text = (
        """
resumption:
  1: one
  day: 2026-01-05
  moment: 2026-01-05T10:00:00Z
  huge: 123456789012345678901234567890
  nothing: null
  void:
  odd: .nan
  set: !!set {a, b}
  made: !!python/object/apply:os.system [ls]
  is: !!bool perhaps
  long: """
        + "x" * 5_000
    )
    state = orchestration.resumption_of(text)
    assert json.loads(json.dumps(state)) == state
    assert state["1"] == "one"
    assert state["day"] == "2026-01-05"
    assert state["moment"] == "2026-01-05T10:00:00Z"
    assert state["huge"] == "123456789012345678901234567890"
    assert (state["nothing"], state["void"], state["odd"]) == (None, None, ".nan")
    assert (state["set"], state["made"], state["is"]) == ({"a": None, "b": None}, ["ls"], "perhaps")
    assert len(state["long"]) == 600


def test_what_there_is_no_time_for_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    text = "resumption:\n  next: build it\n"
    with effort.limited():
        assert orchestration.resumption_of(text) == {"next": "build it"}
        monkeypatch.setattr(time, "process_time", lambda: effort.SECONDS - 0.01)
        assert orchestration.resumption_of(text) == {"next": "build it"}
        assert orchestration.resumption_of(text + "# a long comment\n" * 2_000) == OMISSION
        monkeypatch.setattr(time, "process_time", lambda: effort.SECONDS + 0.01)
        assert orchestration.resumption_of(text) == OMISSION


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "a: &x {k: v}\nb: *x",
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]",
        "[" * 100 + "]" * 100,
        "- x\n" * 30_000,
        "\x00",
        "? [a]\n: b",
    ],
)
def test_the_beginning_of_unparseable_text_is_kept(text: str) -> None:
    assert orchestration.resumption_of(text) == text[:2_000]
    assert orchestration.updated_at(text) is None


@pytest.mark.parametrize(
    "number", ["1" + ":59" * 80_000, "1" + ":59" * 80_000 + ".5", "9" * 240_000, "0x" + "f" * 9_000]
)
@pytest.mark.parametrize("tag", ["", "!!int ", "!!float "])
def test_an_endless_number_costs_neither_time_nor_the_section(number: str, tag: str) -> None:
    with processor_time.at_most(1):
        state = orchestration.resumption_of(f"resumption: {{step: 3, odd: {tag}{number}, 1:30: half}}")
        assert state == {"step": "3", "odd": number[:600], "1:30": "half"}


@pytest.mark.parametrize("text", ["workflow: x\n", "resumption:\n", "- a\n", ""])
def test_without_the_section_there_is_nothing_to_keep(text: str) -> None:
    assert orchestration.resumption_of(text) is None


def test_no_secret_of_a_section_is_kept() -> None:
    text = (
        f"resumption:\n  db_password: {PASSWORD}\n  pin_password: 48151623\n  next: run mysql -p{PASSWORD}\n  step: 3\n"
    )

    state = orchestration.resumption_of(text)

    assert state == {"db_password": MASK, "pin_password": MASK, "next": f"run mysql -p{MASK}", "step": "3"}
    assert PASSWORD not in orchestration.resumption_of(f"{text}\n  bad: [")


def test_no_secret_in_a_name_is_kept() -> None:
    state = orchestration.resumption_of(f"resumption:\n  notes:\n    {KEYS['github']}: done\n")
    assert state == {"notes": {MASK: "done"}}


def test_the_text_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "ORCHESTRATION.yaml"
    path.write_text("\ufeffa: b")
    assert orchestration.text_of(str(path)) == "a: b"
    path.write_text("x" * 256 * 1024)
    assert orchestration.text_of(str(path)) == "x" * 256 * 1024
    path.write_text("x" * (256 * 1024 + 1))
    assert orchestration.text_of(str(path)) is None
    assert orchestration.text_of(str(tmp_path / "gone")) is None
    assert orchestration.text_of(str(tmp_path)) is None
    assert orchestration.text_of("a\0b") is None


def test_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ORCHESTRATION.yaml")
    assert orchestration.text_of(str(tmp_path / "ORCHESTRATION.yaml")) is None


def test_a_time_without_a_zone_is_utc() -> None:
    assert orchestration.updated_at("updated_at: '2026-01-05 10:00:00'") == datetime(2026, 1, 5, 10, tzinfo=UTC)


def test_the_projects_own_file_comes_first(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    mine, other = tmp_path / "ORCHESTRATION.yaml", deep / "ORCHESTRATION.yaml"
    other.touch()
    project = Project(os.path.realpath(tmp_path), str(tmp_path))
    assert orchestration.path_in(project, []) is None
    assert orchestration.path_in(project, [str(deep / "x.yaml"), str(other)]) == str(other)
    mine.touch()
    assert orchestration.path_in(project, [str(other)]) == os.path.realpath(mine)


def test_each_value_is_kept_as_written() -> None:
    text = "resumption: {on: true, none: ~, whole: 7, more: 9007199254740992, part: 1.50, list: [1, [true, a]]}"
    assert orchestration.resumption_of(text) == {
        "on": "true",
        "none": None,
        "whole": "7",
        "more": "9007199254740992",
        "part": "1.50",
        "list": ["1", ["true", "a"]],
    }


@pytest.mark.parametrize("nested", [20, 21])
def test_nesting_is_read_down_to_twenty_levels(nested: int) -> None:
    """The document itself is the first level."""
    text = "resumption: " + "[" * (nested - 1) + "]" * (nested - 1)
    assert isinstance(orchestration.resumption_of(text), list) is (nested == 20)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("updated_at: 2026-01-05", None),
        ("updated_at: '2026-01-05'", None),
        ("updated_at: '2026-01-05 10'", datetime(2026, 1, 5, 10, tzinfo=UTC)),
        ("updated_at: '2026-01-05T10:00:00+01:00'", datetime(2026, 1, 5, 9, tzinfo=UTC)),
        ("updated_at: 2026-1-5 9:00:00", datetime(2026, 1, 5, 9, tzinfo=UTC)),
        ("updated_at: 2026-01-05   9:00:00.5 +1", datetime(2026, 1, 5, 8, 0, 0, 500_000, tzinfo=UTC)),
        ("updated_at: !!timestamp '2026-01-05t09:00:00 -5:30'", datetime(2026, 1, 5, 14, 30, tzinfo=UTC)),
        ("updated_at: 20260105T100000Z", datetime(2026, 1, 5, 10, tzinfo=UTC)),
        ("updated_at: 2026-13-05 09:00:00", None),
        ("updated_at: soon, or later", None),
        ("updated_at: 7", None),
        ("updated_at: 1771101501234", None),
        ("updated_at: '2026: !!bool perhaps'", None),
        (
            "resumption: {updated_at: 2026-01-06 10:00:00}\nupdated_at: 2026-01-05 10:00:00",
            datetime(2026, 1, 6, 10, tzinfo=UTC),
        ),
        (
            "resumption: {recovery_state: {updated_at: 2026-01-07 10:00:00}, updated_at: 2026-01-06 10:00:00}",
            datetime(2026, 1, 7, 10, tzinfo=UTC),
        ),
        ("- updated_at", None),
        ("resumption: []\nupdated_at: 2026-01-05 10:00:00", datetime(2026, 1, 5, 10, tzinfo=UTC)),
    ],
)
def test_the_time_closest_to_the_resumed_section_counts(text: str, moment: datetime | None) -> None:
    assert orchestration.updated_at(text) == moment


def test_values_other_than_text_under_a_secret_name_stay() -> None:
    text = "resumption: {password: {length: 12}, tokens: [one, two], key: null}"
    assert orchestration.resumption_of(text) == {"password": {"length": "12"}, "tokens": ["one", "two"], "key": None}


def test_lists_and_tables_side_by_side_do_not_count_as_nesting() -> None:
    text = "resumption:\n" + "".join(f"  list{number}: [1]\n  table{number}: {{a: 1}}\n" for number in range(30))
    assert len(orchestration.resumption_of(text)) == 60
