import importlib
import json

import msgspec
import pytest

from monitor import dispatch
from monitor.dispatch import HOOKS
from monitor.hook import HookEvent, Reply
from monitor.hooks import post_tool_use
from monitor.hooks.post_tool_use import PostToolUseEvent
from monitor.session import Session
from shared.process.boundary import ProcessAnswer
from tests.monitor.scene import NORMAL, WARNING, Scene


@pytest.mark.parametrize("event", HOOKS)
def test_every_event_has_a_hook_with_its_record(event: str) -> None:
    hook = importlib.import_module(HOOKS[event])
    assert issubclass(hook.handle.__annotations__["event"], HookEvent)


def test_a_reply_has_the_form_the_client_accepts(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    answer = dispatch.main(json.dumps(scene.payload()).encode(), str(scene.root))
    output = json.loads(answer.stdout)["hookSpecificOutput"]
    assert output["hookEventName"] == "PostToolUse"
    assert "CONTEXT WINDOW WARNING" in output["additionalContext"]
    assert (answer.stderr, answer.is_blocking) == (b"", False)


def test_silence_is_nothing_at_all(scene: Scene) -> None:
    """Older clients would show an empty object in the conversation."""
    scene.transcript.answer(NORMAL)
    assert dispatch.main(json.dumps(scene.payload()).encode(), str(scene.root)) == ProcessAnswer()


@pytest.mark.parametrize("stdin", [b"", b" \n", b'{"hook_event_name": "Unheard"}', b'{"hook_event_name": ""}'])
def test_an_unhandled_event_is_silent(scene: Scene, stdin: bytes) -> None:
    assert dispatch.main(stdin, str(scene.root)) == ProcessAnswer()


@pytest.mark.parametrize("stdin", [b"null", b"[]", b"{}", b"{", b'{"hook_event_name": 5}', b"\xff"])
def test_an_invalid_event_is_an_error_for_the_boundary(scene: Scene, stdin: bytes) -> None:
    with pytest.raises((msgspec.MsgspecError, UnicodeDecodeError)):
        dispatch.main(stdin, str(scene.root))


def test_unknown_fields_of_newer_clients_do_no_harm(scene: Scene) -> None:
    scene.transcript.answer(WARNING)
    assert scene.message(added_later={"anything": [1, None]})


@pytest.mark.parametrize("field", ["cwd", "permission_mode", "tool_use_id"])
@pytest.mark.parametrize("value", [None, 5, ["a"], {}])
def test_a_field_of_another_type_is_lost_alone(scene: Scene, field: str, value: object) -> None:
    scene.transcript.answer(WARNING)
    assert scene.message(**{field: value})  # type: ignore[arg-type]  # whatever the client may send


def answer_to(monkeypatch: pytest.MonkeyPatch, reply: Reply) -> bytes:
    """The client's input when a tool use's hook answers with `reply`."""

    def handle(event: PostToolUseEvent, session: Session) -> Reply:
        return reply

    monkeypatch.setattr(post_tool_use, "handle", handle)
    return dispatch.main(b'{"hook_event_name": "PostToolUse", "session_id": "s"}', "/nowhere").stdout


def test_a_sequence_for_the_terminal_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = answer_to(monkeypatch, Reply(terminal="\033]9;hello\a"))
    assert json.loads(answer) == {"terminalSequence": "\033]9;hello\a"}


def test_a_reply_with_texts_for_model_and_person_carries_both(monkeypatch: pytest.MonkeyPatch) -> None:
    assert json.loads(answer_to(monkeypatch, Reply(context="é", notice="n"))) == {
        "hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "é"},
        "systemMessage": "n",
    }
