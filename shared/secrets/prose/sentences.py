"""Passwords in what people write: in a sentence that speaks of a password or a login, the word that is none."""

import bisect
from collections.abc import Iterator

from shared.secrets import values, vocabulary
from shared.secrets.values import Span, compiled
from shared.secrets.words import languages

_NAMES = f"pw|psk|otp|cred|secret|token|api key|api-key|zugang|geheim|kod|palavra|identified|{languages.PASSWORDS}"
_LOGINS = (
    "pin |puk |need the code|enter the code|use the code|type the code|with the code|unlock code|access code|door code"
    "|gate code|alarm code|entry code|passkey|log in|log on|login|logon|logged|logs in|sign in|signed|signs in|get in"
    "|go in|ftp|ssh|sudo|auth |unlock|unzip|crypt|luks|phrase|desktop|protected|wifi|wi-fi|wlan|account|admin|root"
    "|username|benutzer|connecte|utilisateur|utente|usuario|gebruiker"
)
_STEMS = frozenset(f"pass|{_NAMES}|{_LOGINS}".split("|"))
_NAME = (
    r"(?i)(?<![\w.$/@-])(?:pass?w(?:or[dt]|rod|d)s?|pass[ _-]?(?:phrase|code|word)s?|pass(?=:|:? \S*[\d!#$%&*])"
    rf"|(?:{_NAMES})\w{{0,9}})(?![\w(\[=$/@-]|\.\w)"
)
_REACH, _NEAR, _CLOSE = 300, 100, 50
"""Characters of a line on either side of a name, and those between it and its password: any, and one of words alone."""
_STRING_END = r"\\*\"(?:[:,]\s?(?:\\*\"|[\[{\d]|true|false|null)|[}\]])"
"""Where a string of JSON ends."""
_PLAIN = r"(?<!\S)[(\"'“„«*]{0,2}[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[.,;!?)\"'”»*]{0,3}(?!\S)"
"""A word of a sentence."""
_CODE = r"[{};=$<>]|\(\)|::|--\w|\|"
_OTHER_SCRIPT = r"[\u0600-\u06ff\u0900-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
"""Letters that no Python pattern takes for words', or that no blanks part."""
_BREAK = r"\s\"`()\[\]{}<>,;|\\\u201c\u201d\u2018\u2019\u00bb\u0e00-\ud7af"
"""What ends a word, besides blanks."""
_WORD = (
    r"(?:(?<=[\s\"`(\[<{,;|\u201c\u2018\u201e\u00ab\u2192])|(?<=[^\x00-\u0dff])|^)'?"
    rf"(?P<word>[^'{_BREAK}][^{_BREAK}]{{5,}})"
)
_LONGEST = 26
"""Characters of a password that somebody has chosen; what is longer is known by other signs."""
_OF_WORDS = r"[^\W\d_]{3,}[!#$%&*^?~]+[^\W\d_]{3,}!?"
_NAMED = (
    r"(?i)(?:\b(?:ids?|uuid|sha|hash|commit|digest|fingerprint|version|release|branch|tag|build|colou?r|model|pods?"
    r"|alias|named|called|run|job|public key|publishable key|site key|in|under|from|on|at|file|script|repo|host|page"
    r"|ticket|issue|algorithm|compare|column|field|table|variable|function|method|class|service|image|user"
    r"|users?names?|names?|hash(?:ed)? with|move \w+ to|for)(?: (?:is|was|should be))?[:\s]\s?[\"'`*]{0,2}|'@')\Z"
)
"""What is before the name of something else."""
_VALUE = (
    r"(?i)(?:\b(?:is|are|was|just|only|still|always|says|reads|ist|lautet|heißt|es|est|é|e|è|är|er|jest|je{joints})"
    r"|(?<![\"'])[=\u2192{signs}]|->)\s?[\"'`\u201c*]{{0,2}}\Z"
)
_IS, _IS_OR_COLON = (_VALUE.format(joints="", signs=signs) for signs in ("", ":"))
"""What gives a value to what has been named; a colon may also lead to a type."""
_OF_LOGIN = rf"(?i)\b(?:{languages.WITH}) \S{{2,40}}?,? (?:{languages.AND}) \Z"
"""What joins the halves of a login."""
_JOINED = _VALUE.format(
    joints="|with|using|use|enter|type|try|as|takes?|gets?|mit|avec|con|com|and|und|et|y|to", signs=r":/,\u2013-"
)
"""What may lead to a password in a sentence that names none."""
_PIN = (
    r"\b(?:PIN|PUK|(?i:(?:the|my|its|unlock|sim|o|el|door|gate|panel|access|alarm|entry) (?:pin|code)"
    r"|passkey|passcode))\b[^\n.;\d]{0,40}+(?<![\w-])(?P<secret>\d{4,8})(?![\w%-]|\.\d)"
)


