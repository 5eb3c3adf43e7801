"""Secrets of which a sentence or a call speaks, wherever in it they stand: what looks like a password is one there."""

import re
from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled
from shared.secrets.words import languages

_CUE = (
    r"(?i)(?:(?<![\w.$/@])(?:(?<![^iI]-)|(?=(?-i:[PK])))(?:(?P<word>(?:pass?w(?:or[dt]|rod|d)"
    r"|(?:pass|seed|recovery)[_ -]?phrase|passcode"
    rf"|passe(?!s)|(?!(?-i:PASS:))pass(?=:? )|pwd?|psk|{languages.WRITTEN_APART})s?)"
    r"|(?P<login>(?:log(?:[io]n| in| on|ged in)|sign(?:ed)? in)(?:to)?|get in|ssh in|creds?|credentials|zugangsdaten"
    r"|for (?:the )?sudo|sudo prompt|auth|accounts?|connect|unlock|unzip|(?:de|en)crypt(?:ed)?)"
    r"|(?P<key>tokens?|secrets?|(?<=[Aa][Pp][Ii][ -])keys?(?![\"'`]?\s?[:=>])))"
    r"(?![\w(\[=$/@-]|\.\w)|(?<![\w.$/@-])(?P<user>root|admin|postgres|guest)(?= ?[:/,]| with )"
    rf"|(?:{languages.WRITTEN_TOGETHER})[{languages.PARTICLES}]?)"
)
_LINE = r"(?:[^\n\\\"]|\\+(?![\"'] ?[,:}\]]).|\"(?!\s?[,:}\]]))"
"""One of a line's characters, up to the end of a string of JSON."""
_AFTER, _BEFORE = rf"{_LINE}{{0,140}}+", rf"{_LINE}{{0,60}}\Z"
_PIECE = (
    rf"(?<![^\s\"'`(*\[{{,;|:=\uff1a{languages.PARTICLES}])"
    rf"(?P<word>[^\s\"'`\\<>()\[\]{{}},;|{languages.STOPS}]{{6,80}})"
)
_PAIR = r"(?P<who>[A-Za-z][\w@.+-]{0,40})[:/](?P<secret>[^:/]{6,})"
_JOINT = (
    rf"(?i)(?:(?:\b(?:{languages.IS}|{languages.WITH}|{languages.USE})|[:=\u2192\u2013\u2014\uff1a]|->) |\uff1a)"
    rf"(?:(?:{languages.STILL}) ){{0,2}}[\\\"'`*(]{{0,4}}\Z"
)
"""What joins a name to its value."""
_NEXT = r"\s?[\s\\\"'`(*]{0,4}"
_GOES_ON = r"[(\[=]|['\u2019]s\b|(?<=[a-z])[,;]\s*(?:\n|\Z)"
"""What shows that a word was none of a sentence, or is the beginning of another."""
_OWNED = r"(?: [^\W\d_]{2,20}){1,4} "
_END = r"[,.;\n\\\"]|\Z"
"""Whose password it is, and the end of the clause that gives it so."""
_OWNER = r"(?i)\b(?:user|login|account|root|admin|db|database|ftp|ssh|wi-?fi|mail|sudo)"
_CHANGES = r"(?i)\b(?:chang|set|reset|updat|switch|rotat|default)"
"""What is said where a password is given behind a word that has other uses."""
_WITH = (
    rf"(?i)(?:(?:zip|crypt|lock)\w{{0,4}} (?:\S{{1,30}} ){{0,2}}with|sudo(?: \w{{1,12}}){{0,2}} (?:{languages.USE}|is)"
    rf"|(?:{languages.WITH}|user(?:name)?(?: is|:)?|creds?:?|login:?|zugangsdaten[^:\n]{{0,30}}:)"
    rf" [\\\"'`]{{0,4}}\S{{2,40}}?[\\\"'`]{{0,4}}"
    rf"(?:,? (?:{languages.AND})(?: the)?(?: pass(?:word)?)?:?| ?/|,| pass(?: is|:)?)"
    r"|(?:auth|creds?|login)[^\n(]{0,12} \([\w@.-]{2,40},)(?: |(?<=,))[\\\"'`]{0,4}\Z"
)
_BEHIND_USER = r"(?:auth|creds?)\b[^\n]{0,80}\w:\Z"
"""What joins the halves of a login."""
_PHRASE = (
    rf"(?i)(?:(?<=hrase)|[^\n:.=]{{0,40}}?(?:[:=]|\b(?:{languages.IS}|enter|type)\b:?)) ?\\{{0,2}}[\"'`]?"
    r"(?P<secret>[^\W\d_]{3,12}(?: [^\W\d_]{2,12}| \d{1,4}){2,9})(?=[\\\"'`).,;\n]|\Z)"
)
"""Words up to the end of the bracket, the quotation or the clause."""
_USED = r"[\"'`*)\\]{0,4} (?:as (?:the |a |its )?(?:\w{1,12} ){0,3}|to )"
_WORD = r"(?P<joint>[:=][ \\\"'`]{0,4})?(?<![^\s\"'`()*\[\]{}<>,;|&=:])(?P<secret>[^\s\"'`\\()\[\]{}<>,;|&=:]{5,1000}+)"
"""A word, and what makes it a value."""
_OF_ELSE = r"(?i)\b(?:names?|ids?|uuid|hash|commit|digest|branch|release|version)(?: is|:)? \Z"
"""What is before the name of something else."""
_LONG = 40
"""Characters of what is no path, though it has strokes: a key that is written in base64."""


