"""Secrets behind a name that says what they are: assignments, options, headers, tables, and words such as "is"."""

import binascii
import re
from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, Value, compiled

_STEM = (
    r"pass|pwd|pw(?![a-z])|_pat(?![a-z])|_(?:login|master|unseal)(?![a-z])|pepper|salt|entropy|crumb"
    r"|token|secret|key|cred|auth|psk(?!ey)|mnemonic|seed|cookie|sig|bearer|basic "
    r"|kennwort|contraseña|senha|пароль|密码|パスワード|wachtwoord|lösenord|hasło|clave|clé|schlüssel"
)
_BLANK, _SPACE, _QUOTE = r"(?:[ \t]|\\+t)", r"(?:\s|\\+[nrt])", r"(?:\\*[\"'`])"
_IS = "is|was|to|from|lautet|ist|es|est|é|è|är"
_WORD = r"(?: [^\W\d_](?:[^\W\d_]|['\u2019-]){0,20},?)"
_SPEAKER = (
    r"(?:\[?(?:[0-9/.-]{8,10},? )?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: [AP]M)?\]?,? ?(?:- )?)?"
    r"(?:<[\w. -]{1,30}>|[\w.-]{1,30}:) "
)
"""Who says a line of a chat, and when."""
_NAME = (
    r"(?P<stem>(?i:passw(?:or[dt]|d)|passphrase|passcode|passe(?![a-z])|pass|pwd|pw|psk|kennwort"
    r"|contraseña|senha|пароль|密码|パスワード|wachtwoord|lösenord(?:et)?|hasło|clave|clé|schlüssel"
    r"|token|secret(?:[_-]?id)?|credentials?|cred|key"
    r"|_pat|_login|_master|_unseal|pepper|salt|entropy|crumb|auth(?:orization)?|mnemonic|seed(?:[ _-]?phrase)?"
    r"|signature|sig|cookie))"
    r"(?i:[_-]?(?:value|prod|production|dev|stage|staging|test|live|old|new|primary|secondary|b64|base64|hex|private"
    r"|main|base|default|backup|current|previous|read|write|ro|rw|admin|raw|str|v?[0-9]{1,3})(?![A-Za-z])){0,2}"
    rf"(?P<close>{_QUOTE}?\]?)"
    rf"(?:(?P<value>(?:,|{_SPACE}){{1,20}}-?{_QUOTE}?[vV]alue{_QUOTE}?{_BLANK}{{0,2}}[:=]{_BLANK}{{0,4}})"
    rf"|(?P<nested>(?:{_BLANK}?[:=]{_BLANK}?\{{[^{{}}]{{0,120}}?{_QUOTE}value{_QUOTE}{_BLANK}?[:=]{_BLANK}?)(?={_QUOTE}))"
    rf"|(?P<fallback>[)\]]{{0,2}} (?:\?\?|\|\||or) (?={_QUOTE}))"
    rf"|(?P<assigned>{_BLANK}{{0,12}}(?:\[[\w*]{{1,24}}\](?=:))?"
    rf"(?::\s?[&A-Za-z][\w.\[\]|&]{{0,30}} (?==))?(?:->|=>|:=|\?=|=|:)"
    rf"{_BLANK}{{0,12}}+(?!\r|\n|\\+[nr])"
    rf"(?:\[{_BLANK}?(?={_QUOTE}))?"
    rf"(?:[>|][+-]?{_SPACE}{{1,20}})?)"
    rf"|(?P<element></?key>{_SPACE}{{0,20}}<string>|>)"
    rf"|(?P<attributed>(?:\s{{1,4}}[\w:.-]{{1,40}}={_QUOTE}[^\"'<>\n\\]{{0,200}}{_QUOTE}){{1,4}}>)"
    rf"|(?P<called>\({_BLANK}{{0,3}}(?=[bru]?{_QUOTE}))"
    rf"|(?P<argument>{_BLANK}{{0,4}},{_BLANK}{{0,12}}(?={_QUOTE}))"
    rf"|(?P<cell>{_BLANK}{{1,12}}[|│]{_BLANK}{{1,12}}|:?(?:{_SPACE}{{0,8}}</?[a-z][^<>\n]{{0,60}}>){{2,6}}{_SPACE}{{0,8}})"
    rf"|(?P<filled>(?:/?i?{_QUOTE}?[)\]]{{1,3}}|{_QUOTE})(?:\.[a-zA-Z_]{{2,24}}\({_BLANK}?|,{_BLANK}?)(?={_QUOTE})"
    rf"|,{_BLANK}?with:{_BLANK}?(?={_QUOTE}))"
    rf"|(?P<answered>(?:(?: [a-z ]{{1,40}})?\?|[:!.])?(?: pl[sz]| please)?[?!]? ?(?:\r|\\+r)?(?:\n|\\+n){_SPEAKER})"
    rf"|(?P<below>(?:(?: [^\n:=({{\[\"\\\uff1a]{{1,100}}+)?+(?: ?[(\[][^\n()\[\]\"\\]{{1,100}}[)\]])?"
    rf"(?: [a-z]{{1,12}})?(?::|\uff1a)|\.)?[* \t]{{0,4}}(?:\r|\\+r)?(?:\n|\\+n)"
    rf"(?:```\w{{0,12}}(?:\n|\\+n)|{_SPACE}){{0,12}}`?)"
    rf"|(?P<told>{_SPACE}{{1,4}}(?:(?:{_IS}){_BLANK}{{1,4}}(?:now{_BLANK})?|\()"
    rf"|(?: [a-z]{{1,12}}){{1,5}}:{_SPACE})"
    rf"|(?P<said>{_WORD}{{0,8}}?(?: (?:{_IS}) (?:now |jetzt )?| ?: |\uff1a)|(?:は|是|为) ?)"
    rf"|(?P<beside>{_BLANK}{{1,20}}-{{2,8}}{_BLANK}{{1,20}}|{_SPACE}{{1,12}}))"
)
_BEFORE = r"(?:\\+[nrt])?(?P<open>[(<]?\s?(?:\\*[\"'`])?)(?P<name>-{0,2}[A-Za-z0-9_.$:/@#-]*)\Z"
_STRONG = r"pass|pw|psk|mnemonic|seed|kennwort|contrase|senha|пароль|密码|パスワード|wachtwoord|lösenord|hasło|clave"
_WORDS_OF_KEYS = (
    r"(?i)(?:api|access|secret|private|account|encryption|signing|device|master|shared|licen[sc]e|client|consumer|service|admin"
    r"|auth|webhook|deploy|subscription|hmac|jwt|aes|crypto|cipher|fernet|instrumentation|ingest|integration|rapid|app"
    r"|function|functions|connection|write|pre-?shared|\bx-[a-z]+|recovery|unseal(?: key)?|server)[_. -]?$"
)
_NEEDS_START = frozenset({"pass", "cred", "auth", "pwd", "pw", "psk", "seed", "cookie"})
_OWNER = r"(?i)(?:^|[^a-z])(?:db|user|root|admin|mail|smtp|ftp|sql|ssh|wifi|sudo|ldap|store)$"
"""Whose password it is, in one word with it: `dbpass`."""
_OF_CHANCE = frozenset({"_login", "_master", "_unseal", "pepper", "salt", "entropy", "crumb"})
"""Names of settings that are a secret's where the value is of chance alone."""
_PLAIN_WORD = r"[a-z][a-z0-9-]{4,40}|[a-z]{3,20}(?:_[a-z]{2,20}){1,3}_?[0-9]{2,6}"
_SET_AFTER = r"(?:^|[\s?&;\"']|\\[nrt])-{0,2}[A-Za-z0-9_.-]*\Z"
_LINE_START = r"(?:^|\n|\\n)[ \t-]{0,40}[a-z0-9_.-]*\Z"
"""What a setting may follow on its line, up to the word that names it."""
_ANNOUNCED = frozenset({"told", "said", "below", "beside", "answered", "cell", "called", "attributed", "filled"})
"""How a sentence, a table, a call or an element joins a name to its value."""
_LINE_END = r"[\"'`*]{0,3}(?:\s*$|[ \t]*(?:\r|\n|\\+[nr]))"
_SCHEME = r"(?i)\\*[\"'`]?(?:bearer|basic|token|apikey|bot|key|geniekey|ssws)[ \t]+(?=\S)"
_COOKIES = r"\\*[\"'`]?(?P<all>[\w.%-]{1,80}=[^\s;\"'\\]{4,4000}(?:;[ \t]*[^\s;\"'\\]{1,4000}){0,60})"
_BEARER = (
    r"(?i)bearer[ \t]+(?:\\*[\"'] ?[+.] ?\\*[\"'])?(?=[A-Za-z._~+/-]{0,200}[0-9]|[A-Za-z]{24})(?P<value>[\w.~+/=-]{8,})"
)
_BASIC = r"(?i)basic[ \t]+(?P<value>[A-Za-z0-9+/]{6,}={0,2})"


