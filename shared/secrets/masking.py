"""The masking of secrets in a text: the one place that decides what looks like a secret.

A secret is recognised by its shape (tables) or its look alone (chance), by the name before it (names) or above it
(columns), by the program or the call that takes it (tables, arguments), by its sentence (sentences), or by its manifest
(manifests).
A masked span is within one string and never ends inside an escape, so that a line of JSON stays valid, and the
same function serves commands, sentences, files and transcripts. No pattern's time grows with the square of a text, and
where names or programs crowd, each word is judged once: a transcript contains whatever a tool has printed.
"""

import re
from collections.abc import Iterator

from shared import effort
from shared.secrets import arguments, chance, invisible, names, places, tables, values
from shared.secrets.prose import sentences
from shared.secrets.structures import columns, manifests, private_keys
from shared.secrets.values import Span, compiled
from shared.secrets.vocabulary import Vocabulary

MASK = "[masked]"
OMISSION = "[left out: no time to look for secrets]"
_BEFORE = r"(?:^|(?P<escape>\\+)|[^A-Za-z0-9_\\-]|\\[nrtbf]|%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\[[0-9;]{0,12}m)\Z"
"""What may precede a key: no character of a word, or an escape of JSON, an address or a terminal."""
_NEXT = r"(?P<quote>\\*\")\s*[,:]\s*\Z"
"""The end of a JSON string, before the next value of its list or object; without quotes that value is a number."""
_GAP = r"(?:[^|;&\n]|\n(?<=\\\n)|\n(?<=\\ \n)){0,300}?"
"""Other arguments of a command, also across an escaped line end, in JSON too."""
_LISTED = r"(?:\\(?<!\\\\)\\*+[\"']|\"(?<!\\\")|'(?<!\\'))[^\s\"'\\]{1,200}+\\*[\"'](?:,\s{0,24}|(?=\s{0,24}[\])]))"
"""An argument in a list of arguments."""
_BLANKS = str.maketrans("\\\"',\n", "     ")
_AFTER = (" ", "\\", '"', "'")
"""What may follow a program's name: a space, JSON's escape for one, or the end of its string in a list."""
_SECONDS = 2.5e-6
"""Seconds of processor time that a character of a text may take that is made to be slow; others take a sixth of it."""
_CALLS = 4
"""Calls of a program in which an argument of the first is searched."""
_CHOSEN = r"[!#$&@^](?<=[A-Za-z0-9_-].)[A-Za-z0-9!#$&@^*?_-]{1,40}+(?=[.,:;?)]{0,2}(?:\\?[\"'`]|\s|\Z))"
_CHOSEN_BEFORE = r"(?<![^\s=:(,|>\"'`])[A-Za-z0-9_-]{1,30}\Z"
"""A word that could be a chosen password: from its first symbol on, and the part before the symbol."""


def masked(text: str) -> str:
    """`text` without its secrets."""
    return mask_spans(text, spans(text))


def masked_in_time(text: str) -> str:
    """`text` without its secrets, or a note instead of it if the process might have no time left to look for them."""
    return OMISSION if effort.is_over(len(text) * _SECONDS) else masked(text)


def masked_beginning(text: str, longest: int) -> str:
    """At most the first `longest` characters of `text` without its secrets, or the same note.

    Eight times as much is searched, and its second half left out, because half a secret would not be recognised.
    """
    look = 8 * longest
    if len(text) <= look or effort.is_over(look * _SECONDS):
        return masked_in_time(text)[:longest]
    end = look // 2
    return mask_spans(text, [span for span in spans(text[:look]) if span.start < end], 0, end)[:longest]


def spans(text: str) -> list[Span]:
    """The secrets of a text, in order and without overlaps."""
    apart: list[Span] = []
    every = _overlapping_spans(text)
    if visible := invisible.visible_part(text):
        inner = _overlapping_spans(visible.text)
        every += [Span(visible.place(start), visible.place(end - 1) + 1, quote) for start, end, quote in inner]
    for span in sorted(every):
        if apart and span.start < apart[-1].end:
            apart[-1] = apart[-1]._replace(end=max(span.end, apart[-1].end))
        elif not text.startswith(MASK, span.start):
            apart.append(span)
    return apart


def _overlapping_spans(text: str) -> list[Span]:
    """The secrets of a text in the order of the rules; they may overlap."""
    readable = _without_escapes(text)
    words = Vocabulary(text)
    shaped = (*_by_prefix(text, words), *_by_part(readable, words))
    return [
        *(span for span in shaped if not _is_harmless(text[span.start : span.end])),
        *_chosen_passwords(readable),
        *chance.spans(readable),
        *private_keys.spans(readable),
        *names.spans(text, readable),
        *_arguments(text, readable, words),
        *columns.spans(readable),
        *manifests.spans(readable),
        *arguments.spans(readable),
        *places.spans(readable, words),
        *sentences.spans(readable),
    ]


