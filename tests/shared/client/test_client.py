import pytest

from shared.client.client import is_headless, is_on, number


@pytest.mark.parametrize(
    ("text", "expected"),
    [("1", True), ("TRUE", True), ("on", True), (" 1\n", True), ("0", False), ("2", False)],
)
def test_a_switch_follows_the_clients_values(text: str, *, expected: bool) -> None:
    assert is_on({"NAME": text}, "NAME") is expected
    assert not is_on({}, "NAME")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("150000", 150_000),
        ("0", None),
        ("-1", None),
        ("1.5", 1.5),
        (" 1", 1),
        ("60%", 60),
        ("1e5", 100_000),
        ("e5", None),
        (".5", 0.5),
        ("", None),
        ("\u0661", None),
        ("9" * 9, 999_999_999),
        ("9" * 10, None),
    ],
)
def test_a_number_is_read_from_a_variables_beginning(text: str, expected: float | None) -> None:
    assert number(text) == expected


@pytest.mark.parametrize(("entry_point", "expected"), [("sdk-cli", True), ("sdk-py", True), ("cli", False)])
def test_a_headless_run_is_recognised_by_its_entry_point(entry_point: str, *, expected: bool) -> None:
    assert is_headless({"CLAUDE_CODE_ENTRYPOINT": entry_point}) is expected
    assert not is_headless({})
