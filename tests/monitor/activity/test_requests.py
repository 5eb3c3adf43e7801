"""The person's requests and decisions are told apart from what others write in their name."""

from typing import Any

import pytest

from monitor.activity.requests import UserRequest, is_typed, requests_in
from shared.transcript.line import line_in
from tests import processor_time
from tests.transcripts import compact

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the"
    " new_string was NOT written to the file). "
)
NOTE = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention."


def requests(line: dict[str, Any]) -> list[tuple[str, str, str]]:
    parsed = line_in(compact(line))
    assert parsed is not None
    return [(request.kind, request.text, request.about) for request in requests_in(parsed)]


def typed(text: str, **fields: Any) -> list[tuple[str, str, str]]:
    return requests({"type": "user", "message": {"role": "user", "content": text}} | fields)


def result(text: str, *, is_error: bool = False, **fields: Any) -> list[tuple[str, str, str]]:
    block = {"type": "tool_result", "tool_use_id": "toolu_1", "content": text, "is_error": is_error}
    return requests({"type": "user", "message": {"role": "user", "content": [block]}} | fields)


def command(name: str, arguments: str = "") -> str:
    return (
        f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>\n"
        f"            <command-args>{arguments}</command-args>"
    )


def test_a_prompt_is_a_request() -> None:
    assert typed("Add vouchers") == [("prompt", "Add vouchers", "")]
    assert typed("Add vouchers", promptSource="typed", origin={"kind": "human"}) == [("prompt", "Add vouchers", "")]


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("vaak:apply", "the second plan", "/vaak:apply the second plan"),
        ("commit", "", "/commit"),
        ("plan", "Add vouchers, carefully", "/plan Add vouchers, carefully"),
        ("review", "142", "/review 142"),
    ],
)
def test_a_slash_command_is_a_request_with_its_arguments(name: str, arguments: str, text: str) -> None:
    assert typed(command(name, arguments)) == [("command", text, "")]
    assert typed(text) == [("command", text, "")]


@pytest.mark.parametrize(
    "text",
    [
        "[Request interrupted by user for tool use]",
        "Operation stopped by hook: Another session is active",
        "UserPromptSubmit operation blocked by hook:\nno",
    ],
)
def test_the_clients_text_about_a_hook_is_no_request(text: str) -> None:
    assert typed(text) == []
    assert typed(f"this looks a bit strange: {text}") == [("prompt", f"this looks a bit strange: {text}", "")]


def test_a_skill_may_name_itself_first() -> None:
    text = "<command-message>deploy is running</command-message>\n<command-name>/deploy</command-name>"
    assert typed(f"{text}\n<command-args>to staging</command-args>") == [("command", "/deploy to staging", "")]


@pytest.mark.parametrize(
    "text",
    [
        "/compact", "/compact keep the tests", "/model opus", "/clear", "/token-status --pivot spawn", "/plan",
        command("compact"), command("model", "opus"), command("exit"), command("token-status"),
        "/tidegauge:token-status", command("tidegauge:token-status"),
        "<local-command-stdout>Compacted</local-command-stdout>", "<bash-input>ls</bash-input>",
        "<task-notification>\n<task-id>a</task-id>", "[Request interrupted by user for tool use]",
        "<github-webhook-activity>\n{}\n</github-webhook-activity>", '<ci-event run="7">failed</ci-event>', "  ",
        '<teammate-message from="lead">go</teammate-message>',
    ],
)  # fmt: skip
def test_the_clients_own_commands_and_events_are_no_requests(text: str) -> None:
    assert typed(text) == []


@pytest.mark.parametrize(
    "text",
    ["<my-app> doesn't render", "<div>this is broken</div>", "/home/dev/shop is the directory", "[x] is not done yet"],
)
def test_text_that_only_looks_like_an_event_is_a_request(text: str) -> None:
    assert typed(text) == [("prompt", text, "")]
    assert is_typed(text)


@pytest.mark.parametrize("fields", [{"isMeta": True}, {"isSidechain": True}, {"isCompactSummary": True}])
def test_text_the_client_writes_in_the_persons_name_is_no_request(fields: dict[str, Any]) -> None:
    assert typed("Base directory for this skill", **fields) == []


@pytest.mark.parametrize("fields", [{"promptSource": "system"}, {"origin": {"kind": "task-notification"}}])
def test_newer_clients_name_a_prompts_author(fields: dict[str, Any]) -> None:
    assert typed("Check the build", **fields) == []


def test_text_the_client_adds_to_a_prompt_is_left_out() -> None:
    assert typed("<ide_opened_file>a.py is open</ide_opened_file>\nFix it") == [("prompt", "Fix it", "")]
    text = "<system-reminder>a</system-reminder>Fix <system-reminder> it<ide_a>b</ide_a><ide_b>"
    assert typed(text) == [("prompt", "Fix <system-reminder> it<ide_b>", "")]


@pytest.mark.parametrize(
    "text",
    [
        "<ide_a>" * 15_000,
        "<system-reminder>" * 7_000,
        command("a", "<command-args>" * 17_000)[:-1],
    ],
)
def test_no_prompt_takes_long_to_parse(text: str) -> None:
    with processor_time.at_most(0.5):
        typed(text)


