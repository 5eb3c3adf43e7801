"""Passwords in prose: in a sentence about a password or a login, the word that is no word of a language."""

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
"""The most characters of a line on either side of a name; to its password; and to a password of words alone."""
_STRING_END = r"\\*\"(?:[:,]\s?(?:\\*\"|[\[{\d]|true|false|null)|[}\]])"
"""The end of a JSON string."""
_PLAIN = r"(?<!\S)[(\"'“„«*]{0,2}[^\W\d_]+(?:['\u2019-][^\W\d_]+)*[.,;!?)\"'”»*]{0,3}(?!\S)"
"""A word of a sentence."""
_CODE = r"[{};=$<>]|\(\)|::|--\w|\|"
_OTHER_SCRIPT = r"[\u0600-\u06ff\u0900-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
"""Letters that Python's patterns don't match as words, or that blanks don't separate."""
_BREAK = r"\s\"`()\[\]{}<>,;|\\\u201c\u201d\u2018\u2019\u00bb\u0e00-\ud7af"
"""Characters that end a word."""
_WORD = (
    r"(?:(?<=[\s\"`(\[<{,;|\u201c\u2018\u201e\u00ab\u2192])|(?<=[^\x00-\u0dff])|^)'?"
    rf"(?P<word>[^'{_BREAK}][^{_BREAK}]{{5,}})"
)
_LONGEST = 26
"""The most characters of a chosen password; longer ones are recognised by other rules."""
_OF_WORDS = r"[^\W\d_]{3,}[!#$%&*^?~]+[^\W\d_]{3,}!?"
_NAMED = (
    r"(?i)(?:\b(?:ids?|uuid|sha|hash|commit|digest|fingerprint|version|release|branch|tag|build|colou?r|model|pods?"
    r"|alias|named|called|run|job|public key|publishable key|site key|in|under|from|on|at|file|script|repo|host|page"
    r"|ticket|issue|algorithm|compare|column|field|table|variable|function|method|class|service|image|user"
    r"|users?names?|names?|hash(?:ed)? with|move \w+ to|for)(?: (?:is|was|should be))?[:\s]\s?[\"'`*]{0,2}|'@')\Z"
)
"""The text before the name of something else."""
_VALUE = (
    r"(?i)(?:\b(?:is|are|was|just|only|still|always|says|reads|ist|lautet|heißt|es|est|é|e|è|är|er|jest|je{joints})"
    r"|(?<![\"'])[=\u2192{signs}]|->)\s?[\"'`\u201c*]{{0,2}}\Z"
)
_IS, _IS_OR_COLON = (_VALUE.format(joints="", signs=signs) for signs in ("", ":"))
"""Text that gives a named thing its value; a colon may also lead to a type."""
_OF_LOGIN = rf"(?i)\b(?:{languages.WITH}) \S{{2,40}}?,? (?:{languages.AND}) \Z"
"""The joint between the halves of a login."""
_JOINED = _VALUE.format(
    joints="|with|using|use|enter|type|try|as|takes?|gets?|mit|avec|con|com|and|und|et|y|to", signs=r":/,\u2013-"
)
"""Text that may lead to a password in a sentence that doesn't name one."""
_PIN = (
    r"\b(?:PIN|PUK|(?i:(?:the|my|its|unlock|sim|o|el|door|gate|panel|access|alarm|entry) (?:pin|code)"
    r"|passkey|passcode))\b[^\n.;\d]{0,40}+(?<![\w-])(?P<secret>\d{4,8})(?![\w%-]|\.\d)"
)


def spans(text: str) -> Iterator[Span]:
    """Yield the passwords in the sentences of `text`, which has real line ends."""
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
    """The start and end of the line or JSON string around `at`, after the part before, from `start` to `end`."""
    start = max(start, at - _REACH)
    start = max(start, text.rfind("\n", start, at) + 1)
    for match in compiled(_STRING_END).finditer(text, max(start, end), at):
        start = match.end()
    end = text.find("\n", at, at + _REACH)
    end = end if end >= 0 else min(len(text), at + _REACH)
    string_end = compiled(_STRING_END).search(text, at, end)
    return start, string_end.start() if string_end else end


def _is_sentence(text: str) -> bool:
    """Whether it is made of words rather than of names and symbols."""
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


@values.cached_check
def _may_be_one(word: str) -> bool:
    if len(word) > _LONGEST or len(compiled(r"[^\W\d_]").findall(word)) < 3 or values.is_like(word, "name"):
        return False
    is_odd = values.is_mixed(word) or compiled(_OF_WORDS).fullmatch(word) or values.is_like(word, "doubtful")
    return bool(is_odd) and not values.is_placeholder(word)


def _joint(word: str, before: str, distances: list[int]) -> str | None:
    """The pattern of the text that must lead to a password at these distances from the names; None: it can't be one."""
    if values.is_like(word, "doubtful"):
        if values.is_mixed(word):
            return _IS_OR_COLON if any(abs(distance) <= _NEAR for distance in distances) else _OF_LOGIN
        return _IS if before not in "`*" and any(0 < distance <= _CLOSE for distance in distances) else None
    is_capital = word.lower() != word and any(c.islower() for c in word[1:]) and len(word) >= 8
    if is_capital or compiled(values.SIGN).search(word) or any(abs(distance) <= _NEAR for distance in distances):
        return ""
    return _JOINED
