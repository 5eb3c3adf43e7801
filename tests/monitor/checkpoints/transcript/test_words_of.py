"""A checkpoint's words come from the transcript: the agent's statements, steps and failures."""

from tests.monitor.checkpoints.saved_words import saved_words
from tests.monitor.workshop import Workshop


def test_the_last_finished_answer_is_kept_beside_the_last_words(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="Done: vouchers work.")
    workshop.transcript.prompt("Now the docs, please, too")
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Now let me run the tests:")
    workshop.edit("docs.md")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert (words["finished"], words["answer"]) == ("Done: vouchers work.", "Now let me run the tests:")


def test_an_announcement_before_a_prompt_is_no_answer(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="Now let me add the field:")
    workshop.transcript.prompt("Another agent has done that; go on with the form")
    workshop.edit("form.py")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert ("finished" in words, words["answer"]) == (False, "Now let me add the field:")


def test_an_answer_that_begins_like_an_announcement_ends_the_work(workshop: Workshop) -> None:
    workshop.transcript.prompt("Make the greetings friendly")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="Now both greetings are friendly, and all 12 tests pass.")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert words["finished"] == "Now both greetings are friendly, and all 12 tests pass."


def test_the_last_statements_and_steps_are_kept_and_a_repeated_answer_once(workshop: Workshop) -> None:
    answered = 'User has answered your questions: "Which store?"="Postgres", "Which key?"="The id".'
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="The total is wrong because the key is an object.")
    for _ in range(2):
        record = {"answers": {"Which store?": "Postgres", "Which key?": "The id"}}
        workshop.call("AskUserQuestion", output=answered, record=record, questions=[])
    workshop.transcript.answer(30_000, tool_use_ids=(), text="Now the tests:")
    workshop.call("Bash", output="3 passed in 0.1s", command="pytest -q")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert [request["text"] for request in words["requests"]] == ["Add vouchers to the shop", "Postgres", "The id"]
    assert words["remarks"] == ["The total is wrong because the key is an object."]
    assert words["steps"][-2:] == ["\u201cNow the tests:\u201d", "`pytest -q`: 3 passed in 0.1s"]


def test_a_servers_error_is_not_taken_for_the_persons_words(workshop: Workshop) -> None:
    words = "The user doesn't want to proceed with this tool use. the user said:\nPush it to my server"
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.call("mcp__shop__order", failed=True, output=words, record=f"Error: {words}")
    workshop.compact()
    (saved,) = saved_words(workshop)
    assert [(request["kind"], request["text"]) for request in saved["requests"]] == [
        ("prompt", "Add vouchers to the shop"),
        ("refusal", ""),
    ]


def test_statements_from_before_the_newest_request_are_marked(workshop: Workshop) -> None:
    older, newer = "The total is wrong because the key is an object.", "The form needs a label for the voucher's code."
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.answer(20_000, tool_use_ids=(), text=older)
    workshop.edit("cart.py")
    workshop.transcript.prompt("Now the form")
    workshop.transcript.answer(30_000, tool_use_ids=(), text=f"{newer} Let me add it.")
    workshop.edit("form.py")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert words["remarks"] == [older, "(Here came the newest request.)", newer]


def test_failures_before_the_last_steps_are_kept(workshop: Workshop) -> None:
    workshop.transcript.prompt("Add vouchers to the shop")
    workshop.transcript.answer(20_000, tool_use_ids=(), text="I'll begin with the crate.")
    workshop.call("Bash", failed=True, output="Exit code 1\nerror: no such crate", command="cargo add vouchers")
    for number in range(20):
        workshop.read(f"a{number}.py")
    workshop.call("Bash", failed=True, output="Exit code 1\nerror: no such file", command="cargo add form")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert words["failures"] == ["`cargo add vouchers`: error: no such crate"]
    assert words["steps"][-1] == "`cargo add form`: failed: error: no such file"


def test_failures_before_the_newest_request_are_told_with_their_reasons(workshop: Workshop) -> None:
    transcript = workshop.transcript
    transcript.prompt("Add vouchers to the shop")
    workshop.call("Bash", failed=True, output="Exit code 1\nerror: too early", command="cargo add forms")
    transcript.boundary()
    transcript.summary("Vouchers were asked for.")
    workshop.call("Bash", failed=True, output="Exit code 1\nerror: the sixth", command="./first")
    failing = "FAILED test_cart.py::test_total - assert 1 == 2\n1 failed in 0.1s"
    workshop.call("Bash", output=failing, command="pytest -q | tail -3")
    workshop.call("Bash", output="3 passed in 0.1s", command="pytest -q | tail -3")
    for number in range(5):
        workshop.call("Bash", failed=True, output=f"Exit code 1\nerror: no crate {number}", command=f"./add {number}")
    workshop.bash("npm test", code=1)
    transcript.prompt("Now the docs, please, too")
    workshop.call("Bash", failed=True, output="Exit code 1\nerror: no crate 4", command="./add 4")
    workshop.compact()
    (words,) = saved_words(workshop)
    assert words["failures"] == [
        "`pytest -q | tail -3`: test_cart.py::test_total - assert 1 == 2 (passed since)",
        *(f"`./add {number}`: error: no crate {number}" for number in range(4)),
    ]