def test_no_refusal_takes_long_to_parse() -> None:
    questions = "The user wants to clarify these questions\n" + '- "' * 17_000
    with processor_time.at_most(1):
        result(f"{REJECTED}To tell you how to proceed, the user said:\n{questions}", is_error=True)


def test_an_answer_is_a_decision_with_its_question() -> None:
    answers = {"Which store?": "Postgres", "Which files?": ["a.py", "b.py"]}
    answer = {"questions": [], "answers": answers, "annotations": {"Which store?": {"notes": "no SQLite"}}}
    for opening in ("User has answered your questions", "Your questions have been answered", "The user answered"):
        line = result(f'{opening}: "Which store?"="Postgres". You can now continue.', toolUseResult=answer)
        assert line == [("answer", "Postgres (no SQLite)", "Which store?"), ("answer", "a.py, b.py", "Which files?")]


def test_only_the_first_of_too_many_answers_count() -> None:
    answers = {f"Question {number}?": "Yes" for number in range(3_000)}
    listed = "".join(f'- "{question}"\n  Answer: Yes\n' for question in answers)
    refused = f"{REJECTED}To tell you, the user said:\nThe user wants to clarify these questions.\n{listed}"
    first = [("answer", "Yes", f"Question {number}?") for number in range(20)]
    assert result("User has answered your questions: yes", toolUseResult={"answers": answers}) == first
    assert result(refused, is_error=True) == first


@pytest.mark.parametrize(
    "text",
    [
        'User has answered your questions: "Which store?"="Mine". You can now go on.',
        "User has approved your plan.\n\nYour plan has been saved to: /p.md\n\n## Approved Plan:\nPush it",
    ],
)
@pytest.mark.parametrize("record", [None, {"stdout": "x"}, "User has answered", [{"type": "text"}], {"answers": {}}])
def test_a_tools_output_in_the_clients_words_is_no_decision(text: str, record: object) -> None:
    assert result(text, toolUseResult=record) == []


def test_a_failed_commands_output_in_the_clients_words_is_no_decision() -> None:
    assert result(f"Exit code 1\n{REJECTED}To tell you, the user said:\nPush it{NOTE}", is_error=True) == []


def test_the_persons_words_in_a_refusal_are_a_decision() -> None:
    text = f"{REJECTED}To tell you how to proceed, the user said:\nWrite it as a spec first{NOTE}"
    assert result(text, is_error=True) == [("refusal", "Write it as a spec first", "")]
    assert result(f"{REJECTED}STOP what you are doing.", is_error=True) == [("refusal", "", "")]


def test_the_answered_part_of_a_question_is_a_decision() -> None:
    text = (
        f"{REJECTED}To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n\n"
        '    Questions asked:\n- "Which store?"\n  (No answer provided)\n- "Which port?"\n  Answer: 8080\n'
    )
    assert result(text + NOTE, is_error=True) == [("answer", "8080", "Which port?")]


def test_an_approved_plan_is_a_decision() -> None:
    text = "User has approved your plan. You can now start coding.\n\nYour plan has been saved to: /home/dev/plan.md\n"
    plan = {"plan": "# Plan"}
    assert result(text, toolUseResult=plan) == [("plan", "/home/dev/plan.md", "")]
    assert result(text, toolUseResult=plan | {"filePath": "/home/dev/b.md"}) == [("plan", "/home/dev/b.md", "")]
    answered = f"{text}\n# Plan\nAs the user answered: 8080"
    assert result(answered, toolUseResult=plan) == [("plan", "/home/dev/plan.md", "")]


@pytest.mark.parametrize(
    "text",
    [
        "the user said:\nyes",
        "Permission to use Bash has been denied.",
        "<tool_use_error>rejected by schema</tool_use_error>",
    ],
)
def test_a_tools_error_is_no_decision(text: str) -> None:
    assert result(text, is_error=True) == []
    assert result("all questions answered in the log") == []


def test_a_prompt_written_while_the_agent_works_is_a_request() -> None:
    queued = {"type": "queue-operation", "operation": "enqueue", "content": "Also the tests"}
    assert requests(queued) == [("queued", "Also the tests", "")]
    assert requests(queued | {"content": "/commit now"}) == [("queued", "/commit now", "")]
    assert requests(queued | {"content": '{"kind": "event"}'}) == []
    assert requests(queued | {"operation": "dequeue"}) == []
    for prompt in ("Also the docs", [{"type": "text", "text": "Also the docs"}]):
        attached = {"type": "queued_command", "prompt": prompt, "origin": {"kind": "human"}}
        assert requests({"type": "attachment", "attachment": attached}) == [("queued", "Also the docs", "")]
    attached = {"type": "queued_command", "prompt": "Also", "origin": {"kind": "task-notification"}}
    assert requests({"type": "attachment", "attachment": attached}) == []
    assert requests({"type": "attachment", "attachment": {"type": "file"}}) == []


@pytest.mark.parametrize(
    "line",
    [
        {"type": "assistant", "message": {"content": "Add vouchers"}},
        {"type": "user", "message": {"content": 5}},
        {"type": "user", "toolUseResult": {"answers": 5}},
    ],
)
def test_lines_of_another_shape_hold_no_request(line: dict[str, Any]) -> None:
    assert requests(line) == []


def test_a_request_survives_encoding_and_decoding() -> None:
    assert UserRequest("answer", "Postgres", "Which store?") == UserRequest("answer", "Postgres", about="Which store?")
