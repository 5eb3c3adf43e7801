"""The agent's statements between its calls are kept; its announcements aren't."""

import pytest

from monitor.checkpoints.transcript.remark import LONGEST, announcement, statement

FINDING = "The total is wrong because the key is compared by identity."


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (FINDING, FINDING),
        (f"{FINDING} Let me fix it.", FINDING),
        (f"OK, let me look.\n\n{FINDING}\nNow I'll run the tests:", FINDING),
        ("Now update the title of the list to what it shows:", ""),
        ("Good, now I'll run the whole test suite to be sure.", ""),
        ("All tests pass.", ""),
        ("", ""),
    ],
)
def test_statements_are_told_from_announcements(text: str, stated: str) -> None:
    assert statement(text) == stated


def test_announcements_are_told_without_statements() -> None:
    assert announcement(f"OK, let me look.\n\n{FINDING}\nNow the tests:") == "OK, let me look. Now the tests:"
    assert announcement(FINDING) == ""


def test_a_long_statement_keeps_its_beginning_and_its_conclusion() -> None:
    text = statement(f"{FINDING} {'And so on. ' * 90}Either keep it or replace it.")
    assert text.startswith(FINDING)
    assert text.endswith("Either keep it or replace it.")
    assert len(text) <= LONGEST + 10
