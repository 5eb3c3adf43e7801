from shared.text.suggestion import no_such


def test_a_mistyped_name_is_answered_with_the_likeliest_or_all_names() -> None:
    names = ("below", "above", "alone")

    assert no_such("choice", "bellow", names) == "bellow: no such choice; did you mean below?"
    assert no_such("choice", "xyz", names) == "xyz: no such choice: there are below, above, alone"
