"""The value after a name or an option: where it ends, and whether it is a secret or only stands for one."""

import functools
import itertools
import re
from typing import NamedTuple

from shared.secrets import tables

_STOPWORDS = tables.words("common words")
_LOOKS = dict(tables.rows("no passwords"))
LONGEST = 1_000
"""The most characters of a value that are examined."""
_PAIR = r"\\u[0-9a-fA-F]{4}|\\."
_VALUE = (
    # Quoted: up to the same quotation mark. No value ends inside an escape, so that JSON stays JSON.
    rf"[brfuN@$]?(?:\"\"(?=\")|''(?='))?(?P<quote>[\"'`])(?P<inside>(?:[^\"'`\\\n]++|{_PAIR}|(?!(?P=quote))['`])*+)"
    r"|[brfuN@$]?(?:\\+\"\\+\"(?=\\+\"))?(?P<escaped>\\+[\"'`])(?P<within>(?:[^\"'`\\\n]++|\\++u[0-9a-fA-F]{4}|\\++[^\"'`\\nru\n])*+)"
    r"|(?P<bare>(?:[^\s\"'`\\<>]++|\\++u[0-9a-fA-F]{4}|\\++[^\"'`\\nrtu\s])++)"
)
_BARE_END = r"[;|,)}\]&\uff0c\u3001\u3002](?:(?<!&)|(?=[\w.%\[\]-]{1,40}=|amp;|&|#|\Z))"
_HOLDS = r"\$[{(]|\{(?:\{|[a-z_]*\})|<[a-z]|%\("
_FILLED = (
    r"(?i)[-_.*]*+(?:([^-_.*])(?:\1|[-_.*])*+)?"
    r"|(?:[a-z]{0,20}[_/-]){0,6}x{3,}[-_/.a-z]{0,20}|(?:[a-z_-]{0,40}[_-])?your[_-][a-z_-]{0,40}|[\w-]{0,16}\*{4,}\w{0,4}[.,]?"
)
_NAME = r"[A-Za-z_]+(?:[0-9]{1,2}_[A-Za-z_]*){0,12}(?:(?<=sha)[0-9]{3}|[0-9]{0,2})"
_CODE = rf"(?:await |new |not )?{_NAME}(?:(?:\??\.|->|::){_NAME}){{0,8}}(?:!?[(\[{{].*|!?[;,)]?$|\?\?.*|\|\|.*)"
_CALL = r"[a-z_][a-z0-9_]*(?:(?:\??\.|->|::)[a-z_][a-z0-9_]*){0,8}\((?:[A-Za-z$_([{].*)?"
_CASED = r"(?=(?:.*_)?[a-z])(?=(?:.*_)?[A-Z][a-z])(?!.*__)[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+"
_RANDOM = r"(?=.{0,80}[0-9])(?=.{0,80}[A-Za-z])[A-Za-z0-9_+/=.:~#!$@%^&*-]+"
_STRUCTURED = (
    r"[0-9A-F]{16}|(?:[a-z]+[-_])+[0-9a-f]{40,}|(?:[0-9A-Fa-f]{2}:){3}.*|[0-9A-F]{40}|[.~]{0,2}/.*|[a-z]+:.*|\d{4}-\d\d-.*"
    r"|(?:[A-Za-z]*[-_./:]|[0-9]{1,6}[-_./:]){2,}[\w-]{0,12}|[\w./-]+\.[a-z]{1,5}(?::[0-9]+)?"
)
"""Fingerprints, paths, dates, names of files and hosts, hyphenated words."""
_WORDS = r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+"
SIGN = r"[!#*$%^&+@~?]"
_PASSWORD = rf"(?=[\w!#*$%^&+@~?.=-]{{7,64}}\Z)(?=.*\d)(?=.*[^\W\d_].*[^\W\d_].*[^\W\d_])(?=.*{SIGN})(?=\w).*"
"""Letters, digits and a symbol, as people choose if they are asked for all three."""
_CHOSEN = r"(?=.{8,40}\Z)(?=.*\d)(?=.*[A-Z])(?=(?:.*[a-z]){3})[\w-]+(?:[!#$&@^]+[\w-]+)+[!#$&@^*?]{0,2}"
_TELLING = (
    r"(?=.{6,64}\Z)(?=.*[^\W\d_]{3})(?=.*\d)[^\W_]+(?:[-_.][^\W_]+)*[!?*#$]?"
    r"|(?=.{8,64}\Z)[^\W\d_]{3,}(?:[-_][^\W\d_]{2,}){1,6}|(?=.{8,64}\Z)[^\W\d_]{3,}(?:\.[^\W\d_]{2,}){1,6}"
)
_NO_SYLLABLES, _NO_NAME = r"[^aeiouyAEIOUY]{1,2}", 3
"""Parts without a vowel, such as `Gn` and `Rx` of `kGnClRxHCZIv`, and more of them than any name has."""
_NO_WORD = r"(?=[a-z]{12,20}\Z)(?=.*[bcdfghjklmnpqrstvwxz]{4}).*"
_LETTERS_AND_SIGN = rf"(?=.{{8,64}}\Z)(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9_.-]+(?:{SIGN}+[A-Za-z0-9_.-]+)+{SIGN}?"
_MESSAGE = (
    r"(?i)\b(?:passw|character|letter|digit|symbol|should|must|your|cannot|contain|least|please|match|wrong|caract|obligat"
    r"|requis|doit|moins|muss|mindestens|zeichen|debe|deve|almeno|menos)"
)
"""Words of a message about a password."""
_LABEL = r"(?=.*[^\x00-\x7f])[^\W\d_]+(?:-[^\W\d_]+)?"
"""A word of another language than English, or two."""
_LONGEST_WORDS = 100
"""The most characters of words and expressions; longer text costs too much to examine."""
_IDENTIFIER = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-f]{40}|[0-9a-f]{64}"
_PUBLIC = (
    r"pk[_.-](?:live_|test_|lf-|eyJ)|phc_|sb_publishable_|sq0idp-|appl_|goog_|UGFzc3dvcmQ6$|VXNlcm5hbWU6$"
    r"|0x[0-9a-fA-F]{40}(?![0-9a-fA-F])|(?:key|sg)-[0-9a-f]{17,18}$|Ag[A-Za-z0-9+/]{200}"
)
_KEY = r"[0-9a-f]{32}|[0-9a-f]{40}|(?:0x)?[0-9a-f]{64}|[A-Za-z0-9+/]{40,}={0,2}|[A-Za-z0-9+/]{22}==|[0-9a-f-]{36}:\w{2}"
_PIECE = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+"
_PIECES = 0.34
"""The fewest words and numbers per character of random text; names in a program have fewer."""


