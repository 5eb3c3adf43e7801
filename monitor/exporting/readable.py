"""A session as Markdown, from masked lines: everything said, quoted so that it can't pose as ours."""

import re
from collections.abc import Iterator

from monitor.activity.line import MARKERS
from monitor.activity.requests import DECISIONS, UserRequest, requests_in, retracted_in
from monitor.checkpoints.texts.requests import request_text
from shared.client.client import SERVER_TOOL
from shared.client.tools import about
from shared.text.plain import code, one_line, whole_seconds
from shared.text.quantities import counted
from shared.transcript.jsonl import LONGEST
from shared.transcript.line import ContentBlock, TranscriptLine, TranscriptMessage, line_in

_LONGEST_RESULT = 120
_LONGEST_TEXT = 200_000
"""Characters written of a prompt or an answer."""
_MOST_PENDING = 400
_marked = re.compile(b"|".join(MARKERS)).search
OMISSION = "\n*A very long line of the transcript is left out here.*\n"
"""The Markdown in place of an overlong line."""


class SessionMarkdown:
    def __init__(self) -> None:
        self.prompts = self.answers = self.calls = 0
        self._message_id = ""  # of the present answer
        self._pending: dict[str, tuple[int, str]] = {}  # calls without a result: number and tool, by tool use id
        self._queued: dict[str, int] = {}  # numbers of prompts that the agent hasn't got yet, by their text

    def of(self, data: bytes) -> Iterator[str]:
        """The Markdown of some whole lines."""
        for line in data.split(b"\n"):
            if len(line) > LONGEST:
                yield OMISSION
            elif _marked(line):
                yield from self._line(line)

    def _line(self, data: bytes) -> Iterator[str]:
        line = line_in(data)
        if line is None or line.isSidechain:
            return
        if line.is_compact_boundary:
            yield f"\n---\n\n*The client compacted the conversation here{_at(line)}.*\n"
        elif line.message is not None and line.type == "assistant":
            yield from self._answer(line, line.message)
        else:
            results = [*self._results(line.message)] if line.message is not None else []
            yield from (text for _, text in results)
            is_of_server = any(tool.startswith(SERVER_TOOL) for tool, _ in results)
            for request in retracted_in(line):
                if waiting := self._queued.pop(request.text, None):
                    is_back = line.type == "queue-operation"
                    what = "was withdrawn to be rewritten" if is_back else "is the agent's own"
                    yield f"\n*Prompt {waiting} {what}.*\n"
            for request in requests_in(line):
                if not (is_of_server and request.kind in DECISIONS):  # a server's result may imitate a refusal
                    yield from self._request(line, request)
            if line.isCompactSummary and line.message is not None:
                yield (
                    "\n*From here on, this summary stands for everything above:*\n\n"
                    + _quoted(line.message.text)
                    + "\n"
                )

    def _results(self, message: TranscriptMessage) -> Iterator[tuple[str, str]]:
        """Yield the tool of each result whose call is known, and its Markdown."""
        for block in message.blocks:
            if block.type == "tool_result" and (call := self._pending.pop(block.tool_use_id, None)):
                number, tool = call
                yield tool, f"   - {number}: {'failed' if block.is_error else 'ok'}{_result(block)}\n"

    def _answer(self, line: TranscriptLine, message: TranscriptMessage) -> Iterator[str]:
        blocks = [block for block in message.blocks if block.is_text or block.type == "tool_use"]
        if blocks and (not message.id or message.id != self._message_id):
            self._message_id = message.id
            self.answers += 1
            yield f"\n### Answer {self.answers}{_at(line)}\n"
        for block in blocks:
            if block.type == "text":
                yield "\n" + _quoted(block.text or "") + "\n"
            else:
                self.calls += 1
                self._pending[block.id] = self.calls, block.name
                if len(self._pending) > _MOST_PENDING:
                    del self._pending[next(iter(self._pending))]
                what = code(about(block.arguments or {}), 160)
                yield f"\n{self.calls}. **{one_line(block.name, 60)}** {what}\n"

    def _request(self, line: TranscriptLine, request: UserRequest) -> Iterator[str]:
        """Yield a request or decision; a queued prompt is written once, at its first position."""
        if request.kind in DECISIONS:
            yield f"\n## Decision{_at(line)}\n\n{_quoted(request_text(request, _LONGEST_TEXT))}\n"
            return
        waiting = self._queued.pop(request.text, None)
        if waiting is not None:
            return
        self.prompts += 1
        if request.kind == "queued" and line.type == "queue-operation":
            self._queued[request.text] = self.prompts
        yield f"\n## Prompt {self.prompts}{_at(line)}\n\n{_quoted(request.text)}\n"


def _at(line: TranscriptLine) -> str:
    return f" ({whole_seconds(line.timestamp)} UTC)" if line.timestamp else ""


def _quoted(text: str) -> str:
    """A text as a quotation, so that no heading or rule in it can be taken for one of ours."""
    rest = len(text) - _LONGEST_TEXT
    lines = text[:_LONGEST_TEXT].splitlines() + ([f"[{counted(rest, 'more character')}]"] if rest > 0 else [])
    return "\n".join("> " + "".join(c for c in line if c == "\t" or c.isprintable()) for line in lines)


def _result(block: ContentBlock) -> str:
    text = block.result
    first = next((line for line in text[: 4 * _LONGEST_RESULT].splitlines() if line.strip()), "")
    rest = len(text.splitlines()) - 1
    more = f" and {counted(rest, 'more line')}" if rest > 0 else ""
    return f", {code(first, _LONGEST_RESULT)}{more}" if first else ""
