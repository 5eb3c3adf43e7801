"""A text is masked in each place of a transcript's line as it is masked alone."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from monitor.exporting import stream
from shared.secrets.masking import masked
from tests.shared.credentials import INNOCENT, KEYS, NAMED, PASSWORD, TOKEN

HEX = "0a1b2c3d4e5f6a7b" * 2
TEXTS = [
    *(frame.format(TOKEN) for frame in ("{}", "acme: {}", "use {}", "ACME={}", "try it with {} please", "id {}")),
    *(frame.format(password=PASSWORD, token=TOKEN) for frame in NAMED),
    *KEYS.values(),
    *INNOCENT,
    *(HEX, f"key {HEX}", f"commit {HEX}"),
]


def _user(content: Any, **fields: Any) -> dict[str, Any]:
    return {"parentUuid": None, "type": "user", "message": {"role": "user", "content": content}, **fields}


def _answer(part: dict[str, Any]) -> dict[str, Any]:
    return {"type": "assistant", "message": {"id": "msg_01", "role": "assistant", "content": [part]}, "uuid": "u"}


def _use(name: str, **given: str) -> dict[str, Any]:
    return _answer({"type": "tool_use", "id": "toolu_01", "name": name, "input": given})


def _result(content: Any) -> list[dict[str, Any]]:
    return [{"tool_use_id": "toolu_01", "type": "tool_result", "content": content, "is_error": False}]


PLACES: dict[str, Callable[[str], dict[str, Any]]] = {
    "prompt": lambda text: _user(text, uuid="u"),
    "answer": lambda text: _answer({"type": "text", "text": text}),
    "result": lambda text: _user(_result(text), toolUseResult={"stdout": text, "stderr": "", "interrupted": False}),
    "result of a server": lambda text: _user(_result([{"type": "text", "text": text}])),
    "file that is read": lambda text: {
        "toolUseResult": {"type": "text", "file": {"filePath": "/app/x", "content": text, "numLines": 3}}
    },
    "file that is written": lambda text: _use("Write", file_path="/app/x", content=text),
    "file that is edited": lambda text: _use("Edit", file_path="/app/x", old_string="x = 1", new_string=text),
    "command": lambda text: _use("Bash", command=text, description="Run"),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_text_is_masked_in_a_line_as_alone(place: str, tmp_path: Path) -> None:
    transcript = tmp_path / "session.jsonl"
    lines = [json.dumps(PLACES[place](text), separators=(",", ":"), ensure_ascii=False) for text in TEXTS]
    transcript.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    copied = b"".join(piece.data for piece in stream.masked(str(transcript))).decode().splitlines()

    assert [json.loads(line) for line in copied] == [PLACES[place](masked(text)) for text in TEXTS]


def test_a_lone_key_is_masked_but_not_in_an_identifier_field() -> None:
    assert TOKEN not in masked(json.dumps({"role": "user", "content": TOKEN}))
    for field in ("nonce", "url", "etag"):
        line = json.dumps({"content": "x", field: TOKEN, "n": 1})
        assert masked(line) == line
