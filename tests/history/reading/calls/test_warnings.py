from history.reading.calls.warnings import OpenWarning, after_answer
from history.store.rows import WarningRow
from history.store.schema import WarningOutcome
from tests import processor_time


def test_deciding_very_many_warnings_takes_linear_time() -> None:
    rows = [WarningRow(number, 0, 0, None, "WARNING") for number in range(400_000)]
    warnings = [OpenWarning(row, 0, answers=9) for row in rows]
    with processor_time.at_most(3):
        after_answer(warnings, 0)
    assert warnings == []
    assert {row.outcome for row in rows} == {WarningOutcome.GROWTH_STOPPED}