def spans(text: str) -> Iterator[Span]:
    """What names call a secret."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capital letters have small ones that are longer
        lowered = "".join(c.lower() if c.isascii() else c for c in text)
    end = 0
    for stem in compiled(_STEM).finditer(lowered):
        if stem.start() >= end and (span := _scheme(text, stem.start()) or _assigned(text, stem.start())):
            end = span.end
            yield span


def _scheme(text: str, at: int) -> Span | None:
    """What follows `Bearer` or `Basic`."""
    if text[at] not in "bB":
        return None
    if match := compiled(_BEARER).match(text, at):
        return Span(*match.span("value"))
    if match := compiled(_BASIC).match(text, at):
        try:
            is_login = b":" in binascii.a2b_base64(match["value"])
        except binascii.Error:
            is_login = False
        return Span(*match.span("value")) if is_login else None
    return None


def _assigned(text: str, at: int) -> Span | None:
    named = compiled(_NAME).match(text, at)
    before = named and compiled(_BEFORE).search(text, max(0, at - 60), at)
    if not named or not before:
        return None
    name = _Name(before["name"], before["open"], named, text[max(0, at - 16) : at])
    if not name.is_one:
        return None
    if name.stem == "cookie":
        return _cookies(text, name, named.end())
    start = named.end()
    if name.stem == "authorization" and (scheme := compiled(_SCHEME).match(text, start)):
        start = scheme.end()
    value = values.read(text, start, to_space=name.is_variable)
    if (
        value is None
        or not _is_in_place(text, name, value, at)
        or not (name.is_secret(value) or _is_set(text, name, value, at))
    ):
        return None
    is_number = bool(name.close) and not value.is_quoted and name.kind == "assigned"
    end = value.end
    if len(value.text) >= values.LONGEST and (rest := compiled(r"[\w+/=.-]+").match(text, end)):
        end = rest.end()
    return Span(value.start, end, name.close.rstrip("]") if is_number else "")


def _is_in_place(text: str, name: "_Name", value: Value, at: int) -> bool:
    """Whether an element ends behind the value, or the value is alone on its line, in a chat also after another's."""
    if name.kind == "attributed":
        return text[value.end : value.end + 1] == "<"
    asked = text[max(0, at - 120) : at].replace("\\n", "\n") if name.kind == "answered" else ""
    if asked and not compiled(rf"(?m)(?:^|\"){_SPEAKER}[^\n]{{0,60}}\Z").search(asked):
        return False
    return name.kind not in {"below", "answered"} or bool(compiled(_LINE_END).match(text, value.end))


