"""Facts that a summary already holds are left out, by plain rules."""

import pytest

from monitor.activity.activity import Task
from monitor.activity.checks.failures import Failure
from monitor.activity.requests import UserRequest
from monitor.checkpoints.checkpoint import Checkpoint, ContextState, SessionInfo
from monitor.checkpoints.compaction import Summary, missing
from monitor.checkpoints.words import SessionWords


def checkpoint(**facts: object) -> Checkpoint:
    info = SessionInfo("shop", "feature/vouchers", "/home/dev/shop", head="a" * 40)
    return Checkpoint("cx-001", "", 1, ContextState(), info, **facts)  # type: ignore[arg-type]  # by name


def asked(*texts: str) -> SessionWords:
    return SessionWords(tuple(UserRequest("prompt", text) for text in texts))


@pytest.mark.parametrize(
    "summary", ["src/cart.py", "`cart.py`", "- **cart.py**: done", "the file cart.py.", "see\ncart.py,"]
)
def test_a_file_is_recognised_by_its_name(summary: str) -> None:
    assert Summary(summary).names("cart.py")


@pytest.mark.parametrize("summary", ["", "the cart", "test_cart.py", "cart.pyi", "cart.python", "my-cart.py"])
def test_a_name_within_another_word_does_not_count(summary: str) -> None:
    assert not Summary(summary).names("cart.py")


@pytest.mark.parametrize(
    ("task", "summary"),
    [
        ("Reject expired vouchers", "Next: reject expired vouchers, then the docs"),
        ("Reject expired vouchers", "- expired vouchers: the form will reject them"),
    ],
)
def test_a_task_is_recognised_by_its_words(task: str, summary: str) -> None:
    assert missing(checkpoint(todo=(Task(task),)), summary).todo == ()


def test_scattered_words_make_no_task() -> None:
    facts = checkpoint(todo=(Task("Reject expired vouchers"),))
    assert missing(facts, "vouchers were added\nexpired sessions\nreject").todo == facts.todo


def test_a_command_is_recognised_without_its_directory_and_output() -> None:
    facts = checkpoint(failing_commands=(Failure("npm run lint", 9), Failure("make check", 8)))
    result = missing(facts, "All errors of `npm run lint` are left")
    assert [failure.command for failure in result.failing_commands] == ["make check"]


def test_sentences_of_prompts_missing_from_the_summary_are_left() -> None:
    words = asked("Add vouchers to the shop. Don't touch the payment provider.", "yes", "Use no new dependency at all")
    result = missing(checkpoint(words=words), "The user wants to add vouchers to the shop.").words
    assert result is not None
    assert [request.text for request in result.requests] == [
        "Don't touch the payment provider.",
        "Use no new dependency at all",
    ]
    assert missing(checkpoint(words=words), " ".join(request.text for request in words.requests)).words is None


def test_an_answer_is_left_if_the_summary_lacks_it() -> None:
    words = SessionWords((UserRequest("answer", "Postgres", "Which store shall it be?"),))
    result = missing(checkpoint(words=words), "They talked about the store.").words
    assert result is not None
    assert [(request.text, request.about) for request in result.requests] == [("Postgres", "Which store shall it be?")]
    assert missing(checkpoint(words=words), "The store is Postgres.").words is None


@pytest.mark.parametrize(("words", "is_left"), [(2, False), (3, True)])
def test_a_short_sentence_alone_is_left_out(words: int, *, is_left: bool) -> None:
    sentence = asked(" ".join(["vouchers"] * words))
    assert (missing(checkpoint(words=sentence), "nothing").words is not None) is is_left


def test_a_short_sentence_stays_beside_a_longer_one() -> None:
    words = asked("Sort the shells of the beach by colour. Throw none away.", "Thanks. Go on.")
    result = missing(checkpoint(words=words), "nothing").words
    assert result is not None
    (request,) = result.requests
    assert request.text == "Sort the shells of the beach by colour. Throw none away."


def test_the_first_and_newest_remaining_prompts_keep_their_order() -> None:
    """A later prompt may take back an earlier one."""
    prompts = tuple(f"Add so many vouchers to shop {word}" for word in ("one", "two", "three", "four", "five"))
    words = missing(checkpoint(words=asked(*prompts)), "nothing").words
    assert words is not None
    assert [request.text for request in words.requests] == [prompts[0], *prompts[2:]]


@pytest.mark.parametrize(
    ("line", "is_said"),
    [
        ("alpha bravo charlie delta", True),  # four of five of the longer words
        ("alpha bravo charlie", False),
        ("alpha bravo\ncharlie delta echoes", False),
    ],
)
def test_most_of_the_longer_words_in_one_line_are_enough(line: str, *, is_said: bool) -> None:
    tasks = (Task("alpha bravo to charlie or delta for the echoes"),)
    result = missing(checkpoint(todo=(Task("delta alpha to bravo or charlie the echoes"),)), line)
    assert (result.todo == ()) is is_said
    assert missing(checkpoint(todo=tasks), "").todo == tasks


def test_a_long_sentence_is_recognised_by_its_first_twelve_words() -> None:
    words = [f"word{number}" for number in range(20)]
    task = checkpoint(todo=(Task(" ".join(words)),))
    assert missing(task, "so: " + " ".join(words[:12]) + ".").todo == ()
    assert missing(task, "so: " + " ".join(words[:8])).todo != ()


def test_a_long_command_is_recognised_by_its_beginning() -> None:
    short, long = "npm run " + "a" * 92, "npm run " + "a" * 93
    for command, text, is_left in ((short, short, False), (short, long, True), (long, long[:100], False)):
        failures = missing(checkpoint(failing_commands=(Failure(command, 1),)), text).failing_commands
        assert bool(failures) is is_left
