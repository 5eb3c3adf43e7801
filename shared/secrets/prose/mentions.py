"""Passwords anywhere in a line that mentions one: there a word that looks like a password counts as one."""

import re
from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled
from shared.secrets.words import languages

_CUE = (
    r"(?i)(?<![\w.$/@])(?:(?<![^iI]-)|(?=(?-i:[PK])))(?:"
    r"pass?w(?:or[dt]|rod|d)|(?:pass|seed|recovery)[_ -]?phrase|passcode|passe(?!s)|(?!(?-i:PASS:))pass(?=:? )|pwd?|psk"
    rf"|{languages.WRITTEN_APART}"
    r"|(?P<opens>unlock|unzip|(?:de|en)crypt|for (?:the )?sudo|sudo prompt)"
    r"|(?P<login>log[io]n|log [io]n|sign in|creds|credentials|auth)"
    r")s?(?![\w(\[=$/@-]|\.\w)"
    rf"|(?:{languages.WRITTEN_TOGETHER})[{languages.PARTICLES}]?"
)
"""A word for a password, for what only a password opens, or for what also takes a name."""
_LINE = r"(?:[^\n\\\"]|\\+(?![\"'] ?[,:}\]]).|\"(?!\s?[,:}\]]))"
"""A character of a line, up to the end of a JSON string."""
_AFTER, _BEFORE = rf"{_LINE}{{0,140}}+", rf"{_LINE}{{0,60}}\Z"
_PIECE = (
    rf"(?<![^\s\"'`(*\[{{,;|:=\uff1a{languages.PARTICLES}])"
    rf"(?P<word>[^\s\"'`\\<>()\[\]{{}},;|{languages.STOPS}]{{6,80}})"
)
_LEADS = (
    rf"(?is)(?:.*(?:(?:\b(?P<verb>{languages.IS}|{languages.WITH}|{languages.USE})|[:=\u2192\u2013\u2014\uff1a]|->) "
    rf"|\uff1a)(?:(?:{languages.STILL}) ){{0,2}}|(?P<next>\s?))[\s\\\"'`(*]{{0,4}}"
)
"""The text that leads from the cue to a password."""
_GOES_ON = r"[(\[=]|['\u2019]s\b|(?<=[a-z])[,;]\s*(?:\n|\Z)"
"""Text after a word which shows that it was no word of a sentence, or only the beginning of one."""
_OWNER = r"(?i)\b(?:user|login|account|root|admin|db|database|ftp|ssh|wi-?fi|mail|sudo)"
"""The password's owner, needed where the cue has other meanings."""
_CHANGES = r"(?i)\b(?:chang|set|reset|updat|switch|rotat|default)"
"""Verbs that set a password, needed where the word before it has other meanings."""
_PHRASE = (
    rf"(?i)(?:(?<=hrase)|[^\n:.=]{{0,40}}?(?:[:=]|\b(?:{languages.IS}|enter|type)\b:?)) ?\\{{0,2}}[\"'`]?"
    r"(?P<secret>[^\W\d_]{3,12}(?: [^\W\d_]{2,12}| \d{1,4}){2,9})(?=[\\\"'`).,;\n]|\Z)"
)
"""A passphrase: words up to the end of the bracket, the quotation or the clause."""
_USED = r"[\"'`*)\\]{0,4} (?:as (?:the |a |its )?(?:\w{1,12} ){0,3}|to )"
_WORD = r"(?P<joint>[:=][ \\\"'`]{0,4})?(?<![^\s\"'`()*\[\]{}<>,;|&=:])(?P<secret>[^\s\"'`\\()\[\]{}<>,;|&=:]{5,1000}+)"
"""A word, and the joint that makes it a value."""


def span(text: str, at: int) -> Span | None:
    """The password in the line with a cue at `at`; None if there is none."""
    cue = compiled(_CUE).match(text, at)
    if cue is None:
        return None
    phrase = None if cue.lastgroup else compiled(_PHRASE).match(text, cue.end())
    is_one = phrase and ("hrase" in cue[0] or any(c.isdigit() for c in phrase["secret"]))
    if phrase and is_one and values.is_words(phrase["secret"]):
        return Span(*phrase.span("secret"))
    after = compiled(_AFTER).match(text, cue.end())
    end = after.end() if after else cue.end()
    candidates = _candidates(text, cue.end(), end)
    return next((piece for piece in candidates if _is_password(text, cue, piece)), None) or _before(text, cue)


def crowd(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the words that look like a secret where names are too close together to tell whose each value is."""
    for word in compiled(_WORD).finditer(text, start, end + values.LONGEST):
        if word.start() >= end:
            return
        secret = word["secret"]
        is_plain = bool(word["joint"]) and secret.isalnum() and values.is_mixed(secret)
        if (is_plain or values.is_password(secret)) and not values.is_placeholder(secret):
            yield Span(*word.span("secret"))


def _before(text: str, cue: re.Match[str]) -> Span | None:
    """The password before the cue, as in `use X as the password`."""
    at = cue.start()
    near = text[max(0, at - 60) : at]
    if not (near.endswith(" to ") or " as " in near) or not (
        before := compiled(_BEFORE).search(text, at - len(near), at)
    ):
        return None
    for piece in _candidates(text, before.start(), at):
        if values.is_distinctive(text[piece.start : piece.end]) and compiled(_USED).fullmatch(text, piece.end, at):
            return piece
    return None


def _candidates(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the words that could be a password."""
    for piece in compiled(_PIECE).finditer(text, start, end):
        word = piece["word"].rstrip(".:?")
        if not values.is_placeholder(word):
            yield Span(piece.start(), piece.start() + len(word))


def _is_password(text: str, cue: re.Match[str], piece: Span) -> bool:
    """Whether it is a password, or may be one and the words after the cue lead to it."""
    secret = text[piece.start : piece.end]
    if values.is_password(secret):
        return True
    if compiled(r"[/:(\[]").search(secret) or compiled(_GOES_ON).match(text, piece.end):
        return False
    return values.is_distinctive(secret) and _leads_to(text, cue, piece.start)


def _leads_to(text: str, cue: re.Match[str], at: int) -> bool:
    leads = compiled(_LEADS).fullmatch(text, cue.end(), at)
    if leads is None or cue["login"]:
        return False
    if cue["opens"]:
        return leads["verb"] is not None
    if leads["next"] is not None and cue[0].lower() == "pass":
        return bool(compiled(_OWNER).search(text, max(0, cue.start() - 80), cue.start()))
    is_doubtful = leads["verb"] and leads["verb"].lower() == "to" and cue[0].lower().startswith("p")
    return not is_doubtful or bool(compiled(_CHANGES).search(text, max(0, cue.start() - 60), at))
