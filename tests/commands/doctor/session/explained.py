"""A session that `tidegauge doctor --session` explains."""

import time
from typing import Any

from tests.commands.person import SESSION, Person
from tests.transcripts import Transcript


def answer(transcript: Transcript, person: Person, tokens: int, number: int = 1, **more: Any) -> None:
    where = {"cwd": str(person.project)}
    transcript.answer(tokens, tool_use_ids=[f"toolu_{number}"], at=time.time(), top=where, **more)


def explained(person: Person, session: str = SESSION) -> str:
    result = person.doctor("--session", session)
    assert result.stderr == ""
    return result.stdout


def last_line(person: Person) -> str:
    return explained(person).splitlines()[-1]
