"""A session as a person reads it: prompts and answers in full, tool calls in short, as Markdown.

It is made from lines that are masked already. What is said in a session is quoted, so that it can't pose as ours.
"""

from collections.abc import Iterator

from monitor.activity.client_prompts import is_clients_own
from shared.lines import LONGEST
from shared.plain import one_line, whole_seconds
from shared.quantities import counted
from shared.transcript_line import ContentBlock, TranscriptLine, TranscriptMessage, line_in

_LONGEST_ARGUMENT, _LONGEST_RESULT = 160, 120
_LONGEST_TEXT = 200_000
"""Characters of a prompt or an answer that are written out."""
_ARGUMENTS = ("command", "file_path", "notebook_path", "path", "pattern", "url", "query", "description", "subject")
"""What a tool call is told by, the most telling first."""
_MOST_PENDING = 400


class SessionMarkdown:
    """The Markdown of one session, made from its lines in order."""

    def __init__(self) -> None:
        self.prompts = self.answers = self.calls = 0
        self._said = ""
        """Id of the answer that is being written."""
        self._pending: dict[str, int] = {}
        """Numbers of the calls without a result, by tool use id."""

    def of(self, data: bytes) -> Iterator[str]:
        """The Markdown of some whole lines."""
        for line in data.split(b"\n"):
            if len(line) > LONGEST:
                yield from self.without()
            elif b'"user"' in line or b'"assistant"' in line or b'"compact_boundary"' in line:
                yield from self._line(line)

    def without(self) -> Iterator[str]:
        """The Markdown in place of a line that is too long to be read."""
        yield "\n*A very long line of the transcript is left out here.*\n"

    def _line(self, data: bytes) -> Iterator[str]:
        found = line_in(data)
        if found is None or found.isSidechain:
            return
        if found.is_compact_boundary:
            yield f"\n---\n\n*The client compacted the conversation here{_at(found)}.*\n"
        elif found.message is not None and found.type == "assistant":
            yield from self._answer(found, found.message)
        elif found.message is not None and found.type == "user" and not found.isMeta:
            yield from self._user(found, found.message)

    def _answer(self, line: TranscriptLine, message: TranscriptMessage) -> Iterator[str]:
        shown = [block for block in message.blocks if block.is_text or block.type == "tool_use"]
        if shown and (not message.id or message.id != self._said):
            self._said = message.id
            self.answers += 1
            yield f"\n### Answer {self.answers}{_at(line)}\n"
        for block in shown:
            if block.type == "text":
                yield "\n" + _quoted(block.text or "") + "\n"
            else:
                self.calls += 1
                self._pending[block.id] = self.calls
                if len(self._pending) > _MOST_PENDING:
                    del self._pending[next(iter(self._pending))]
                yield f"\n{self.calls}. **{one_line(block.name, 60)}** {_argument(block)}\n"

    def _user(self, line: TranscriptLine, message: TranscriptMessage) -> Iterator[str]:
        results = [block for block in message.blocks if block.type == "tool_result"]
        for block in results:
            number = self._pending.pop(block.tool_use_id, None)
            if number is not None:
                yield f"   - {number}: {'failed' if block.is_error else 'ok'}{_result(block)}\n"
        if results or not message.text.strip():
            return
        if line.isCompactSummary:
            yield "\n*What was said until here goes on as this summary:*\n\n" + _quoted(message.text) + "\n"
        elif not is_clients_own(message.text):
            self.prompts += 1
            yield f"\n## Prompt {self.prompts}{_at(line)}\n\n{_quoted(message.text)}\n"


def _at(line: TranscriptLine) -> str:
    return f" ({whole_seconds(line.timestamp)} UTC)" if line.timestamp else ""


def _quoted(text: str) -> str:
    """A text as a quotation: no heading or rule in it can be taken for one of ours."""
    rest = len(text) - _LONGEST_TEXT
    lines = text[:_LONGEST_TEXT].splitlines() + ([f"[{counted(rest, 'more character')}]"] if rest > 0 else [])
    return "\n".join("> " + "".join(c for c in line if c == "\t" or c.isprintable()) for line in lines)


def _argument(block: ContentBlock) -> str:
    given = block.arguments or {}
    value = next((given[name] for name in _ARGUMENTS if isinstance(given.get(name), str) and given[name]), "")
    return _code(value, _LONGEST_ARGUMENT) if value else ""


def _result(block: ContentBlock) -> str:
    text = block.result
    lines = len(text.splitlines())
    first = next((line for line in text[: 4 * _LONGEST_RESULT].splitlines() if line.strip()), "")
    if not first:
        return ""
    more = f" and {counted(lines - 1, 'more line')}" if lines > 1 else ""
    return f", {_code(first, _LONGEST_RESULT)}{more}"


def _code(text: str, longest: int) -> str:
    return f"`{one_line(text, longest).replace('`', chr(0x2019))}`"