def _is_set(text: str, name: "_Name", value: Value, at: int) -> bool:
    """Whether a setting, an argument or an address gives a password that is made of a word: `password=sunshine`."""
    if not name.is_strong or name.kind != "assigned" or value.is_quoted or not name.is_apart:
        return False
    if not compiled(_PLAIN_WORD).fullmatch(value.text) or values.stands_for_one(value.text):
        return False
    before, after = text[max(0, at - 100) : at], text[value.end : value.end + 2]
    if name.stem in _NEEDS_START and (name.prefix or before)[-1:] not in {"_", "-", ".", ";"}:
        return False
    if name.joint == "=":
        return bool(compiled(_SET_AFTER).search(before)) and (not after or after[0] in " \t\r\n\"'&;\\")
    is_line = bool(compiled(_LINE_START).search(before)) and (not after or after[0] in "\r\n" or after == "\\n")
    return name.joint == ": " and is_line and name.text.islower() and value.text.isalpha()


def _cookies(text: str, name: "_Name", at: int) -> Span | None:
    match = compiled(_COOKIES).match(text, at) if name.is_option or name.kind in {"assigned", "argument"} else None
    if not match:
        return None
    start, end = match.span("all")
    if name.prefix.lower().endswith("set-"):
        start = text.index("=", start) + 1
        end = text.find(";", start, end) if ";" in text[start:end] else end
    return Span(start, end) if end - start >= 8 and values.is_mixed(text[start:end]) else None


