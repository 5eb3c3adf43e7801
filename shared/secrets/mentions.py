"""Secrets of which a sentence or a call speaks, wherever in it they stand: what looks like a password is one there."""

import re
from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled

_CUE = (
    r"(?i)(?<![\w.$/@])(?<![^iI]-)(?:(?P<word>(?:pass?w(?:or[dt]|rod|d)|pass[_ ]?phrase|passcode|passe(?!s)|pwd?|psk"
    rf"|{values.PASSWORDS})s?)"
    r"|(?P<login>log(?:in|on| in|ged in)|get in|ssh in|creds?|credentials"
    r"|pass(?=:? )|auth|accounts?|connect|sign(?:ed)? in|unlock|unzip|(?:de|en)crypt(?:ed)?)"
    r"|(?P<key>tokens?|secrets?|(?<=[Aa][Pp][Ii][ -])keys?(?![\"'`]?\s?[:=>])))"
    r"(?![\w(\[=$/@-]|\.\w)|(?<![\w.$/@-])(?P<user>root|admin|postgres|guest)(?=[:/])"
)
_LINE = r"(?:[^\n\\\"]|\\+(?![\"'] ?[,:}\]]).|\"(?!\s?[,:}\]]))"
"""One of a line's characters, up to the end of a string of JSON."""
_AFTER, _BEFORE = rf"{_LINE}{{0,140}}+", rf"{_LINE}{{0,60}}\Z"
_PIECE = r"(?<![^\s\"'`(*\[{,;|])[^\s\"'`\\<>()\[\]{},;|]{7,80}"
_PAIR = r"(?P<who>[A-Za-z][\w@.+-]{0,40})[:/](?P<secret>[^:/]{7,})"
_JOINT = (
    r"(?i)(?:(?:\b(?:is|are|was|to|says|reads|ist|lautet|es|est|este"
    r"|é|e|è|är|er|je|jest|là|it['\u2019]s|being|as|with"
    r"|use|enter|type|try|pon|usa|nimm|tippe|mets|utilise)|[:=\u2192]|->)[ ]|[:=(])"
    r"(?:(?:now|still|currently|just|simply|only|probably|again|jetzt|noch|immer|toujours|encore|ahora|nu|nog) ){0,2}"
    r"[\\\"'`*(]{0,4}\Z"
)
"""What joins a name to its value, or the halves of a login."""
_WITH = (
    r"(?i)(?:(?:zip|crypt|lock)\w{0,4} (?:\w{1,12} ){0,2}with"
    r"|(?:log(?:ged)?[ -]?(?:in|on)|sign(?:ed)?[ -]in) (?:\w{1,12} )?(?:as|with) \S{2,40} (?:with|and|using|/)"
    r"|creds?:? \S{2,40}|user(?:name)?(?: is|:)? \S{2,40},? (?:and |with )?pass(?: is|:)?"
    r"|(?:auth|creds?|login)[^\n(]{0,12} \([\w@.-]{2,40},) [\\\"'`]{0,4}\Z"
)
_IS_SAID = r"[\"'`*)\\]{0,4} (?:as|is) (?:the |a |its )?(?:\w{1,12} ){0,3}"
_WORD = r"(?P<joint>[:=][ \\\"'`]{0,4})?(?<![^\s\"'`()*\[\]{}<>,;|&=:])(?P<secret>[^\s\"'`\\()\[\]{}<>,;|&=:]{5,1000}+)"
"""A word, and what makes it a value."""
_LONG = 40
"""Characters of what is no path, though it has strokes: a key that is written in base64."""


def span(text: str, at: int) -> Span | None:
    """The secret of the call or the sentence whose word stands at `at`, where there is one."""
    cue = compiled(_CUE).match(text, at)
    return _said(text, cue) if cue else None


def crowd(text: str, start: int, end: int) -> Iterator[Span]:
    """What looks like a secret where names stand too close to each other to say whose each value is."""
    for word in compiled(_WORD).finditer(text, start, end + values.LONGEST):
        if word.start() >= end:
            return
        secret = word["secret"]
        is_plain = bool(word["joint"]) and secret.isalnum() and values.is_mixed(secret)
        if (is_plain or values.is_password(secret)) and not values.stands_for_one(secret):
            yield Span(*word.span("secret"))


def _said(text: str, cue: re.Match[str]) -> Span | None:
    after = compiled(_AFTER).match(text, cue.end())
    for piece in _pieces(text, cue.start() if cue["user"] else cue.end(), after.end() if after else cue.end()):
        if _is_one(text, cue, piece):
            return piece
    at = cue.start()
    is_said = any(word in text[max(0, at - 60) : at] for word in (" as ", " is "))
    before = compiled(_BEFORE).search(text, max(0, at - 60), at) if is_said else None
    for piece in _pieces(text, before.start() if before else cue.start(), cue.start()):
        secret = text[piece.start : piece.end]
        if not compiled(_IS_SAID).fullmatch(text, piece.end, cue.start()):
            continue
        if values.is_mingled(secret, 16) if cue["key"] else values.may_be_password(secret):
            return piece
    return None


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The words of a line that could be one, the second half of a login in place of the whole."""
    for piece in compiled(_PIECE).finditer(text, start, end):
        word, at = piece[0].rstrip(".:?"), piece.start()
        if (":" in word or "/" in word) and (pair := compiled(_PAIR).fullmatch(word)):
            word, at = pair["secret"], at + pair.start("secret")
        if _may_be_one(word):
            yield Span(at, at + len(word))


@values.looked_at_again
def _may_be_one(word: str) -> bool:
    return not values.stands_for_one(word) and (not word.isalpha() or values.is_telling(word))


def _is_one(text: str, cue: re.Match[str], piece: Span) -> bool:
    secret = text[piece.start : piece.end]
    if cue["key"]:
        is_hex = cue["key"].lower().startswith("key") and compiled(r"[0-9a-f]{32}|[0-9a-f]{40}").fullmatch(secret)
        return bool(is_hex) or values.is_mingled(secret.replace("/", "") if len(secret) > _LONG else secret, 16)
    if values.is_password(secret) and not (cue["login"] or "").lower().startswith("account"):
        return True
    if text.endswith(("/ ", "/ '", '/ "', "/ `"), 0, piece.start):
        return values.is_mixed(secret) and not compiled(r"[/:(]").search(secret)
    return (values.may_be_password(secret) or values.is_telling(secret)) and _is_joined(text, cue, piece.start)


def _is_joined(text: str, cue: re.Match[str], at: int) -> bool:
    """Whether the words before `at` lead from the cue to what stands there."""
    if cue["user"]:
        return at == cue.end() + 1
    is_next = at <= cue.end() + 2 if cue["word"] else bool(compiled(r"creds?\b.*\w:\Z").search(text, cue.start(), at))
    return is_next or bool(compiled(_JOINT if cue["word"] else _WITH).search(text, max(0, at - 40), at))
