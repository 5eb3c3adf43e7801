from shared.text.report_row import WIDTH, label_cell


def test_every_label_has_the_same_width_and_a_gap_after_it() -> None:
    assert [len(label_cell(name)) for name in ("", "usage", "answered before")] == [WIDTH] * 3
    assert label_cell("a label that is too long").endswith(" ")