class _Name:
    """A name, and how it is joined to what follows."""

    def __init__(self, prefix: str, opening: str, named: re.Match[str], words: str) -> None:
        self.prefix, self.opening, self.stem, self.close = prefix, opening, named["stem"].lower(), named["close"]
        self.kind = named.lastgroup or ""
        self.joint = named[self.kind]
        self.text = prefix + named["stem"]
        self.is_strong = bool(compiled(_STRONG).match(self.stem))
        self.is_capital = self.text.rpartition(".")[2].isupper()
        self.is_option = prefix.startswith("-") and (self.kind == "beside" or self.joint == "=")
        self.is_variable = self.is_capital and (self.joint == "=" or ("_" in self.text and self.joint.startswith(":")))
        """Of the environment: whatever it is set to is its value."""
        self.is_listed = prefix.startswith("--") and self.kind == "argument"
        """An option in a list of arguments."""
        is_word = not prefix or prefix[-1] in "_-.$:/@#" or named["stem"][0].isupper()
        self.is_apart = is_word or self.is_option or self.is_listed
        self._is_of_key = bool(compiled(_WORDS_OF_KEYS).search(words))

    @property
    def is_one(self) -> bool:
        """Whether it names a secret at all."""
        if not self._is_joined or "arn:" in self.prefix:
            return False
        if self.stem in {"sig", "signature"}:
            return self.joint == "=" and not self.close
        if self.stem == "_pat" or self.stem in _OF_CHANCE:
            return self.is_capital or (self.kind == "assigned" and self.stem in {"_pat", "pepper"})
        if self.stem == "key" and self.kind not in {"told", "said", "below", "beside"} and not self._is_of_key:
            return (self.is_capital or self.kind == "assigned") and bool(self.prefix)
        return self.is_apart or self.stem not in _NEEDS_START or bool(compiled(_OWNER).search(self.prefix))

    @property
    def _is_joined(self) -> bool:
        """Whether what is between name and value joins them in the way that it looks like."""
        has_line = "\n" in self.joint or "\\n" in self.joint
        if self.kind == "attributed":
            return self.opening.startswith("<")
        if self.kind == "element" and self.joint == ">":
            return self.opening.startswith("<") or (bool(self.close) and self.is_strong)
        if self.kind == "argument":
            return bool(self.close) and (self.opening.startswith("(") or self.is_capital or self.is_listed)
        if self.kind == "value":
            return bool(self.close) or (has_line and ":" in self.joint)
        if self.kind == "filled":
            return bool(self.close) or self.joint.startswith("/")
        is_short = self.stem in _NEEDS_START and (has_line or self.kind == "called")
        return not is_short or self.kind == "answered" or (self.kind == "below" and self.stem in {"pw", "pwd"})

    def is_secret(self, value: Value) -> bool:
        """Whether `value`, which follows, is the secret that is named."""
        text = value.text
        if values.stands_for_one(text) or (self.stem == "pass" and not self.prefix and (set(text) & {"/", "("})):
            return False
        is_set = self.kind == "assigned" and ("=" in self.joint or self.stem == "passphrase")
        fewest = 3 if is_set else 5 if self.joint == " " else 4  # the fewer words, the clearer the name is theirs
        if self.is_strong and self.stem != "pass" and values.is_phrase(text, fewest):
            return True
        if self.stem == "key" and not self._is_of_key and not self.is_capital and self.kind == "assigned":
            return values.is_key(text, self.prefix)
        return values.is_chance(text) if self.stem in _OF_CHANCE else self._is_named(value)

    def _is_named(self, value: Value) -> bool:
        text = value.text
        if self.kind == "fallback" or self.is_listed:
            return values.is_mixed(text) and len(text) >= 8
        if (self.stem == "_pat" and not self.is_capital) or (self.kind == "argument" and "(" not in self.opening):
            return value.is_quoted and values.is_random(text.strip("\"'"))
        if self.stem in {"auth", "authorization", "sig", "signature"}:
            return values.is_mixed(text) and len(text) >= (6 if self.stem == "authorization" else 8)
        if self.is_option and (self.stem != "key" or self._is_of_key):
            return not text.startswith("-") and (value.is_quoted or not text.endswith("."))
        if self.kind in _ANNOUNCED:
            return self._is_announced_secret(value)
        is_quoted = value.is_quoted or self.kind in {"element", "value", "nested"}
        return self._is_quoted_secret(text) if is_quoted else self._is_bare_secret(text)

    def _is_announced_secret(self, value: Value) -> bool:
        """Whether the words say that it is a secret: in a sentence, a table or a call."""
        text = value.text
        if self.kind in {"called", "attributed"}:
            return values.is_mixed(text) and len(text) >= 6 and " " not in text
        is_loose = self.kind in {"said", "below", "answered"} or self.joint.rstrip().endswith(("to", "from"))
        is_doubtful = self.kind == "answered" or (self.kind == "below" and self.stem in {"pw", "pwd"})
        is_short = is_doubtful and not compiled(r"[!#?*$%^&+@<]|[0-9]:[0-9]").search(self.joint + text)
        if is_short or (is_loose and (values.is_code(text) or values.is_identifier(text))):
            return False
        if self.stem in {"pass", "pw", "pwd"}:
            is_word = values.is_code(text) or bool(compiled(r"[/\\:]").search(text))
            return values.is_mixed(text) and len(text) >= 8 and not is_word
        if self.is_strong:
            if self.kind in {"told", "said"} and value.is_quoted:
                return len(text) >= 5 and " " not in text
            is_word = (
                self.kind in {"beside", "said", "below"}
                and not value.is_quoted
                and bool(compiled(r"[/\\(\[=]").search(text))
            )
            return values.is_mixed(text) and len(text) >= 6 and not is_word
        is_id = self.stem == "key" and not self._is_of_key and values.is_identifier(text)
        return values.is_random(text) and not is_id

    def _is_quoted_secret(self, text: str) -> bool:
        if self.is_strong and compiled(r"[a-z]{4}(?: [a-z]{4}){3}").fullmatch(text):
            return True  # Google's passwords for programs
        if " " in text:
            return self.is_variable or self.stem in {"passphrase", "mnemonic"} or self.stem.startswith("seed")
        if self.stem == "key" and not self._is_of_key:
            return values.is_random(text)
        if self.is_strong or self.is_capital:
            return len(text) >= 4
        if self._is_of_key or self.stem.startswith("cred") or self.prefix.lower().endswith(("client", "client_")):
            return len(text) >= 8
        return (values.is_mixed(text) and len(text) >= 6) or (len(text) >= 20 and not values.is_code(text))

    def _is_bare_secret(self, text: str) -> bool:
        if text.isdigit():
            return self.is_strong and len(text) >= 4 and self.stem != "seed"
        if self.stem == "key" and not self._is_of_key and "_" not in self.text:
            return values.is_random(text)
        if self.is_variable:
            return len(text) >= 4 and not compiled(r"[\w.]+[(\[]").match(text)
        if self.is_strong and values.is_mixed(text) and text.isalnum() and len(text) >= 5:
            return True
        if values.is_code(text):
            return False
        is_strange = values.is_mixed(text) or (self.is_strong and bool(compiled(r"[^\w.,:;/'-]").search(text)))
        return is_strange and len(text) >= (5 if self.is_strong else 8)
