"""Secrets after a name that says what they are: assignments, options, headers, tables, and words such as "is"."""

import binascii
import contextlib
import string
from collections import Counter
from collections.abc import Iterator

from shared.secrets import values, vocabulary
from shared.secrets.name import NEEDS_START, Name
from shared.secrets.prose import mentions
from shared.secrets.values import Span, Value, compiled
from shared.secrets.words import languages

_STRETCH, _SENTENCES, _CROWD = 1_024, 20, 40
"""A stretch in characters, and the most names in it with which sentences, and values, are still looked for: most text
has one or two, a list of keys some thirty.
"""
_STEMS = frozenset(
    r"pass|pasw|pwd|pw(?![a-z])|_pat(?![a-z])|salt|log[io]n|log [io]n|sign in"
    r"|unlock|unzip|crypt|creds|sudo prompt|for sudo|for the sudo|token|secret|key|cred|auth"
    r"|psk(?!ey)|mnemonic"
    r"|seed|recovery phrase|cookie|sig|bearer|basic "
    rf"|{languages.PASSWORDS}".split("|")
)
_BLANK, _SPACE, _QUOTE = r"(?:[ \t]|\\+t)", r"(?:\s|\\+[nrt])", r"(?:\\*[\"'`])"
_IS = f"{languages.IS}|from"
_WORD = r"(?:,? [^\W\d_](?:[^\W\d_]|['\u2019-]){0,20},?)"
_SPEAKER = (
    r"(?:\[?(?:[0-9/.-]{8,10},? )?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: [AP]M)?\]?,? ?(?:- )?)?"
    r"(?:<[\w. -]{1,30}>|[\w.-]{1,30}:) "
)
"""The time and the speaker of a line in a chat."""
_TYPE = (
    rf"\??:\s?(?:&'\w{{1,8}} )?[&A-Za-z][\w.\[\]|&<>?]{{0,30}}+(?: \| (?:None|null|undefined))? (?==)"
    r"|(?<=[ \tt])(?i:(?:constant |as )?(?:string|str|sysname|\[\]byte|n?(?:var)?char2?\(\w{1,5}\)))"
    rf"{_BLANK}{{0,20}}(?=:?={_BLANK}{{0,12}}N?{_QUOTE})| \{{ get;[^{{}}]{{0,20}}\}} (?==)"
)
"""The type between a variable's name and its value."""
_WRAPPED = (
    r" ?(?:\[\]byte ?|:\s?[\w.\[\]|<>&? ]{1,30}+)?:?= ?"
    r"(?:(?:Some|SecretStr|\[\]byte)\(|(?:\w{1,12}\.)?(?:Field|Option)\("
    r"|(?:\w{1,12}\.)?\w{0,12}Field\((?=[^()]{0,100}?\bdefault=))(?:[^()\"']{0,100}?\bdefault=)?"
)
"""A wrapper around a variable's value, or around the value of a field for which nothing is given."""
_DEFAULT = (
    rf"(?:[ =]<[\w-]{{1,20}}>{_QUOTE})?(?<=[\"'`]) ?(?:\}},|,{_BLANK}?\{{?)[^(){{}}\[\];]{{0,200}}?"
    rf"(?:\([^()\n]{{0,80}}\)[^(){{}}\[\];]{{0,80}}?)?\b(?:[dD]efault(?:_?[vV]alue)?|fallback){_QUOTE}?\s?[:=]\s?[bru]?"
    rf"|[ =]<[\w-]{{1,20}}>{_QUOTE},\s?{_QUOTE}[^\"'`\n\\]{{0,100}}{_QUOTE},\s?"
    r"| (?i:text|string|n?(?:var)?char2?\(\w{1,5}\))(?i: not null)? (?i:default) "
)
"""The text between an option's or a column's name and its default value."""
_OTHERWISE = rf"[)\]}}!]{{0,2}}(?:\.presence)?(?: ?(?:\?\?|\|\||\?:){_SPACE}{{0,24}}| or |(?<=\}}) // )|\) \{{ ?"
"""The text between the name of a variable of the environment and the value without one."""
_METHOD = rf"\.[a-zA-Z_]{{2,24}}\({_BLANK}?(?:\|\w{{0,8}}\| |\(\) ?[=-]> ?)?(?:String::from\()?"
"""The call of a method with a value, or with a function that only returns it."""
_NAME = (
    r"(?P<stem>(?i:pass?w(?:or[dt]|rod|d)|pass[_-]?phrase|passcode|passe(?![a-z])|passord|pass|pwd|pw|psk"
    rf"|{languages.PASSWORDS}"
    r"|token|secret(?:[ _-]?id)?|credentials?|cred|key"
    r"|_pat|salt|auth(?:orization)?(?:[_-]?code)?|mnemonic|seed(?:[ _-]?phrase)?"
    r"|signature|sig|cookie))"
    r"(?i:[_-]?(?:value|prod|production|dev|stage|staging|test|live|old|new|primary|secondary|b64|base64|hex|private"
    r"|(?<=[_-])(?:db|bd|banco|banque|datenbank|smtp|ftp|mysql|postgres)|main|base|default|backup|current|previous|read|write|ro|rw|admin|raw|str|(?P<hash>hash)|v?[0-9]{1,3})(?![A-Za-z])){0,2}"
    rf"(?P<close>{_QUOTE}?\]?)"
    rf"(?:(?P<value>(?:,|{_SPACE}){{1,20}}(?:-|[~+] )?{_QUOTE}?[vV]alue{_QUOTE}?{_BLANK}{{0,2}}[:=]{_BLANK}{{0,4}})"
    rf"|(?P<nested>(?:{_BLANK}?[:=]{_BLANK}?\{{[^{{}}]{{0,120}}?{_QUOTE}value{_QUOTE}{_BLANK}?[:=]{_BLANK}?)(?={_QUOTE})"
    rf"|{_BLANK}\{{[^{{}}]{{0,200}}?\bdefault{_BLANK}{{0,12}}={_BLANK}?(?={_QUOTE}))"
    rf"|(?P<fallback>(?=[ ,.:=?|)\]}}![])(?:{_OTHERWISE}|{_DEFAULT}|{_WRAPPED})(?={_QUOTE}))"
    rf"|(?P<assignment>{_BLANK}{{0,40}}"
    rf"(?:\[[\w*]{{1,24}}\](?=:)|\([\w ,-]{{1,24}}\)(?=:)|\[[0-9]{{0,4}}\]{_BLANK}?(?==))?"
    rf"(?:{_TYPE})?(?:->|=>|:=|\?=|\|\|=|=|:(?!\?)|\uff1a)"
    rf"(?:\*\*(?=[ \t]))?{_BLANK}{{0,12}}+(?!\r|\n|\\+[nr])(?:!!str )?"
    rf"(?:\[{_BLANK}?(?={_QUOTE}))?(?:[>|][+-]?{_SPACE}{{1,20}})?)"
    rf"|(?P<element></?key>{_SPACE}{{0,20}}<string>|>(?:{_SPACE}{{0,20}}<[Vv]alue>)?(?:<!\[CDATA\[)?)"
    rf"|(?P<attribute>(?:\s{{1,4}}[\w:.-]{{1,40}}={_QUOTE}[^\"'<>\n\\]{{0,200}}{_QUOTE}){{1,4}}>)"
    rf"|(?P<call>[({{]{_BLANK}{{0,3}}(?=[bru]?{_QUOTE}))"
    rf"|(?P<argument>{_BLANK}{{0,4}},{_BLANK}{{0,12}}(?:\\*\"(?=\\+\"))?(?={_QUOTE}))"
    rf"|(?P<cell>{_BLANK}{{1,12}}[|│]{_BLANK}{{1,12}}|:?(?:{_SPACE}{{0,8}}</?[a-z][^<>\n]{{0,60}}>){{2,6}}{_SPACE}{{0,8}})"
    rf"|(?P<entry>(?:/?i?{_QUOTE}?[)\]]{{1,3}}|{_QUOTE})(?:{_METHOD}|,{_BLANK}?)(?={_QUOTE})"
    rf"|,{_BLANK}?with:{_BLANK}?(?={_QUOTE}))"
    rf"|(?P<answer>(?:(?: [a-z ]{{1,40}})?\?|[:!.])?(?: pl[sz]| please)?[?!]? ?(?:\r|\\+r)?(?:\n|\\+n){_SPEAKER})"
    rf"|(?P<next_line>(?: (?:is )?(?:below|here|follows)[.:]?"
    rf"|(?:(?: [^\n:=({{\[\"\\\uff1a]{{1,100}}+)?+(?: ?[(\[][^\n()\[\]\"\\]{{1,100}}[)\]])?"
    rf"(?: [a-z]{{1,12}})?(?::|\uff1a)|\.)?)[* \t]{{0,4}}(?:\r|\\+r)?(?:\n|\\+n)"
    rf"(?:```\w{{0,12}}(?:\n|\\+n)|\u23bf|{_SPACE}){{0,12}}`?)"
    rf"|(?P<sentence>{_SPACE}{{1,4}}(?:(?:{_IS}){_BLANK}{{1,4}}(?:now{_BLANK})?|\()"
    rf"|(?: [a-z]{{1,12}}){{1,5}}:{_SPACE})"
    rf"|(?P<phrase>{_WORD}{{0,8}}?(?: (?:{_IS}) (?:now |jetzt )?| ?: |\uff1a)|[{languages.PARTICLES}] ?)"
    rf"|(?P<adjacent>{_BLANK}{{1,20}}-{{2,8}}{_BLANK}{{1,20}}|{_SPACE}{{1,40}}(?:(?:[05-9]|ENC) (?=\S{{8}}))?))"
)
_OPEN = r"[(<]?\s?(?:\\*[\"'`])?\Z"
_OF_NAME = f"{string.ascii_letters}{string.digits}_.$:/@#-"
"""The opening before a name, and a name's characters."""
_PLAIN_WORD = r"(?=.{5,64}\Z)[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+){0,6}"
_TITLE = r"[A-Z][a-z]+(?:[-_][A-Z][a-z]+)+"
_SPEAKING = r"(?i)pass|pwd|secret|token|key(?<!monkey|turkey|donkey|hockey)|cred|hash"
_SET_AFTER = r"(?:^|[\s?&;\"']|\\[nrt]|=[\w./@-]{1,60},)-{0,2}[A-Za-z0-9_.-]*\Z"
_SECTION = r"(?:^|\n|\\n|\")\[[A-Za-z][\w .:/-]{0,60}\] *(?:\n|\\n|\\r)(?:(?!\n\n|\\n\\n|[(){};]).){0,400}\Z"
"""The header of a group of settings in a file that is no program, up to one of them."""
_LINE_START = r"(?:^|\n|\\n|\")[ \t-]{0,40}[A-Za-z0-9_.-]*\Z"
"""The start of a setting's line, up to the word that names it."""
_LINE_END = r"[\"'`*]{0,3}(?:\s*$|[ \t]*(?:\r|\n|\\+[nr]))|\\{0,3}\"\s?[,}\]]"
_SCHEME = r"(?i)\\*[\"'`]?(?:(?:bearer|basic|token|apikey|bot|key)[ \t]+(?=\S)|[a-z][\w-]{1,20}[ \t]+(?=\S{16}))"
_COOKIES = r"\\*[\"'`]?(?P<all>[\w.%-]{1,80}=[^\s;\"'\\]{4,4000}(?:;[ \t]*[^\s;\"'\\]{1,4000}){0,60})"
_BEARER = (
    r"(?i)bearer[ \t]+(?:\\*[\"'] ?[+.] ?\\*[\"'])?(?=[A-Za-z._~+/-]{0,200}[0-9]|(?:[A-Za-z]{2,8}_)?[A-Za-z]{24})"
    r"(?P<value>[\w.~+/=-]{8,})"
)
_BASIC = r"(?i)basic[ \t]+(?P<value>[A-Za-z0-9+/]{6,}={0,2})"


