"""Positions of a password or of other words: there only a word that looks like a password counts as one."""

import itertools
import re
from collections.abc import Iterator

from shared.secrets import tables, values
from shared.secrets.values import Span, compiled
from shared.secrets.vocabulary import Vocabulary

_PIECE = r"\\*[\"'`]?(?P<secret>[^\s\"'`\\<>()\[\]{},;|]{6,200})"
_ARGUMENT = rf"(?<![^\s]){_PIECE}"
_USER = r"[A-Za-z][\w@.+-]{1,40}"

_ACCOUNTS = (
    r"account|tester|user(?:name)?|login|in as|log in|connect as|utente|usu[aá]rio|benutzer|gebruiker|zugang\w*|creds"
)
_PAIR = (
    rf"(?i)(?:(?:^|[:>|\u2192\n])\s?{_USER}|\b(?:with|as|mit|con|avec|met|{_ACCOUNTS})\W{{1,2}}{_USER}"
    r"|\b(?:root|admin|superuser|elastic|postgres|sa))[`\"'*]{0,2} \Z"
)
"""A user, before the slash that joins a password to it."""


def spans(text: str, words: Vocabulary) -> Iterator[Span]:
    """Yield the words there that look like a password. `text` has real line ends, at the original offsets."""
    for before in words.patterns(tables.rows("before a password")):
        for match in compiled(before).finditer(text):
            yield from _one(compiled(_PIECE).match(text, match.end()), is_option=before[0] in "-[")
    for match in compiled(r" / ").finditer(text):
        if compiled(_PAIR).search(text, max(0, match.start() - 60), match.start() + 1):
            yield from _one(compiled(_PIECE).match(text, match.end()), stroke="-")
    for command in words.patterns(tables.rows("commands with a password")):
        for call in compiled(rf"{command}(?P<arguments>[^\n|;&]{{0,120}})").finditer(text):
            pieces = compiled(_ARGUMENT).finditer(text, *call.span("arguments"))
            yield from itertools.islice((span for piece in pieces for span in _one(piece)), 1)


def _one(piece: re.Match[str] | None, *, is_option: bool = False, stroke: str = "/") -> Iterator[Span]:
    """Yield a word if it looks like a password with `stroke` for `/`; after an option also one in mixed case."""
    if piece:
        word = piece["secret"].rstrip(".:?")
        joined = word.replace("/", stroke)
        is_one = values.is_distinctive(joined) or values.is_scrambled(word, 10) or values.is_random(word)
        is_odd = is_one and compiled(r".*[\d!#$%&*+@^]").match(word)
        is_word = is_option and compiled(r"[a-z]+[A-Z][A-Za-z]+").fullmatch(word)
        if (is_odd or is_word) and not values.is_placeholder(word):
            yield Span(piece.start("secret"), piece.start("secret") + len(word))