def spans(text: str) -> Iterator[Span]:
    """The passwords in the sentences of `text`, which has real line ends."""
    start = end = 0
    stems = [at for at, _ in vocabulary.occurrences(_STEMS, vocabulary.lowered(text))]
    for at in stems:
        if at < end:
            continue
        start, end = _part(text, at, start, end)
        if _is_sentence(text[start:end]):
            near = stems[bisect.bisect_left(stems, start) : bisect.bisect_left(stems, end)]
            names = [name for name in near if compiled(_NAME).match(text, name, end)]
            yield from _passwords(text, start, end, names)


def _part(text: str, at: int, start: int, end: int) -> tuple[int, int]:
    """The line, or the string of JSON, in which something stands, as far as it may belong to it; the part before it is
    from `start` to `end`.
    """
    start = max(start, at - _REACH)
    start = max(start, text.rfind("\n", start, at) + 1)
    for match in compiled(_STRING_END).finditer(text, max(start, end), at):
        start = match.end()
    end = text.find("\n", at, at + _REACH)
    end = end if end >= 0 else min(len(text), at + _REACH)
    string_end = compiled(_STRING_END).search(text, at, end)
    return start, string_end.start() if string_end else end


def _is_sentence(text: str) -> bool:
    """Whether it is made of words rather than of names and signs."""
    if len(compiled(_CODE).findall(text)) > 2:
        return False
    words = len(compiled(_PLAIN).findall(text))
    return (words >= 4 and words >= 0.55 * len(text.split())) or len(compiled(_OTHER_SCRIPT).findall(text)) >= 5


def _passwords(text: str, start: int, end: int, names: list[int]) -> Iterator[Span]:
    for pin in compiled(_PIN).finditer(text, start, end):
        yield Span(*pin.span("secret"))
    for match in compiled(_WORD).finditer(text, start, end):
        word, at = match["word"].rstrip(".:?'*"), match.start("word")
        if _may_be_one(word) and not compiled(_NAMED).search(text, max(start, at - 24), at):
            joint = _joint(word, text[at - 1 : at], [at - name for name in names])
            if joint is not None and compiled(joint).search(text, max(start, at - _CLOSE), at):
                yield Span(at, at + len(word))


@values.looked_at_again
def _may_be_one(word: str) -> bool:
    if len(word) > _LONGEST or len(compiled(r"[^\W\d_]").findall(word)) < 3 or values.is_like(word, "name"):
        return False
    is_odd = values.is_mixed(word) or compiled(_OF_WORDS).fullmatch(word) or values.is_like(word, "doubtful")
    return bool(is_odd) and not values.stands_for_one(word)


def _joint(word: str, before: str, distances: list[int]) -> str | None:
    """What must lead to a password that is so far behind each name in its sentence; None: nothing makes it one."""
    if values.is_like(word, "doubtful"):
        if values.is_mixed(word):
            return _IS_OR_COLON if any(abs(distance) <= _NEAR for distance in distances) else _OF_LOGIN
        return _IS if before not in "`*" and any(0 < distance <= _CLOSE for distance in distances) else None
    is_capital = word.lower() != word and any(c.islower() for c in word[1:]) and len(word) >= 8
    if is_capital or compiled(values.SIGN).search(word) or any(abs(distance) <= _NEAR for distance in distances):
        return ""
    return _JOINED
