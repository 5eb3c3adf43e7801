from pathlib import Path

import pytest

from monitor.session import Session, conversation_of
from shared.settings.config import Config


def test_a_sessions_event_is_about_its_own_transcript() -> None:
    conversation = conversation_of("s", "/p/s.jsonl", None)
    assert conversation is not None
    assert (conversation.id, conversation.transcript, conversation.is_subagent) == ("s", "/p/s.jsonl", False)


def test_a_subagents_event_is_about_the_subagents_transcript() -> None:
    conversation = conversation_of("s", "/p/s.jsonl", "a1")
    assert conversation is not None
    assert (conversation.id, Path(conversation.transcript), conversation.is_subagent) == (
        "s.a1",
        Path("/p/s/subagents/agent-a1.jsonl"),
        True,
    )


@pytest.mark.parametrize("session_id", ["", "../s", "s/t", "s.t", "x" * 129])
def test_an_unsafe_session_id_has_no_conversation(session_id: str) -> None:
    assert conversation_of(session_id, "/p/s.jsonl", None) is None
    assert conversation_of(session_id, "/p/s.jsonl", "a1") is None


@pytest.mark.parametrize("agent_id", ["", "../a", "a/b", "a.b", "x" * 129])
def test_an_unsafe_agent_id_has_no_conversation_and_is_never_its_parent(agent_id: str) -> None:
    assert conversation_of("s", "/p/s.jsonl", agent_id) is None


def test_no_subagent_has_the_name_of_a_session() -> None:
    names = [conversation_of(*ids) for ids in (("s-a", "", None), ("s", "", "a"), ("s", "", "a-b"), ("s-a", "", "b"))]
    assert len({conversation.id for conversation in names if conversation}) == 4


def test_the_clients_directory_holds_the_root() -> None:
    assert Session("/home/dev/.claude/tidegauge", Config(), {}, 0.0).client_directory == "/home/dev/.claude"
