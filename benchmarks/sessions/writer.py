"""A synthetic session in the client's transcript format: an agent reads, edits, searches and runs."""

import json
import os
import random
from datetime import UTC, datetime, timedelta
from typing import Any

DIRECTORY = "/home/dev/shop"
SYSTEM_TOKENS = 18_000
"""Tokens in the window before the first prompt."""
_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_WORDS = (
    "cache", "cart", "cookie", "event", "field", "filter", "header", "index", "item", "limit", "order", "page", "price",
    "query", "queue", "record", "result", "retry", "session", "state", "stream", "token", "total", "user", "value",
)  # fmt: skip


class MadeUpSession:
    """A session whose files are lines of text; every method is one tool call or one message."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)  # noqa: S311  made-up sessions, the same for the same seed
        self.lines: list[bytes] = []
        self.files: dict[str, list[str]] = {}
        self.tokens = SYSTEM_TOKENS
        self.read_paths: set[str] = set()
        """Files whose contents are in the window."""
        self._calls = self._answers = 0
        self._time = _START

    @property
    def transcript(self) -> bytes:
        return b"".join(self.lines)

    def make(self, path: str, length: int | None = None) -> str:
        """Add a file of `length` lines at `path` in the project; return its whole path."""
        path = path if path.startswith("/") else f"{DIRECTORY}/{path}"
        count = length or self.random.choice((30, 60, 120, 240, 400))
        self.files.setdefault(path, [self.code() for _ in range(count)])
        return path

    def code(self) -> str:
        """A line of code, hardly ever the same twice."""
        one = other = self._below(len(_WORDS))
        while other == one:
            other = self._below(len(_WORDS))
        return f"    {_WORDS[one]}_{self._below(10**6)} = {_WORDS[other]}({self._below(10**4)})"

    def _below(self, limit: int) -> int:
        """The number that `randrange` draws, without its checks, which take most of the time for 1.7 million lines."""
        bits = limit.bit_length()
        while (number := self.random.getrandbits(bits)) >= limit:
            pass
        return number

    def prompt(self, text: str) -> None:
        self._line("user", {"role": "user", "content": text})
        self._grow(text)

    def say(self, text: str = "Done.") -> None:
        self._answer([{"type": "text", "text": text}])

    def read(self, path: str, offset: int | None = None, limit: int | None = None) -> None:
        self.read_paths.add(path)
        lines = self.files[path][(offset or 1) - 1 :][: limit or 2_000]
        arguments = {"file_path": path} | ({"offset": offset} if offset else {}) | ({"limit": limit} if limit else {})
        self.call("Read", arguments, "\n".join(f"{n}\t{line}" for n, line in enumerate(lines, offset or 1)))

    def edit(self, path: str, old: str, new: str) -> None:
        text = "\n".join(self.files[path])
        is_there = old in text
        if is_there:
            self.files[path] = text.replace(old, new, 1).split("\n")
        message = (
            f"The file {path} has been updated."
            if is_there
            else "<tool_use_error>String to replace not found</tool_use_error>"
        )
        self.call("Edit", {"file_path": path, "old_string": old, "new_string": new}, message, failed=not is_there)

    def improve(self, path: str) -> tuple[str, str]:
        """Replace a line of a file by a new one; return both."""
        old, new = self.random.choice(self.files[path]), self.code()
        self.edit(path, old, new)
        return old, new

    def write(self, path: str, lines: list[str]) -> None:
        self.files[path] = list(lines)
        self.call("Write", {"file_path": path, "content": "\n".join(lines)}, f"File written to {path}")

    def run(self, command: str, output: str = "ok", *, failed: bool = False) -> None:
        arguments = {"command": command, "description": self.random.choice(("Run it", "Try again", "Check"))}
        self.call("Bash", arguments, f"Exit code 1\n{output}" if failed else output, failed=failed)

    def search(self, word: str, path: str | None = None) -> None:
        result = "\n".join(self.random.sample(sorted(self.files), min(4, len(self.files))))
        self.call("Grep", {"pattern": word} | ({"path": path} if path else {}), result)

    def call(self, name: str, arguments: dict[str, Any], output: str, *, failed: bool = False) -> None:
        self._calls += 1
        use = f"toolu_{self._calls:06}"
        self._answer([{"type": "tool_use", "id": use, "name": name, "input": arguments}])
        result = {"tool_use_id": use, "type": "tool_result", "content": output} | ({"is_error": True} if failed else {})
        self._line("user", {"role": "user", "content": [result]})
        self._grow(output)

    def compaction(self) -> None:
        metadata = {"trigger": "auto", "preTokens": self.tokens}
        self._line("system", None, subtype="compact_boundary", compactMetadata=metadata)
        self.tokens = SYSTEM_TOKENS + 6_000
        self.read_paths.clear()

    def save(self, directory: str) -> str:
        """Write the transcript; return its path."""
        path = os.path.join(directory, "session.jsonl")
        with open(path, "wb") as file:
            file.write(self.transcript)
        return path

    def _answer(self, content: list[dict[str, Any]]) -> None:
        self._answers += 1
        usage = {"input_tokens": 3, "cache_read_input_tokens": self.tokens, "output_tokens": 90}
        message = {"id": f"msg_{self._answers:06}", "role": "assistant", "model": "claude-opus-4-6"}
        self._line("assistant", message | {"content": content, "usage": usage})
        self._grow(json.dumps(content))

    def _grow(self, text: str) -> None:
        self.tokens += len(text) // 4 + 20

    def _line(self, kind: str, message: dict[str, Any] | None, **more: Any) -> None:
        self._time += timedelta(seconds=self.random.randrange(2, 30))
        line = {"type": kind, "isSidechain": False, "cwd": DIRECTORY, "timestamp": self._time.isoformat()} | more
        self.lines.append(json.dumps(line | ({"message": message} if message else {})).encode() + b"\n")