class Span(NamedTuple):
    """A secret's position in a text."""

    start: int
    end: int
    quote: str = ""
    """The quotes that the mask needs where it replaces a JSON number."""


class Value(NamedTuple):
    start: int
    end: int
    text: str
    is_quoted: bool


cached_check = functools.lru_cache(maxsize=1024)
"""A cache for checks that each cue in a line repeats on the words near it."""


@functools.cache
def compiled(source: str) -> re.Pattern[str]:
    """Compile a pattern on first use: compiling all of them would take longer than most commands do."""
    return re.compile(source)


def read(text: str, at: int, *, to_space: bool = False) -> Value | None:
    """Read the value that begins at `at`. A bare one ends before punctuation, or with `to_space` only at a space."""
    match = compiled(_VALUE).match(text, at, at + LONGEST)
    if match is None:
        return None
    kind = "inside" if match["quote"] else "within" if match["escaped"] else "bare"
    start, end = match.span(kind)
    if kind == "bare" and not to_space:
        cut = compiled(_BARE_END).search(text, start, end)
        if cut is None:
            bare = text[start:end].rstrip(".:?")
            is_call = start + len(bare) == end and bare.endswith("!") and not bare[-2:-1].isdigit()
            end = start + len(bare) - is_call
        elif cut[0] != "}" or "{" not in text[start : cut.start()]:
            end = cut.start()
    elif kind == "inside" and match["quote"] == '"' and text[start : start + 1] in set(",:]}"):
        return None  # the quote was the end of a JSON string
    return Value(start, end, text[start:end], kind != "bare") if end > start else None


