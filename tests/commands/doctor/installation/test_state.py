import json
import time

from commands.doctor.installation import state
from commands.environment.environment import environment_at
from tests.commands.person import Person


def test_a_setting_that_cannot_be_used_is_wrong(person: Person) -> None:
    person.configure("[levels.warning]\nremaining = 'many'\n")

    finding = person.finding("configuration")

    assert finding.status == "wrong"
    assert finding.message.startswith(f"{person.home}/config/config.toml: levels.warning.remaining: ")


def test_warnings_that_are_switched_off_are_a_warning(person: Person) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")

    assert person.finding("configuration").status == "warning"


def test_a_run_directory_that_others_may_read_is_a_warning(person: Person) -> None:
    (person.root / "run").chmod(0o755)

    result = person.doctor()

    assert "(mode 0755)" in person.finding("run directory").message
    assert "→ chmod 700" in result.stdout


def test_a_file_in_the_run_directorys_place_is_wrong(person: Person) -> None:
    (person.root / "run").rmdir()
    (person.root / "run").write_text("")

    assert person.finding("run directory") == ("wrong", f"{person.root}/run is not a directory")


def test_what_was_learned_is_told(person: Person) -> None:
    learned = {
        "windows": {"claude-opus-4-6[1m]|2.1.330|": 1_000_000, "claude-opus-4-8|2.1.330|1": 200_000, "damaged": 1},
        "compactions": {
            "claude-opus-4-6|2.1.197|200000||": 167_000,
            "claude-opus-4-6|2.1.330|200000|150000|50": 65_000,
            "damaged": 1,
        },
    }
    (person.root / "learned.json").write_text(json.dumps(learned))

    message = person.finding("learned").message

    assert "damaged" not in message
    assert "claude-opus-4-6[1m] has 1,000,000 tokens in 2.1.330;" in message
    assert "claude-opus-4-8 has 200,000 tokens in 2.1.330 with CLAUDE_CODE_DISABLE_1M_CONTEXT=1;" in message
    assert "claude-opus-4-6 of 200000 compacts by 167,000 in 2.1.197;" in message
    variables = "CLAUDE_CODE_AUTO_COMPACT_WINDOW=150000 and CLAUDE_AUTOCOMPACT_PCT_OVERRIDE=50"
    assert f"compacts by 65,000 in 2.1.330 with {variables}" in message


def test_unset_is_the_remedy_for_the_persons_own_file_alone(person: Person) -> None:
    """For the project's it would take a good value away, and leave the bad one."""
    (person.project / ".claude").mkdir()
    (person.project / ".claude" / "tidegauge.toml").write_text("levels.warning.remaining = 400\n")
    environment = environment_at(str(person.root), str(person.project), {}, time.time())
    (of_project,) = state.configuration(environment)
    (person.project / ".claude" / "tidegauge.toml").unlink()
    person.configure("levels.warning.remaining = 400")
    (own,) = state.configuration(environment)

    assert of_project.remedy == "correct it there"
    assert own.remedy == "correct it there, or remove it: tidegauge config unset KEY"
