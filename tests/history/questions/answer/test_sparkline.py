from history.questions.answer.sparkline import sparkline


def test_the_largest_value_is_a_full_block_and_zero_the_lowest() -> None:
    assert sparkline([0, 1, 2, 4]) == "▁▃▅█"


def test_a_given_top_makes_rows_comparable() -> None:
    assert sparkline([50, 100], 100) == "▅█"
    assert sparkline([50], 100) == "▅"


def test_many_values_are_condensed_without_losing_peaks() -> None:
    line = sparkline([*[0.0] * 500, 1.0, *[0.0] * 499], width=10)

    assert len(line) == 10
    assert line.count("█") == 1


def test_an_unknown_value_is_a_gap() -> None:
    assert sparkline([None, 0, None, 1]) == " ▁ █"
    assert sparkline([]) == ""
    assert sparkline([None]) == " "
    assert sparkline([0, 0]) == "▁▁"
