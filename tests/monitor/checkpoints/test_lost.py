"""What a summary says already is left out, by plain rules."""

import pytest

from monitor.activity.activity import Failure, Task
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo
from monitor.checkpoints.goal import Goal
from monitor.checkpoints.lost import facts, missing


def checkpoint(**facts: object) -> Checkpoint:
    info = SessionInfo("shop", "feature/vouchers", "/home/dev/shop", head="a" * 40)
    return Checkpoint("cx-001", "", 1, ContextState(), info, **facts)  # type: ignore[arg-type]  # by name


def left(path: str, summary: str, *others: str) -> bool:
    uses = tuple(FileUse(one, 1) for one in (path, *others))
    return FileUse(path, 1) in missing(checkpoint(files_edited=uses), summary).files_edited


@pytest.mark.parametrize(
    "summary", ["src/cart.py", "`cart.py`", "- **cart.py**: done", "the file cart.py.", "see\ncart.py,"]
)
def test_a_file_is_known_by_its_name(summary: str) -> None:
    assert not left("/shop/src/cart.py", summary)


@pytest.mark.parametrize("summary", ["", "the cart", "test_cart.py", "cart.pyi", "cart.python", "my-cart.py"])
def test_a_name_within_another_word_is_none(summary: str) -> None:
    assert left("/shop/src/cart.py", summary)


def test_of_several_files_of_a_name_each_is_known_with_its_directory() -> None:
    assert left("/shop/cart/index.ts", "index.ts and pay/index.ts", "/shop/pay/index.ts")
    assert not left("/shop/pay/index.ts", "index.ts and pay/index.ts", "/shop/cart/index.ts")


@pytest.mark.parametrize(
    ("task", "summary"),
    [
        ("Reject expired vouchers", "Next: reject expired vouchers, then the docs"),
        ("Reject expired vouchers", "- expired vouchers: the form will reject them"),
    ],
)
def test_a_task_is_known_by_its_words(task: str, summary: str) -> None:
    assert missing(checkpoint(todo=(Task(task),)), summary).todo == ()


def test_words_that_lie_apart_make_no_task() -> None:
    facts = checkpoint(todo=(Task("Reject expired vouchers"),))
    assert missing(facts, "vouchers were added\nexpired sessions\nreject").todo == facts.todo


def test_a_command_is_known_without_its_directory_and_its_output() -> None:
    facts = checkpoint(
        checks=(Check("npm test", 3), Check("npm run lint", 2)),
        failing_commands=(Failure("cd /shop && npm run lint 2>&1 | tail -20", 9), Failure("make check", 8)),
    )
    found = missing(facts, "All errors of `npm run lint` are left")
    assert [check.command for check in found.checks] == ["npm test"]
    assert [failure.command for failure in found.failing_commands] == ["make check"]


def test_of_the_prompts_the_sentences_are_left_that_are_not_there() -> None:
    goal = Goal(("Add vouchers to the shop. Don't touch the payment provider.", "yes", "Use no new dependency at all"))
    found = missing(checkpoint(goal=goal), "The user wants to add vouchers to the shop.").goal
    assert found is not None
    assert found.prompts == ("Don't touch the payment provider.", "Use no new dependency at all")
    assert missing(checkpoint(goal=goal), " ".join(goal.prompts)).goal is None


def test_facts_are_what_a_summary_could_name() -> None:
    found = checkpoint(goal=Goal(("Add vouchers", "Don't touch payments")), files_edited=(FileUse("/shop/a.py", 1),))

    assert facts(found) - facts(checkpoint(files_edited=())) == 3


def test_facts_of_every_kind_count() -> None:
    found = checkpoint(
        todo=(Task("Reject expired vouchers"),),
        files_edited=(FileUse("/shop/a.py", 1),),
        files_read=(FileUse("/shop/b.py", 1), FileUse("/shop/c.py", 1)),
        dirty_files=(".M a.py", ".M d.py", "?? e.py"),
        checks=(Check("npm test", 3),),
        failing_commands=(Failure("make", 9), Failure("make check", 8)),
    )
    assert facts(found) == 1 + 1 + 2 + 3 + 1 + 2


def test_a_branch_that_is_named_is_left_out() -> None:
    assert missing(checkpoint(), "on feature/vouchers").session_info.branch is None
    assert missing(checkpoint(), "on feature").session_info.branch == "feature/vouchers"


def test_a_file_that_was_read_and_edited_is_named_once() -> None:
    both = (FileUse("/shop/a.py", 1),)
    assert missing(checkpoint(files_edited=both, files_read=both), "nothing").files_read == ()


def test_an_uncommitted_file_that_is_named_is_left_out() -> None:
    known = checkpoint(dirty_files=(".M src/cart.py", "?? list.py", ".M My Notes.md", "?? new/"))
    assert missing(known, "Edited cart.py, list.py and My Notes.md").dirty_files == ("?? new/",)
