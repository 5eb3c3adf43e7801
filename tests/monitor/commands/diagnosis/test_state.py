import json
import time

import pytest

from monitor.commands.diagnosis import state, surroundings
from shared.config import RETIRED
from tests.monitor.commands.person import Person


def test_a_setting_that_cannot_be_used_is_wrong(person: Person) -> None:
    person.configure("[levels.warning]\nremaining = 'many'\n")

    found = person.finding("configuration")

    assert found.status == "wrong"
    assert found.said.startswith(f"{person.home}/config/config.toml: levels.warning.remaining: ")


def test_a_retired_setting_is_a_warning(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RETIRED, "levels.old", "in 0.2.0: nothing decides it any more")
    person.configure("levels.old = 5\n")
    place = surroundings.look(str(person.root), str(person.project), {}, time.time())

    found = list(state.configuration(place))

    assert [(one.status, one.remedy) for one in found] == [("warning", "remove it: nothing reads it")]
    assert found[0].said.endswith("config.toml: levels.old: retired in 0.2.0: nothing decides it any more")


def test_warnings_that_are_switched_off_are_a_warning(person: Person) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")

    assert person.finding("configuration").status == "warning"


def test_a_run_directory_that_others_may_read_is_a_warning(person: Person) -> None:
    (person.root / "run").chmod(0o755)

    done = person.doctor()

    assert "(mode 0755)" in person.finding("run directory").said
    assert "→ chmod 700" in done.stdout


def test_a_file_in_the_run_directorys_place_is_wrong(person: Person) -> None:
    (person.root / "run").rmdir()
    (person.root / "run").write_text("")

    assert person.finding("run directory") == ("wrong", f"{person.root}/run is not a directory")


def test_what_was_learned_is_told(person: Person) -> None:
    learned = {
        "windows": {"claude-opus-4-6[1m]|2.1.330|": 1_000_000, "claude-opus-4-8|2.1.330|1": 200_000},
        "compactions": {
            "claude-opus-4-6|2.1.197|200000||": 167_000,
            "claude-opus-4-6|2.1.330|200000|150000|50": 65_000,
        },
    }
    (person.root / "learned.json").write_text(json.dumps(learned))

    said = person.finding("learned").said

    assert "claude-opus-4-6[1m] has 1,000,000 tokens in 2.1.330;" in said
    assert "claude-opus-4-8 has 200,000 tokens in 2.1.330 with CLAUDE_CODE_DISABLE_1M_CONTEXT=1;" in said
    assert "claude-opus-4-6 of 200000 compacts by 167,000 in 2.1.197;" in said
    variables = "CLAUDE_CODE_AUTO_COMPACT_WINDOW=150000 and CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50"
    assert f"compacts by 65,000 in 2.1.330 with {variables}" in said
