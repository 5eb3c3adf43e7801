"""Instructions over the budget, duplicates, and what changing them would save."""

import pytest

from commands.audit.budget import advice, within_budget
from commands.audit.instruction_file import InstructionFile, Loading, tokens_of
from commands.audit.recorded import Recorded, Server


def file(name: str, characters: int, digest: str = "", loads: Loading = "start") -> InstructionFile:
    return InstructionFile(f"/p/{name}", "root", loads, characters, digest or name)


def cuts(*files: InstructionFile) -> list[int]:
    return [one.cut for one in within_budget(files)]


@pytest.mark.parametrize(
    ("sizes", "cut"),
    [
        ([4_000], [0]),
        ([4_001], [1]),
        ([4_000, 4_000, 4_000], [0, 0, 0]),
        ([4_000, 4_000, 3_999, 2], [0, 0, 0, 1]),
        ([3_000] * 6, [0, 0, 0, 0, 3_000, 3_000]),
        ([9_000, 100], [5_000, 0]),
    ],
)
def test_each_file_and_all_together_have_a_budget(sizes: list[int], cut: list[int]) -> None:
    assert cuts(*(file(str(number), size) for number, size in enumerate(sizes))) == cut


def test_a_duplicate_is_named_and_does_not_count_against_the_budget() -> None:
    first, again, other = within_budget(
        [
            file("a", 4_000, "x"),
            file("b", 4_000, "x"),
            file("c", 4_000),
        ]
    )

    assert (again.duplicate_of, again.room, again.cut) == (first.path, 0, 0)
    assert (other.duplicate_of, other.cut) == ("", 0)


def test_files_read_later_do_not_count_against_the_budget_at_the_start() -> None:
    assert cuts(*(file(str(number), 4_000, loads="reading") for number in range(5)), file("z", 4_000)) == [0] * 6


def test_the_advice_names_changes_and_their_savings() -> None:
    files = within_budget([file("a", 5_000), file("b", 400, "x"), file("c", 400, "x"), file("d", 9_000)])
    servers = (Server("used", 3, 900, 2), Server("idle", 20, 40_000, 0))
    recorded = Recorded("s", "2.1.330", (), servers, (), ())

    text = advice(files, recorded)

    assert text.text == (
        "Remove 1 duplicate; shorten /p/d and 1 more file by 6,000 characters, or move them to rules with `paths`; "
        "switch off MCP servers that the newest session didn't use: idle. Saves about 11,600 tokens in every session."
    )
    assert text.tokens == 100 + 1_500 + 10_000


def test_with_nothing_to_change_the_advice_says_so() -> None:
    text = advice(within_budget([file("a", 1_200)]), None)

    assert (text.text, text.tokens) == ("Nothing to change: 1,200 characters at the start, within the budget.", 0)


def test_tokens_are_a_quarter_of_the_characters() -> None:
    assert [tokens_of(number) for number in (0, 1, 4, 5)] == [0, 1, 1, 2]