def span(text: str, at: int) -> Span | None:
    """The secret of the call or the sentence whose word stands at `at`, where there is one."""
    cue = compiled(_CUE).match(text, at)
    if cue is None:
        return None
    phrase = compiled(_PHRASE).match(text, cue.end()) if cue["word"] else None
    is_one = phrase and ("hrase" in cue[0] or any(c.isdigit() for c in phrase["secret"]))
    if phrase and is_one and values.is_words(phrase["secret"]):
        return Span(*phrase.span("secret"))
    after = compiled(_AFTER).match(text, cue.end())
    start, end = cue.start() if cue["user"] else cue.end(), after.end() if after else cue.end()
    return next((piece for piece in _pieces(text, start, end) if _is_one(text, cue, piece)), None) or _before(text, cue)


def crowd(text: str, start: int, end: int) -> Iterator[Span]:
    """What looks like a secret where names stand too close to each other to say whose each value is."""
    for word in compiled(_WORD).finditer(text, start, end + values.LONGEST):
        if word.start() >= end:
            return
        secret = word["secret"]
        is_plain = bool(word["joint"]) and secret.isalnum() and values.is_mixed(secret)
        if (is_plain or values.is_password(secret)) and not values.stands_for_one(secret):
            yield Span(*word.span("secret"))


def _before(text: str, cue: re.Match[str]) -> Span | None:
    """What is used as the password: before the word for it."""
    at = cue.start()
    near = text[max(0, at - 60) : at]
    if not (near.endswith(" to ") or " as " in near) or not (
        before := compiled(_BEFORE).search(text, at - len(near), at)
    ):
        return None
    for piece in _pieces(text, before.start(), at):
        secret = text[piece.start : piece.end]
        is_one = values.is_mingled(secret, 16) if cue["key"] else values.is_telling(secret)
        if is_one and compiled(_USED).fullmatch(text, piece.end, at):
            return piece
    return None


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The words of a line that could be one, the second half of a login in place of the whole."""
    for piece in compiled(_PIECE).finditer(text, start, end):
        word, at = piece["word"].rstrip(".:?"), piece.start()
        if (":" in word or "/" in word) and (pair := compiled(_PAIR).fullmatch(word)):
            word, at = pair["secret"], at + pair.start("secret")
        if _may_be_one(word):
            yield Span(at, at + len(word))


@values.looked_at_again
def _may_be_one(word: str) -> bool:
    if compiled(r"(?:[A-Z_][A-Z0-9_]++|[A-Za-z][a-z0-9]++(?:_?[A-Z]?[a-z0-9]++)*+)=[^=]").match(word):
        return False  # another name has it
    return not values.stands_for_one(word) and (not word.isalpha() or values.is_telling(word))


def _is_one(text: str, cue: re.Match[str], piece: Span) -> bool:
    secret = text[piece.start : piece.end]
    if compiled(_OF_ELSE).search(text, max(cue.end(), piece.start - 24), piece.start):
        return False
    if cue["key"]:
        is_hex = cue["key"].lower().startswith("key") and compiled(r"[0-9a-f]{32}|[0-9a-f]{40}").fullmatch(secret)
        return bool(is_hex) or values.is_mingled(secret.replace("/", "") if len(secret) > _LONG else secret, 16)
    if values.is_password(secret) and not (cue["login"] or "").lower().startswith("account"):
        return True
    if compiled(r"[/:(\[]").search(secret) or compiled(_GOES_ON).match(text, piece.end):
        return False
    if text.endswith(("/ ", "/ '", '/ "', "/ `"), 0, piece.start):
        return values.is_mixed(secret)
    return values.is_telling(secret) and _is_joined(text, cue, *piece[:2])


def _is_joined(text: str, cue: re.Match[str], at: int, end: int) -> bool:
    """Whether the words before `at` lead from the cue to what stands there, up to `end`."""
    if cue["user"]:
        is_whole = not text[at].isdigit() and values.is_mixed(text[at:end]) and "." not in text[at:end]
        return is_whole and compiled(r"\s?[:/,]\s?| with ").fullmatch(text, cue.end(), at) is not None
    if cue["login"] or compiled(_BEHIND_USER).search(text, cue.start(), at):
        places = _BEHIND_USER, _WITH
        return any(compiled(place).search(text, max(cue.start(), at - 90), at) for place in places)
    is_english, joint = cue[0].lower().startswith("p"), compiled(_JOINT).search(text, max(0, at - 40), at)
    if compiled(_NEXT).fullmatch(text, cue.end(), at):
        return cue[0].lower() != "pass" or bool(compiled(_OWNER).search(text, max(0, cue.start() - 80), cue.start()))
    if joint:
        is_doubtful = is_english and joint[0].lower().startswith("to ")
        return not is_doubtful or bool(compiled(_CHANGES).search(text, max(0, cue.start() - 60), at))
    is_clause = compiled(_OWNED).fullmatch(text, cue.end(), at) and compiled(_END).match(text, end)
    return bool(is_clause) and not is_english and values.is_mixed(text[at:end]) and not text[at:end].islower()