def spans(text: str, readable: str) -> Iterator[Span]:
    """Yield the named secrets in `text`; `readable` is the same with blanks for its escapes."""
    stems = _stems(vocabulary.lowered(text))
    counts = Counter(at // _STRETCH for at in stems)
    crowds = {stretch for stretch, count in counts.items() if count > _SENTENCES}
    for stretch in crowds:
        yield from mentions.crowd(readable, stretch * _STRETCH, (stretch + 1) * _STRETCH)
    start = end = 0
    for at in stems:
        stretch = at // _STRETCH
        if start <= at < end or counts[stretch] > _CROWD:
            continue
        span = _scheme(text, at) or _assigned(text, at)
        if span or (stretch not in crowds and (span := mentions.span(readable, at))):
            start, end, _ = span
            yield span


def _stems(lowered: str) -> list[int]:
    """The offsets of words that could be a secret's name, without overlaps."""
    result: list[int] = []
    end = 0
    for stem in vocabulary.occurrences(_STEMS, lowered):
        if stem[0] >= end:
            result.append(stem[0])
            end = stem[1]
    return result


def _scheme(text: str, at: int) -> Span | None:
    """The credentials after `Bearer` or `Basic`."""
    if text[at] not in "bB":
        return None
    if match := compiled(_BEARER).match(text, at):
        return Span(*match.span("value"))
    if match := compiled(_BASIC).match(text, at):
        with contextlib.suppress(binascii.Error):
            if b":" in binascii.a2b_base64(match["value"]):
                return Span(*match.span("value"))
    return None


def _assigned(text: str, at: int) -> Span | None:
    named = compiled(_NAME).match(text, at)
    if not named:
        return None
    name = Name(*_before(text[max(0, at - 60) : at]), named, text[max(0, at - 16) : at])
    if not name.names_secret:
        return None
    if name.stem == "cookie":
        return _cookies(text, name, named.end())
    start = named.end()
    if name.stem == "authorization" and (scheme := compiled(_SCHEME).match(text, start)):
        start = scheme.end()
    value = values.read(text, start, to_space=name.is_variable)
    if value is None or not _is_in_place(text, name, value, at):
        return None
    if not (name.is_secret(value) or _sets_plain_word(text, name, value, at)):
        return None
    is_number = bool(name.close) and not value.is_quoted and name.kind == "assignment"
    end = value.end
    if len(value.text) >= values.LONGEST and (rest := compiled(r"[\w+/=.-]+").match(text, end)):
        end = rest.end()
    return Span(value.start, end, name.close.rstrip("]") if is_number else "")


def _before(text: str) -> tuple[str, str]:
    """The beginning of a name whose stem follows `text`, and the opening before it."""
    rest = text.rstrip(_OF_NAME)
    if rest.endswith("\\") and text[len(rest) :].startswith(("n", "r", "t")):
        return text[len(rest) + 1 :], ""  # after an escape of JSON
    match = compiled(_OPEN).search(rest, max(0, len(rest) - 12))
    return text[len(rest) :], match[0] if match else ""


def _is_in_place(text: str, name: Name, value: Value, at: int) -> bool:
    """Whether an element ends after the value, or the value is alone on its line, in a chat also after another's."""
    if name.kind == "attribute":
        return text[value.end : value.end + 1] == "<"
    if name.kind in {"sentence", "phrase"} and text[value.end : value.end + 2] in {"'s", "\u2019s"}:
        return False
    before = text[max(0, at - 120) : at].replace("\\n", "\n") if name.kind == "answer" else ""
    if before and not compiled(rf"(?m)(?:^|\"){_SPEAKER}[^\n]{{0,60}}\Z").search(before):
        return False
    return name.kind not in {"next_line", "answer"} or bool(compiled(_LINE_END).match(text, value.end))


def _sets_plain_word(text: str, name: Name, value: Value, at: int) -> bool:
    """Whether a setting, an argument or an address sets a password that is a plain word: `password=sunshine`."""
    if not name.is_strong or name.kind != "assignment" or value.is_quoted or not name.is_apart:
        return False
    word = value.text
    is_joined = not word.islower() and values.is_distinctive(word.replace(".", "-") if values.is_mixed(word) else word)
    is_one = is_joined or compiled(_PLAIN_WORD).fullmatch(word)
    if not is_one or compiled(_SPEAKING).search(word) or values.is_placeholder(word):
        return False
    before, after = text[max(0, at - 100) : at], text[value.end : value.end + 2]
    is_short = name.stem in NEEDS_START and (name.prefix or before)[-1:] not in {"_", "-", ".", ";"}
    if is_short or compiled(r"(?:\s|\\n)+[)}\]]").match(text, value.end):
        return False  # a call's last argument
    if name.joint == "=":
        is_listed = "," in before and after[:1] == "," and not after[1:].isspace()
        is_end = not after or after[0] in " \t\r\n\"'&;\\" or is_listed
        return is_end and bool(compiled(_SET_AFTER).search(before))
    is_line = bool(compiled(_LINE_START).search(before)) and (not after or after[0] in '\r\n"' or after == "\\n")
    if name.joint.strip() == "=":
        return is_line and bool(compiled(f"(?s){_SECTION}").search(text, max(0, at - 400), at))
    is_setting = name.joint == ": " and is_line and (name.text.islower() or name.is_of_server)
    is_word = "." in word or (word.islower() and word.isalpha())
    is_numbered = compiled(r"[A-Za-z]{4,}[_-]?[0-9]{1,6}").fullmatch(word)
    return is_setting and values.count_of_words(word) >= (1 if is_word or is_numbered else 2)


def _cookies(text: str, name: Name, at: int) -> Span | None:
    is_joined = name.is_option or name.kind in {"assignment", "argument"}
    match = compiled(_COOKIES).match(text, at) if is_joined else None
    if not match:
        return None
    start, end = match.span("all")
    if name.prefix.lower().endswith("set-"):
        start = text.index("=", start) + 1
        end = text.find(";", start, end) if ";" in text[start:end] else end
    is_one = end - start >= 8 and values.is_mixed(text[start : min(end, start + values.LONGEST)])
    return Span(start, end) if is_one else None
