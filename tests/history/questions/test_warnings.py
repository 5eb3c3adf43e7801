from history.questions import warnings
from history.store.schema import WarningOutcome
from shared.gauge.levels import Level
from tests.history.questions.stored import Stored


def test_warnings_are_counted_by_level_and_outcome(stored: Stored) -> None:
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

    warning, critical = warnings.figures(stored.asked(), 0)

    assert (warning.level, warning.count, warning.growth_stopped, warning.saved) == ("WARNING", 5, 1, 2)
    assert (warning.compacted, warning.went_on, warning.open, warning.acted_on) == (0, 1, 1, 0.75)
    assert (critical.level, critical.acted_on) == ("CRITICAL", None)


def test_without_a_warning_the_answer_says_so(stored: Stored) -> None:
    stored.conversation("s").compaction()

    answer = warnings.figures(stored.asked(), 0)

    assert answer == []
    assert warnings.presentation(answer).facts == ["None yet."]
