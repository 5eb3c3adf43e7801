"""Transcripts in the client's format: captured ones, and synthetic ones made of captured lines with other numbers."""

import copy
import functools
import json
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.transcript.tail import Tail, read_tail

CAPTURED = Path(__file__).parent / "payloads" / "transcripts"
OLD_CLIENT, NEW_CLIENT = "2.1.197", "2.1.330"
MODEL = "claude-opus-4-6"
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC).timestamp()
"""Epoch seconds of the first synthetic line; each line is a second younger than the one before it."""

Line = dict[str, Any]


def captured(version: str) -> Path:
    """A captured session of a client; its subagents' files lie beside it as the client wrote them."""
    return next((CAPTURED / version).glob("*.jsonl"))


def captured_subagent(version: str) -> Path:
    return next(captured(version).with_suffix("").glob("subagents/agent-*.jsonl"))


def tail_of(transcript: "Transcript | Path", tool_use_id: str = "", *, is_subagent: bool = False) -> Tail:
    """A transcript's tail, read by the function under test."""
    path = transcript if isinstance(transcript, Path) else transcript.path
    tail = read_tail(str(path), tool_use_id, is_subagent=is_subagent)
    assert tail is not None
    return tail


def compact(line: Line) -> bytes:
    """A line as the client writes it: without spaces, and with non-ASCII characters unescaped."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()


@functools.cache
def _templates(version: str) -> dict[str, Line]:
    """The first captured line of each kind."""
    lines: dict[str, Line] = {}
    for text in captured(version).read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        kind = line.get("subtype") or line.get("attachment", {}).get("type") or line["type"]
        if kind == "user":
            content = line["message"]["content"]
            kind = "prompt" if isinstance(content, str) else content[0]["type"]
        lines.setdefault(kind, line)
    return lines


class Transcript:
    """A session's transcript that grows as the client writes it. Every method appends one line; most return its id."""

    def __init__(self, path: Path, *, version: str = NEW_CLIENT, agent_id: str | None = None) -> None:
        self.path = path
        self._version = version
        self.client = ""  # a version for the lines to name that was not captured
        self._agent_id = agent_id
        self._clock = START
        self._count = 0
        self._newest: str | None = None
        self._is_long: bool | None = None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()

    @property
    def newest(self) -> str | None:
        """The id of the next line's parent."""
        return self._newest

    def rewind(self, line: str | None) -> None:
        """Have the next line continue from an earlier one: the lines in between are abandoned."""
        self._newest = line

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def record_requests(self, *, is_long: bool | None = False) -> "Transcript":
        """Write a record of the request before each answer from now on, as newer clients do."""
        self._is_long = is_long
        return self

    def subagent(self, agent_id: str) -> "Transcript":
        """The transcript of one of this session's subagents, in the client's place for it."""
        path = self.path.with_suffix("") / "subagents" / f"agent-{agent_id}.jsonl"
        own = Transcript(path, version=self._version, agent_id=agent_id)
        own._is_long = self._is_long
        return own

    def answer(
        self,
        tokens: int,
        *,
        id: str | None = None,  # noqa: A002  the field's name
        tool_use_ids: Iterable[str] = ("toolu_1",),
        tool: str = "",
        output: int = 120,
        model: str = MODEL,
        text: str = "Done.",
        usage: dict[str, Any] | None = None,
        sidechain: bool | None = None,
        error: bool = False,
        at: float | None = None,
        top: dict[str, Any] | None = None,
    ) -> str:
        """Write an answer at `tokens` tokens: a line for each tool that it calls, or one with `text` if it calls none.

        `tool` is the tool's name, by default the captured one's.
        `usage` and `top` overlay the usage and the whole line; a value of `...` takes the key away.
        """
        if self._is_long is not None:
            self.request(is_long=self._is_long, model=model, at=at)
        line = self._line("assistant", at)
        message = line["message"]
        message |= {"id": id or f"msg_{self._count:06}", "model": model}
        message["usage"] |= {
            "input_tokens": min(tokens, 3),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": max(0, tokens - 3),
            "output_tokens": output,
        }
        _overlay(message["usage"], usage or {})
        if sidechain is not None:
            line["isSidechain"] = sidechain
        if error:
            line["isApiErrorMessage"] = True
        _overlay(line, top or {})
        block = message["content"][0] | {"input": {"command": text}}
        block |= {"name": tool} if tool else {}
        blocks = [block | {"id": use} for use in tool_use_ids]
        for content in blocks or [{"type": "text", "text": text}]:
            self.append(line | {"message": message | {"content": [content]}})
        return str(message["id"])

    def synthetic(self) -> None:
        """Write an answer in the model's name, as the client does after an interruption."""
        nothing = {"input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 0}
        self.answer(0, model="<synthetic>", tool_use_ids=(), text="No response requested.", usage=nothing)

    def rise(self, tokens: int, *, step: int = 1_000) -> None:
        """Write four answers, the last at `tokens`: enough turns for a forecast."""
        for turns_before in (3, 2, 1, 0):
            self.answer(tokens - turns_before * step)

    def result(
        self, tool_use_id: str = "toolu_1", text: str = "ok", *, failed: bool = False, record: object = None
    ) -> None:
        """Write a tool's result; `record` is the client's own copy of it, by default a command's."""
        line = self._line("tool_result")
        line["message"]["content"][0] |= {"tool_use_id": tool_use_id, "content": text, "is_error": failed}
        line["toolUseResult"] = record or {"stdout": text, "stderr": "", "interrupted": False}
        self.append(line)

    def prompt(self, text: str = "Fix the greeting", **fields: Any) -> None:
        line = self._line("prompt")
        line["message"]["content"] = text
        self.append(line | fields)

    def boundary(
        self,
        before: int = 169_000,
        after: int | None = 3_200,
        *,
        trigger: str = "auto",
        id: str | None = None,  # noqa: A002  the field's name
        at: float | None = None,
    ) -> str:
        """Write a compaction's boundary; `after` None leaves `postTokens` out, as older clients did."""
        line = self._line("compact_boundary", at)
        line["compactMetadata"] |= {"trigger": trigger, "preTokens": before, "postTokens": after}
        if after is None:
            del line["compactMetadata"]["postTokens"]
        line["uuid"] = id or line["uuid"]
        self.append(line)
        return str(line["uuid"])

    def summary(self, text: str) -> None:
        """Write the summary after a boundary, from which the conversation continues."""
        line = self._line("prompt")
        line["message"]["content"] = f"This session is being continued from a previous conversation.\n{text}"
        self.append(line | {"isCompactSummary": True})

    def request(self, *, is_long: bool = False, model: str = MODEL, at: float | None = None) -> None:
        """Write the record of a request (newer clients); `is_long` asks for the 1M window."""
        self._is_long = is_long if self._is_long is not None else None
        line = self._line("api-request", at)
        line["params"]["model"] = model
        line["params"]["betas"] += ["context-1m-2025-08-07"] if is_long else []
        self.append(line)

    def attachment(self, at: float | None = None, **fields: Any) -> None:
        """Write an attachment, which newer clients add to a conversation, such as `type="model"`."""
        line = self._line("model", at)
        line["attachment"] = fields
        self.append(line)

    def names_model(self, model: str, at: float | None = None) -> None:
        """Write the attachment in which the client names the model to it."""
        self.attachment(at, type="model", identity={"modelId": model})

    def reminder(self, tokens: int | None, at: float | None = None) -> None:
        """Write the client's `<total_tokens>` reminder; None for one without a text."""
        text = {} if tokens is None else {"text": f"<total_tokens>{tokens} tokens left</total_tokens>"}
        self.attachment(at, type="total_tokens_reminder", **text)

    def shape(self, size: int = 80_694) -> None:
        """Write the long line that newer clients add whenever the shape of their requests changes."""
        line = self._line("api-request-shape")
        line["shape"] = {"redacted": ""}
        line["shape"]["redacted"] = "x" * (size - len(compact(line)))
        self.append(line)

    def append(self, line: Line) -> None:
        self.write(compact(line) + b"\n")

    def write(self, data: bytes) -> None:
        """Append raw bytes: a half-written line, or something that no client writes."""
        with self.path.open("ab") as file:
            file.write(data)

    def grow(self, size: int) -> None:
        """Append a hole of `size` bytes, which takes no disk space, and end it as a line."""
        os.truncate(self.path, self.size + size - 1)
        self.write(b"\n")

    def _line(self, kind: str, at: float | None = None) -> Line:
        self._count += 1
        self._clock += 1
        line = copy.deepcopy(_templates(self._version)[kind])
        line |= {"version": self.client} if self.client else {}
        stamp = datetime.fromtimestamp(self._clock if at is None else at, UTC)
        line["timestamp"] = stamp.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if "uuid" in line:
            line["uuid"] = f"00000000-0000-4000-8000-{self._count:012}"
            line["parentUuid"] = None if kind == "compact_boundary" else self._newest
            self._newest = line["uuid"]
        if self._agent_id:
            line |= {"isSidechain": True, "agentId": self._agent_id}
        return line


def _overlay(values: dict[str, Any], changes: dict[str, Any]) -> None:
    for name, value in changes.items():
        if value is ...:
            values.pop(name, None)
        else:
            values[name] = value