def mask_spans(text: str, spans: list[Span], start: int = 0, end: int | None = None) -> str:
    """`text` from `start` to `end`, with the mask instead of `spans`."""
    parts, at = [], start
    for span in spans:
        parts += [text[at : max(at, span.start)], span.quote, MASK, span.quote]
        at = span.end
    return "".join([*parts, text[at:end]])


def _is_harmless(text: str) -> bool:
    return values.is_filler(text) or values.is_public(text) or text.lower().endswith("x" * 8)


def _by_prefix(text: str, words: Vocabulary) -> Iterator[Span]:
    keys = tables.by_word("keys")
    for beginning in words.starting(tuple(keys)):
        at, rest = text.find(beginning), "|".join(keys[beginning])
        while at >= 0:
            end = at + len(beginning)
            if _can_begin(text, at) and (match := compiled(rest).match(text, end)):
                end = match.end()
                yield Span(at, end)
            at = text.find(beginning, end)


def _by_part(text: str, words: Vocabulary) -> Iterator[Span]:
    for whole in words.patterns(tables.rows("keys by a part")):
        for match in compiled(whole).finditer(text):
            yield Span(*match.span(match.lastindex or 0))


def _chosen_passwords(text: str) -> Iterator[Span]:
    """Yield single words with a symbol and a digit, as people choose for a password."""
    for match in compiled(_CHOSEN).finditer(text):
        start, end = match.span()
        before = compiled(_CHOSEN_BEFORE).search(text, max(0, start - 30), start)
        if before and values.is_chosen(text[before.start() : end]):
            yield Span(before.start(), end)


def _without_escapes(text: str) -> str:
    """`text` with JSON's escapes, whose letters would join the next word, replaced by as many blanks."""
    if "\\" not in text:
        return text
    for letter, blank in (("n", " \n"), ("t", "  "), ("r", "  "), ("b", "  "), ("f", "  ")):
        text = text.replace(f"\\{letter}", blank)
    return compiled(r"\\u[0-9a-fA-F]{4}").sub(" " * 6, text) if "\\u" in text else text


def _can_begin(text: str, at: int) -> bool:
    """Whether a key can begin at `at`: not inside a word or an escape."""
    if at and not compiled(r"[A-Za-z0-9_\\-]").match(text, at - 1):
        return True
    match = compiled(_BEFORE).search(text, max(0, at - 16), at)
    return match is not None and not (match["escape"] and len(match["escape"]) % 2 and text[at] in "nrtbfu")


def _arguments(text: str, readable: str, words: Vocabulary) -> Iterator[Span]:
    """Yield programs' arguments, and other values in a known position."""
    programs = tables.by_word("programs")
    starting = words.starting(tuple(programs))
    called = [program for program in starting if any(f"{program}{end}" in text for end in _AFTER)]
    listed = compiled(_LISTED).sub(lambda match: match[0].translate(_BLANKS), readable) if called else ""
    for program in called:
        for flag in programs[program]:
            yield from _values_after(_calls(listed, program, flag), readable, text)
    for before in words.patterns(tables.rows("before a secret")):
        yield from _values_after(compiled(before).finditer(readable), readable, text)


def _calls(text: str, word: str, flag: str) -> Iterator[re.Match[str]]:
    """Yield a program's calls, up to the argument."""
    name = re.escape(word)
    call = compiled(rf"{name}(?<![\w.-]{name}) {_GAP}(?<=\s)(?:{flag})")
    starts, last_end = [match.start() for match in compiled(f"{name} ").finditer(text)], 0
    ends = [*starts[_CALLS:], *(len(text) for _ in range(_CALLS))]
    for start, end in zip(starts, ends, strict=False):
        if start >= last_end and (match := call.match(text, start, end)):
            last_end = match.end()
            yield match


def _values_after(matches: Iterator[re.Match[str]], readable: str, text: str) -> Iterator[Span]:
    """Yield the values after the matches, except matches inside a value."""
    end = 0
    for match in matches:
        at = match.end()
        if at < end:
            continue
        while at < len(text) and text[at] != readable[at]:  # the rest of an escape
            at += 1
        value = values.read(text, at)
        end = value.end if value else at
        if value and not values.is_placeholder(value.text) and not value.text.startswith("-"):
            of_list = None if value.is_quoted else compiled(_NEXT).search(text, max(0, value.start - 16), value.start)
            yield Span(value.start, value.end, of_list["quote"] if of_list else "")
