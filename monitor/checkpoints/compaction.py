"""What a compaction kept of the conversation, and what it removed that the client's summary doesn't mention.

A missing word doesn't prove that a fact is missing, but what the summary mentions needn't be repeated.
"""

import re
from itertools import groupby, islice

import msgspec
from msgspec.structs import replace

from monitor.activity.checks.failures import without_directory
from monitor.activity.requests import UserRequest
from monitor.checkpoints.checkpoint import Checkpoint
from monitor.checkpoints.words import MissingWords, SessionWords
from shared.files import files
from shared.gauge import wording
from shared.text.plain import GAP
from shared.transcript import jsonl
from shared.transcript.line import TranscriptLine, line_in
from shared.transcript.records import compaction_in

_MOST_WORDS, _FEWEST_WORDS = 12, 3
"""Words of a sentence that are searched for; one with fewer than the second counts only next to a longer one."""
_MOST_MISSING = 4
_LONGEST_NAME = 100
"""Characters of a command that are searched for: a summary may have cut a longer one."""
_PART = 0.8
"""The share of a sentence's longer words that one line of the summary must have to say the same in other words."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_MOST_BYTES = 16 << 20
"""Bytes at a transcript's end in which a summary is searched for."""
_TO_ITS_MODEL = (
    "This session is being continued from a previous conversation",
    "Please continue the conversation from where",
    "Continue the conversation from where",
    "If you need specific details from before compaction",
    "The messages after this summary are",
    "<system-reminder>",
    "<tools-used-before-summary>",
    "</system-reminder>",
)
"""Starts of the lines that the client adds to a summary for its own model."""
_MARKERS = (b'"isCompactSummary"', b'"compact_boundary"', f"<{wording.RESUMPTION}>".encode())


class CarriedOver(msgspec.Struct, frozen=True):
    """What the conversation still holds from before a compaction; a missing part is empty."""

    summary: str = ""
    """The client's summary."""
    resumption: str = ""
    """Our resumption, escaped as the agent read it."""


def carried_over(transcript: str, since: int) -> CarriedOver:
    """What the newest compaction after byte `since` kept and added, as far as it is written yet."""
    size = files.size(transcript)
    least = max(since if since <= size else 0, size - _MOST_BYTES)
    resumption = ""
    for offset, data in jsonl.newest_first(transcript):
        line = line_in(data) if any(word in data for word in _MARKERS) else None
        if offset < least or (line is not None and compaction_in(line)):
            break
        if line is not None and line.isCompactSummary and line.message is not None and not line.isSidechain:
            return CarriedOver(own_words(line.message.text), resumption)
        resumption = resumption or _resumption_in(line)
    return CarriedOver(resumption=resumption)


def own_words(summary: str) -> str:
    """The client's summary without the lines addressed to its own model."""
    return "\n".join(line for line in summary.splitlines() if not line.startswith(_TO_ITS_MODEL)).strip()


def _resumption_in(line: TranscriptLine | None) -> str:
    """The resumption that came with the session's start, as the client has recorded a hook's output."""
    attached = line.attachment if line is not None else None
    if attached is None or attached.type != "hook_additional_context":
        return ""
    return next((text for text in attached.texts if f"<{wording.RESUMPTION}>" in text), "")


def missing(checkpoint: Checkpoint, summary: str) -> Checkpoint:
    """`checkpoint` without the requests, tasks and failing checks that `summary` has; a request may be left in part."""
    text = Summary(summary)
    return replace(
        checkpoint,
        words=_missing_words(checkpoint.words, text),
        todo=tuple(task for task in checkpoint.todo if not text.says(task.text)),
        failing_commands=tuple(
            one for one in checkpoint.failing_commands if not text.names(without_directory(one.command))
        ),
    )


class Summary:
    """A summary that can be searched for names and sentences."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())
        self._words = " ".join(_words(text))
        self._lines = [set(_words(line)) for line in text.splitlines()]

    def names(self, name: str) -> bool:
        """Whether the summary contains a whole command or file name."""
        name = " ".join(name.split())
        begin, end = name[:_LONGEST_NAME], "" if len(name) > _LONGEST_NAME else r"(?![\w-])"
        return re.search(rf"(?<![\w.-]){re.escape(begin)}{end}", self._text) is not None

    def says(self, sentence: str) -> bool:
        """Whether the summary contains a sentence's first words, or most of its longer words in one line."""
        words = _words(sentence)[:_MOST_WORDS]
        longer = {word for word in words if len(word) > 3}
        if f" {' '.join(words)} " in f" {self._words} ":
            return True
        return bool(longer) and any(len(longer & line) >= _PART * len(longer) for line in self._lines)


def _missing_words(words: SessionWords | None, summary: Summary) -> MissingWords | None:
    """The rest of the first and the newest requests and decisions, the oldest first; None if nothing is left."""
    if words is None:
        return None
    first, *later = words.asked or [UserRequest("prompt", "")]
    by_need = (first, *reversed(later), *reversed(words.decided))
    lacking_requests = islice(
        ((request, rest) for request in by_need if (rest := _rest(request, summary))), _MOST_MISSING
    )
    # A later request may retract an earlier one.
    by_time = sorted(lacking_requests, key=lambda pair: words.requests.index(pair[0]))
    rests = tuple(replace(request, text=rest) for request, rest in by_time)
    return MissingWords(rests) if rests else None


def _rest(request: UserRequest, summary: Summary) -> str:
    """The part of a request that the summary lacks; an answer may also be found together with its question."""
    if request.kind == "answer":
        is_named = summary.says(request.text) or summary.says(f"{request.text} {request.about}")
        return "" if is_named else request.text
    sentences = [text for part in _SENTENCE.split(request.text) if (text := part.strip())]
    lacking = [sentence for sentence in sentences if not summary.says(sentence)]
    if all(len(_words(sentence)) < _FEWEST_WORDS for sentence in lacking):
        return ""
    runs = groupby(sentences, lacking.__contains__)
    return GAP.join(" ".join(run) for is_lacking, run in runs if is_lacking)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
