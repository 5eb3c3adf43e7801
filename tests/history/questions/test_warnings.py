from history.questions import warnings
from history.store.schema import WarningOutcome
from shared.gauge.levels import Level
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


def test_windows_compacted_in_spite_of_a_warning_are_counted(stored: Stored) -> None:
    session = stored.conversation("s")
    for outcome, milliseconds in ((WarningOutcome.COMPACTED, 70_000), (WarningOutcome.SAVED, 60_000)):
        session.call(session.tool(150_000))
        session.warning(Level.WARNING, None)
        session.warning(Level.CRITICAL, outcome)
        session.compaction(milliseconds=milliseconds)

    answer = warnings.figures(stored.asked(), 0)

    assert (answer.compactions, answer.unwarned) == (2, 0)
    assert answer.ignored == 1


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
    (fact,) = warnings.presentation(warnings.figures(stored.asked(), 0)).facts
    assert "1 without a warning (run tidegauge doctor)" in fact


def test_before_the_first_warning_no_compaction_is_held_against_anybody(stored: Stored) -> None:
    session = stored.conversation("s")
    session.compaction()

    answer = warnings.figures(stored.asked(), 0)

    assert (answer.levels, answer.compactions, answer.unwarned) == ([], 0, 0)
