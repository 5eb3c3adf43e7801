"""What the agent states between its tool calls: what it has learned and decided, without what it announces."""

import re

from monitor.checkpoints.words import elide

LONGEST, _SHORTEST = 480, 40
"""Characters of one statement."""
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n+")
_ANNOUNCEMENT = re.compile(
    r"(?i)(?:(?:first|so|ok|okay|good|great|perfect|alright|and|but)\b[,.!:]? *)*"
    r"(?:now|next|then|let me|let\u2019s|let's|i'll|i\u2019ll|i will|i need to|i'm going to|i should|time to|on to"
    r"|running|checking|reading)\b"
)


def statement(text: str) -> str:
    """The sentences of `text` that state something, from its beginning on; empty where there are none."""
    sentences = (sentence.strip() for sentence in _SENTENCE.split(text))
    stated = " ".join(sentence for sentence in sentences if sentence and not _ANNOUNCEMENT.match(sentence))
    if len(stated) < _SHORTEST:
        return ""
    return elide(stated, LONGEST)
