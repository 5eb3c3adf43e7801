"""What a summary says already is left out, by plain rules."""

import pytest

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.activity.requests import UserRequest
from monitor.checkpoints.checkpoint import Check, Checkpoint, ContextState, FileUse, SessionInfo
from monitor.checkpoints.lost import facts, missing
from monitor.checkpoints.words import SessionWords


def checkpoint(**facts: object) -> Checkpoint:
    info = SessionInfo("shop", "feature/vouchers", "/home/dev/shop", head="a" * 40)
    return Checkpoint("cx-001", "", 1, ContextState(), info, **facts)  # type: ignore[arg-type]  # by name


def asked(*texts: str) -> SessionWords:
    return SessionWords(tuple(UserRequest("prompt", text) for text in texts))


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
        failing_commands=(Failure("npm run lint", 9), Failure("make check", 8)),
    )
    found = missing(facts, "All errors of `npm run lint` are left")
    assert [check.command for check in found.checks] == ["npm test"]
    assert [failure.command for failure in found.failing_commands] == ["make check"]


def test_of_the_prompts_the_sentences_are_left_that_are_not_there() -> None:
    words = asked("Add vouchers to the shop. Don't touch the payment provider.", "yes", "Use no new dependency at all")
    found = missing(checkpoint(words=words), "The user wants to add vouchers to the shop.").words
    assert found is not None
    assert [one.text for one in found.requests] == ["Don't touch the payment provider.", "Use no new dependency at all"]
    assert missing(checkpoint(words=words), " ".join(one.text for one in words.requests)).words is None


def test_an_answer_is_left_where_the_summary_does_not_say_it() -> None:
    words = SessionWords((UserRequest("answer", "Postgres", "Which store shall it be?"),))
    found = missing(checkpoint(words=words), "They talked about the store.").words
    assert found is not None
    assert [(one.text, one.about) for one in found.requests] == [("Postgres", "Which store shall it be?")]
    assert missing(checkpoint(words=words), "The store is Postgres.").words is None


def test_facts_are_what_a_summary_could_name() -> None:
    found = checkpoint(words=asked("Add vouchers", "Don't touch payments"), files_edited=(FileUse("/shop/a.py", 1),))

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


@pytest.mark.parametrize(("summary", "branch"), [("on main", "main"), ("on main, the rebase goes on", None)])
def test_a_branch_in_the_middle_of_a_rebase_stays_until_that_is_named(summary: str, branch: str | None) -> None:
    info = SessionInfo("shop", "main", "/shop", head="a" * 40, operation="rebase of form, step 2 of 3")
    assert missing(Checkpoint("cx-001", "", 1, ContextState(), info), summary).session_info.branch == branch


def test_a_file_that_was_read_and_edited_is_named_once() -> None:
    both = (FileUse("/shop/a.py", 1),)
    assert missing(checkpoint(files_edited=both, files_read=both), "nothing").files_read == ()


def test_an_uncommitted_file_that_is_named_is_left_out() -> None:
    known = checkpoint(dirty_files=(".M src/cart.py", "?? list.py", ".M My Notes.md", "?? new/"))
    assert missing(known, "Edited cart.py, list.py and My Notes.md").dirty_files == ("?? new/",)


@pytest.mark.parametrize(("words", "is_left"), [(3, False), (4, True)])
def test_a_sentence_of_few_words_asks_for_nothing(words: int, *, is_left: bool) -> None:
    sentence = asked(" ".join(["vouchers"] * words))
    assert (missing(checkpoint(words=sentence), "nothing").words is not None) is is_left


def test_the_first_prompts_rest_comes_first_and_then_the_newest() -> None:
    prompts = tuple(f"Add so many vouchers to shop {word}" for word in ("one", "two", "three"))
    found = missing(checkpoint(words=asked(*prompts)), "nothing").words
    assert found is not None
    assert [one.text for one in found.requests] == [prompts[0], prompts[2], prompts[1]]


@pytest.mark.parametrize(
    ("line", "is_said"),
    [
        ("alpha bravo charlie delta", True),  # four of five of the longer words
        ("alpha bravo charlie", False),
        ("alpha bravo\ncharlie delta echoes", False),
    ],
)
def test_most_of_the_longer_words_in_one_line_say_it(line: str, *, is_said: bool) -> None:
    tasks = (Task("alpha bravo to charlie or delta for the echoes"),)
    found = missing(checkpoint(todo=(Task("delta alpha to bravo or charlie the echoes"),)), line)
    assert (found.todo == ()) is is_said
    assert missing(checkpoint(todo=tasks), "").todo == tasks


def test_a_long_sentence_is_known_by_its_first_twelve_words() -> None:
    words = [f"word{number}" for number in range(20)]
    task = checkpoint(todo=(Task(" ".join(words)),))
    assert missing(task, "so: " + " ".join(words[:12]) + ".").todo == ()
    assert missing(task, "so: " + " ".join(words[:8])).todo != ()


def test_a_long_command_is_known_by_its_beginning() -> None:
    short, long = "npm run " + "a" * 92, "npm run " + "a" * 93
    for command, told, is_left in ((short, short, False), (short, long, True), (long, long[:100], False)):
        found = missing(checkpoint(checks=(Check(command, 1),)), told).checks
        assert bool(found) is is_left


def test_of_one_name_in_two_places_the_directory_counts_however_it_was_used() -> None:
    known = checkpoint(
        files_edited=(FileUse("/shop/cart/index.ts", 1),), files_read=(FileUse("/shop/pay/index.ts", 1),)
    )
    assert missing(known, "index.ts").files_read != ()
    found = missing(known, "pay/index.ts")
    assert (found.files_read, len(found.files_edited)) == ((), 1)
