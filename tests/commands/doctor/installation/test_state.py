import time

from history.store import store
from shared import paths
from tests.commands.person import Person


def test_an_unusable_setting_is_an_error(person: Person) -> None:
    person.configure("[levels.warning]\nremaining = 'many'\n")

    finding = person.finding("configuration")

    assert finding.status == "wrong"
    assert finding.message.startswith(f"{person.home}/config/config.toml: levels.warning.remaining: ")


def test_switched_off_warnings_are_a_warning(person: Person) -> None:
    person.configure("[hooks]\ncontext_warnings = false\n")

    assert person.finding("configuration").status == "warning"


def test_a_run_directory_that_others_may_read_is_a_warning(person: Person) -> None:
    (person.root / "run").chmod(0o755)

    finding = person.finding("run directory")

    assert finding.status == "warning"
    assert "(mode 0755)" in finding.message


def test_a_file_in_place_of_the_run_directory_is_an_error(person: Person) -> None:
    (person.root / "run").rmdir()
    (person.root / "run").write_text("")

    assert person.finding("run directory") == ("wrong", f"{person.root}/run is not a directory")


def test_damaged_state_that_gets_rewritten_is_no_problem(person: Person) -> None:
    (person.root / "learned.json").write_text("{")

    assert person.finding("state") == ("ok", f"the installer's records in {person.root} can be read")


def test_the_last_failure_is_shown_with_its_reason(person: Person) -> None:
    (person.root / "run" / "failed-statusline").write_text("statusline: ValueError: boom (line.py:3)")

    result = person.doctor()

    assert result.returncode == 1
    assert "ValueError: boom (line.py:3)" in person.finding("last statusline").message


def test_the_last_hook_is_dated(person: Person) -> None:
    transcript = person.transcript()
    transcript.answer(140_000, at=time.time())
    person.use_tool(transcript, "toolu_1")

    assert person.finding("last monitor").message.startswith("last recorded run ")


def test_a_history_that_can_be_opened_is_named_and_none_is_not_missed(person: Person) -> None:
    assert '"subject":"history"' not in person.doctor("--json").stdout.replace(" ", "")
    with store.for_writing(str(person.root)) as opened:
        path = paths.history_store(str(person.root))
        assert person.finding("history") == ("ok", f"{path} can be opened")
        opened.execute("PRAGMA journal_mode = DELETE")
        opened.execute("BEGIN EXCLUSIVE")
        assert person.finding("history") == ("unknown", f"{path} is locked by another process")
