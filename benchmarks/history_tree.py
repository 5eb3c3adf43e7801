"""A client's folder of transcripts with known totals, made at random from a seed.

The proportions are those of 238 real sessions: 17 kB a call, two lines an answer, a result of about 5 kB that a line
holds twice. Three of a hundred sessions are forks, which repeat their first lines in a separate file, and every fifth
file is a subagent's. Some lines are a client's errors, and some answers have lines of growing usage.
"""

import json
import os
import random
from typing import NamedTuple

FILES = 5_000
_FORKS, _SUBAGENTS, _ERRORS, _COMPACTED = 0.03, 0.2, 0.01, 60
_WORDS = ("window", "context", "usage", "level", "bridge", "transcript", "hook", "segment", "return", "import")
_STAMP = "2026-06-%02dT%02d:%02d:%02d.500Z"


class Totals(NamedTuple):
    """The expected output of `tidegauge history totals`."""

    calls: int = 0
    input_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    output_tokens: int = 0
    compactions: int = 0
    sessions: int = 0
    subagents: int = 0

    def plus(self, **counts: int) -> "Totals":
        """The totals plus `counts`."""
        return self._replace(**{name: getattr(self, name) + count for name, count in counts.items()})


class _TreeFile:
    """A transcript being written."""

    def __init__(self, chance: random.Random, session: str, text: str, *, is_subagent: bool) -> None:
        self.lines: list[str] = []
        self._chance, self._session, self._text, self._is_subagent = chance, session, text, is_subagent
        self._count = self._seconds = 0
        self._uuid = "null"
        self.tokens = 18_000

    def turn(self, totals: Totals) -> Totals:
        """Write an answer that calls a tool, and the result; occasionally an error or a compaction."""
        self._count += 1
        if self._count % _COMPACTED == 0 and not self._is_subagent:
            meta = json.dumps({"trigger": "auto", "preTokens": self.tokens, "postTokens": 9_000, "durationMs": 90_000})
            self._line(
                "system", f'"subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{meta}'
            )
            self._line("user", f'"message":{{"role":"user","content":"{self._words(12_000)}"}},"isCompactSummary":true')
            self.tokens, totals = 18_000, totals.plus(compactions=1)
        if self._chance.random() < _ERRORS:
            self._answer("text", '"text":"API Error"', 0, 0, 0, model="<synthetic>", more=',"isApiErrorMessage":true')
        grown, output = self._chance.randrange(300, 3_000), self._chance.randrange(20, 900)
        read, self.tokens = self.tokens, self.tokens + grown
        path = f"/home/dev/shop/src/module_{self._chance.randrange(400)}/file_{self._chance.randrange(20)}.py"
        call = f'"id":"toolu_{self._session}_{self._count}","name":"Read","input":{{"file_path":"{path}"}}'
        self._answer("text", f'"text":"{self._words(700)}"', grown, read, min(output, 8))
        self._answer("tool_use", call, grown, read, output)
        text = self._words(self._chance.randrange(500, 12_000))
        result = f'"tool_use_id":"toolu_{self._session}_{self._count}","type":"tool_result","content":"{text}"'
        self._line(
            "user",
            f'"message":{{"role":"user","content":[{{{result}}}]}},"toolUseResult":{{"type":"text","file":'
            f'{{"filePath":"{path}","content":"{text}","numLines":9}}}}',
        )
        return totals.plus(
            calls=1,
            input_tokens=3,
            cache_creation_input_tokens=grown,
            cache_read_input_tokens=read,
            output_tokens=output,
        )

    def _answer(
        self,
        kind: str,
        block: str,
        created: int,
        read: int,
        output: int,
        *,
        model: str = "claude-opus-4-6",
        more: str = "",
    ) -> None:
        usage = (
            f'{{"input_tokens":{3 if read else 0},"cache_creation_input_tokens":{created},'
            f'"cache_read_input_tokens":{read},'
            f'"cache_creation":{{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":{created}}},'
            f'"output_tokens":{output},"service_tier":"standard"}}'
        )
        self._line(
            "assistant",
            f'"message":{{"model":"{model}","id":"msg_{self._session}_{self._count}","type":"message","role":"assistant",'
            f'"content":[{{"type":"{kind}",{block}}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{usage}}},'
            f'"requestId":"req_{self._session}_{self._count}"{more}',
        )

    def _line(self, kind: str, fields: str) -> None:
        self._seconds += 7
        minutes, seconds = divmod(self._seconds, 60)
        hours, minutes = divmod(minutes, 60)
        stamp = _STAMP % (1 + hours // 24 % 28, hours % 24, minutes, seconds)
        uuid = f'"{self._session[:8]}-{len(self.lines):012}"'
        self.lines.append(
            f'{{"parentUuid":{self._uuid},"isSidechain":{json.dumps(self._is_subagent)},"userType":"external",'
            f'"cwd":"/home/dev/shop","sessionId":"{self._session}","version":"2.1.330","gitBranch":"main",'
            f'{fields},"type":"{kind}","uuid":{uuid},"timestamp":"{stamp}"}}\n'
        )
        self._uuid = uuid

    def _words(self, size: int) -> str:
        start = self._chance.randrange(len(self._text) - size)
        return self._text[start : start + size]


def make(client_directory: str, megabytes: int, seed: int = 12) -> Totals:
    """Write a tree of about `size` bytes into `client_directory`, which exists; return its totals."""
    chance = random.Random(seed)  # noqa: S311  a benchmark's
    text = " ".join(chance.choices(_WORDS, k=20_000))
    totals, session, budget = Totals(), "", megabytes * 1_000_000 // FILES
    for number in range(FILES):
        is_subagent = bool(session) and chance.random() < _SUBAGENTS
        name = f"{number:08x}-0000-4000-8000-{chance.randrange(16**12):012x}"
        file = _TreeFile(chance, name, text, is_subagent=is_subagent)
        size = chance.uniform(0.2, 1.8) * budget
        while sum(map(len, file.lines)) < size:
            totals = file.turn(totals)
        folder = os.path.join(client_directory, "projects", f"-home-dev-shop-{number % 40}")
        if is_subagent:
            path = os.path.join(session, "subagents", f"agent-{number:x}.jsonl")
            totals = totals.plus(subagents=1)
        else:
            session = os.path.join(folder, name)
            path, totals = f"{session}.jsonl", totals.plus(sessions=1)
            if chance.random() < _FORKS:
                _write(os.path.join(folder, f"f{name[1:]}.jsonl"), file.lines[: len(file.lines) // 2])
                totals = totals.plus(sessions=1)
        _write(path, file.lines)
    return totals


def _write(path: str, lines: list[str]) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