@cached_check
def is_placeholder(text: str) -> bool:
    """Whether it is a placeholder, a reference, or a word that only describes a secret."""
    if len(text) < 3 or compiled(_LOOKS["reference"]).match(text) or compiled(_HOLDS).search(text):
        return True
    if is_filler(text) or is_public(text):
        return True
    if len(text) > _LONGEST_WORDS:
        return False
    if is_like(text, "term") or is_like(text, "rule") or compiled(_LABEL).fullmatch(text):
        return True
    words = compiled(_WORDS).findall(text) if not is_password(text) else [text]
    is_common = all(word.lower() in _STOPWORDS for word in words) and (bool(words) or text.isascii())
    return is_common and len(re.sub(r"[^0-9]", "", text)) <= 2


def is_like(text: str, look: str) -> bool:
    """Whether it matches the row `look` of the table, and so doesn't look like a password."""
    return bool(compiled(_LOOKS[look]).fullmatch(text))


def is_filler(text: str) -> bool:
    """Whether it is a repeated character instead of a secret, as in `xxxx-xxxx`."""
    return bool(compiled(_FILLED).fullmatch(text))


def is_code(text: str) -> bool:
    """Whether a bare value can be an expression of a program: names, calls, attributes."""
    is_name = len(text) <= _LONGEST_WORDS and compiled(f"{_CODE}|{_CALL}").fullmatch(text)
    return bool(is_name) and not is_cased(text) and not has_scrambled_case(text)


def is_cased(text: str) -> bool:
    """Whether it joins words with and without a capital by underscores, against any naming convention."""
    return bool(compiled(_CASED).fullmatch(text))


def is_mixed(text: str) -> bool:
    """Whether it has both digits and letters, or random letters, as no word and hardly any name does."""
    return bool(compiled(r"\d").search(text) and compiled(r"[^\W\d_]").search(text)) or has_scrambled_case(text)


def is_identifier(text: str) -> bool:
    """Whether it can identify a row, a session or a commit: a UUID, or a hash in hexadecimal."""
    return bool(compiled(_IDENTIFIER).fullmatch(text))


@cached_check
def is_password(text: str) -> bool:
    """Whether it looks like a password in any context: letters, digits and a symbol, or a random mix."""
    is_chosen = compiled(_PASSWORD).fullmatch(text) and not is_like(text, "expression")
    return bool(is_chosen) or is_scrambled(text, 12)


@cached_check
def is_distinctive(text: str) -> bool:
    """Whether it is no word of a sentence, and so a password where one is expected: `Samovar-1961`, `tin.Moss`."""
    if is_password(text) or has_scrambled_case(text) or compiled(_NO_WORD).fullmatch(text):
        return True
    if compiled(_LETTERS_AND_SIGN).fullmatch(text):
        return not is_like(text, "expression")
    if not compiled(_TELLING).fullmatch(text) or is_like(text, "file"):
        return False
    fewest = 1 if text[0].isupper() and text.upper() != text else 2
    return is_mixed(text) or (count_of_words(text) >= fewest and not is_like(text, "compound"))


@cached_check
def has_scrambled_case(text: str) -> bool:
    """Whether it is a random mix of upper-case and lower-case letters, as in no name."""
    letters = compiled(r"(?<=\w)[-_+/]+(?=\w)|=+\Z").sub("", text) if 14 <= len(text) <= _LONGEST_WORDS else ""
    if not letters.isalpha():
        return False
    changes = sum(one.islower() != other.islower() for one, other in itertools.pairwise(letters))
    odd = sum(bool(compiled(_NO_SYLLABLES).fullmatch(word)) for word in compiled(_WORDS).findall(letters))
    fewest = 0.35 if compiled(r".*[A-Z]{3}[a-z]{1,2}[A-Z]").match(letters) else 0.45
    return (len(text) >= 16 and changes >= fewest * len(letters)) or odd >= _NO_NAME


