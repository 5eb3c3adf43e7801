"""The agent's statements between its tool calls: what it has learned and decided, without announcements."""

import re

from shared.text.plain import elide

LONGEST, _SHORTEST = 480, 40
"""Characters of one statement."""
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n+")
_INTENTION = r"let me|let\u2019s|let's|i'll|i\u2019ll|i will|i need to|i'm going to|i should"
_ANNOUNCEMENT = re.compile(
    r"(?i)(?:(?:first|so|ok|okay|good|great|perfect|excellent|alright|and|but)\b[,.!:]? *)*"
    rf"(?:(?:now|next|then|time to|on to|running|checking|reading|{_INTENTION})\b|$)"
)


def statement(text: str, longest: int = LONGEST) -> str:
    """The sentences of `text` that state something, cut to `longest` characters; empty if they are too short."""
    stated = " ".join(sentence for sentence in _sentences(text) if not _ANNOUNCEMENT.match(sentence))
    return elide(stated, longest) if len(stated) >= _SHORTEST else ""


def announcement(text: str) -> str:
    """The sentences of `text` that announce what comes next; empty if there are none."""
    return " ".join(sentence for sentence in _sentences(text) if _ANNOUNCEMENT.match(sentence))


def is_announcement(text: str) -> bool:
    """Whether `text` only says what the agent is about to do, so that it ends no work, unlike "Now it passes."."""
    has_intention = re.search(rf"(?i)\b(?:{_INTENTION})\b", text) is not None
    return has_intention and all(_ANNOUNCEMENT.match(sentence) for sentence in _sentences(text))


def _sentences(text: str) -> list[str]:
    return [sentence for part in _SENTENCE.split(text) if (sentence := part.strip())]
