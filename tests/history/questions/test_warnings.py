from history.questions import warnings
from history.schema import WarningOutcome
from shared.levels import Level
from tests.history.questions.stored import START, Stored


def test_warnings_are_counted_by_level_and_by_what_followed(stored: Stored) -> None:
    session = stored.conversation("s")
    for outcome in (
        WarningOutcome.GROWTH_STOPPED,
        WarningOutcome.SAVED,
        WarningOutcome.SAVED,
        WarningOutcome.WENT_ON,
        None,
    ):
        session.warning(Level.WARNING, outcome)
    session.warning(Level.CRITICAL, None)

    warning, critical = warnings.figures(stored.asked(), 0).levels

    assert (warning.level, warning.count, warning.growth_stopped, warning.saved) == ("WARNING", 5, 1, 2)
    assert (warning.compacted, warning.went_on, warning.open, warning.acted_on) == (0, 1, 1, 0.75)
    assert (critical.level, critical.acted_on) == ("CRITICAL", None)


def test_the_advice_is_about_windows_compacted_in_spite_of_a_warning(stored: Stored) -> None:
    session = stored.conversation("s")
    for outcome, milliseconds in ((WarningOutcome.COMPACTED, 70_000), (WarningOutcome.SAVED, 60_000)):
        session.call(session.tool(150_000))
        session.warning(Level.WARNING, None)
        session.warning(Level.CRITICAL, outcome)
        session.compaction(milliseconds=milliseconds)

    answer = warnings.figures(stored.asked(), 0)

    assert (answer.compactions, answer.unwarned) == (2, 0)
    assert answer.advice.change.startswith("Save and finish the step")
    assert (answer.advice.saved, answer.advice.of) == (70, 130)


def test_compactions_without_a_warning_are_doctors_business(stored: Stored) -> None:
    before = stored.conversation("before", at=START - 9_000)
    before.call()
    before.compaction()
    session = stored.conversation("s")
    session.warning(Level.WARNING, WarningOutcome.SAVED)
    session.call()
    session.compaction(trigger="manual")
    session.compaction(milliseconds=50_000)

    answer = warnings.figures(stored.asked(), 0)

    assert (answer.compactions, answer.unwarned) == (1, 1)
    assert "tidegauge doctor" in answer.advice.change
    assert (answer.advice.saved, answer.advice.of) == (50, 50)


def test_before_the_first_warning_no_compaction_is_held_against_anybody(stored: Stored) -> None:
    session = stored.conversation("s")
    session.compaction()

    answer = warnings.figures(stored.asked(), 0)

    assert (answer.levels, answer.compactions, answer.advice.saved) == ([], 0, 0)
    assert answer.advice.line == "Nothing to change: no warning has been given yet."