def is_chosen(text: str) -> bool:
    """Whether it looks like a chosen password without any context: words with a capital, an inner symbol, a digit."""
    return bool(compiled(_CHOSEN).fullmatch(text)) and not is_like(text, "place")


def count_of_words(text: str) -> int:
    """The number of joined words in it that are neither short nor common."""
    words = compiled(r"[^\W\d_][^\W\d_A-Z]*").findall(text)
    return sum(len(word) > 2 and word.isalpha() and word.lower() not in _STOPWORDS for word in words)


def is_phrase(text: str) -> bool:
    """Whether it is a few words that are no message: a phrase chosen as a password."""
    words = text.split(" ")
    is_of_words = compiled(r"[a-z]+(?: [A-Za-z0-9]+){2,7}|[A-Z][a-z]+(?: [A-Za-z]+){0,5} [0-9]+").fullmatch(text)
    count = sum(len(word) > 2 and word.lower() not in _STOPWORDS for word in words)
    return bool(is_of_words) and not compiled(_MESSAGE).search(text) and count >= (2 if words[-1].isdigit() else 3)


def is_words(text: str) -> bool:
    """Whether none of its words is common, or typical of a message about passwords."""
    is_sentence = any(word.lower() in _STOPWORDS for word in text.split(" "))
    return not is_sentence and not compiled(_MESSAGE).search(text)


def is_noise(text: str) -> bool:
    """Whether it is long, and a generator's choice from all symbols of a keyboard."""
    if not 32 <= len(text) <= _LONGEST_WORDS or not is_mixed(text) or compiled(r"\\|\(\?|[a-z0]-[z9]").search(text):
        return False  # the last matches a regular expression
    fewest = 4 if len(text) >= 48 and " " not in text else 6
    fewest = 9 if compiled(r"[\])](?:[+*]|\{\d)").search(text) else fewest
    return len(set(compiled(r"[^\w\s.,:;()/-]").findall(text))) >= fewest


def is_public(text: str) -> bool:
    """Whether it is public, according to its vendor, such as a key in web pages."""
    return bool(compiled(_PUBLIC).match(text))


def is_scrambled(text: str, fewest: int) -> bool:
    """Whether it is a random mix of upper-case letters, lower-case letters and digits."""
    count = len(text) - sum(map(text.count, "_-+"))
    if not fewest <= count <= _LONGEST_WORDS or len(compiled(_PIECE).findall(text)) < _PIECES * count:
        return False
    is_of_both = all(count / 8 <= len(compiled(kind).findall(text)) < count * 3 / 4 for kind in ("[a-z]", "[A-Z]"))
    return is_of_both and bool(compiled(r"\d").search(text)) and not compiled(r"[0-9a-f]{16}|[/.:]").search(text)


def is_key(text: str) -> bool:
    """Whether it is a random mix of letters and digits, also in one case."""
    if compiled(_KEY).fullmatch(text):
        return True
    changes = sum(one.isdigit() != other.isdigit() for one, other in itertools.pairwise(text))
    is_of_one = compiled(r"[a-z0-9]{16,64}|[A-Z0-9]{16,64}").fullmatch(text)
    is_long = len(text) >= 60 and is_random(text)
    return is_long or is_scrambled(text, 16) or (bool(is_of_one) and changes >= 0.25 * len(text))


def is_random(text: str) -> bool:
    """Whether it is long and mixed like a key, and no path, address or number with words."""
    is_long = len(text) >= 16 and (bool(compiled(_RANDOM).fullmatch(text)) or has_scrambled_case(text))
    return is_long and not is_code(text) and not compiled(_STRUCTURED).fullmatch(text)
