"""Random keys, masked wherever they are, unless a word before them says that they identify something.

A random mix of upper-case letters, lower-case letters and digits is a key by itself. Text that may also be a hash or
an identifier (hexadecimal, a UUID, letters of one case) is a key if the last word that describes it names a key.
"""

import binascii
from collections.abc import Iterator

from shared.secrets import tables, values
from shared.secrets.values import Span, compiled
from shared.secrets.words import cues

_LOOKS = dict(tables.rows("keys of chance"))
_RUN = (
    r"(?<![A-Za-z0-9_+/.\\-])(?<!id\":\")(?<!I[dD]\":\")(?=[A-Za-z_+/-]{0,60}[0-9])"
    r"[A-Za-z0-9_+/-]{16,}+(?!={0,2}(?:[\w*~@]|\.\w))={0,2}"
)
"""A possible key: the characters of base64, in both of its alphabets, and of a UUID; not JSON's ids."""
_SHORTEST, _LONGEST = 16, 100
"""The fewest characters of a random key; and the most of one without a name, since data in base64 is longer."""
_NEAR, _FAR = 40, 80
"""Characters searched for a describing word before a random key, and before text that may be something else."""
_NAME = r"[\w./<>-]*(?:[\"'\s:=>\[({,|`*\\-]|is |new )*\Z"
"""The name directly before a value."""
_PREFIXED = r"[A-Za-z]{1,20}[_-](?:[a-z]{1,12}[_-])?(?=[A-Za-z0-9]*\Z)|(?:[A-Z]{2,6}|[a-z]{1,16})_(?=\w*\Z)"
"""The prefix of a service's identifier: `toolu_`, `chatcmpl-`."""
_IDENTIFIER = (
    r"[0-9a-fA-F]{32}(?:[0-9a-fA-F]{8}){0,12}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?=(?:[0-9]*[a-z]+){4})[a-z0-9]{16,64}|(?=(?:[0-9]*[A-Z]+){4})[A-Z0-9]{16,64}"
)
_LOGIN = r"[\w.@+-]{3,60}:(?!//)(?P<secret>[!-~]{6,100})|\w+://[^:/@]*:(?P<password>[^/@]{6,100})@.*"
"""Text that is a secret when encoded in base64."""


def spans(text: str) -> Iterator[Span]:
    """Yield the random keys. `text` has real line ends, at the original offsets."""
    for match in compiled(_RUN).finditer(text):
        run, start = match[0].rstrip("="), match.start()
        if (is_login := _login(run)) is not None:
            yield from [Span(start, match.end())] if is_login else ()
            continue
        is_scrambled = _is_scrambled(match[0][-_LONGEST:])
        if not (is_scrambled or compiled(_IDENTIFIER).fullmatch(run)) or compiled(_LOOKS["public"]).match(run):
            continue
        before = compiled(_LOOKS["other"]).sub("", text[max(0, start - _FAR) : start], count=1)
        is_named = _is_named(before, is_scrambled=is_scrambled)
        is_one = is_named is None and is_scrambled and len(run) <= _LONGEST and not compiled(_PREFIXED).match(run)
        if (is_named or is_one) and not compiled(_LOOKS["encoded"]).search(before):
            yield Span(start, match.end())


def _is_scrambled(run: str) -> bool:
    """Whether it is a random mix of upper-case letters, lower-case letters and digits, and no path."""
    run = compiled(r"IPv[46]").sub("Ip", run)  # as in `isIPv4MappedIPv6`
    is_path = "/" in run and any(compiled(r"[A-Z]?[a-z]{4,}|0x.*|").fullmatch(part) for part in run.split("/"))
    return (run.endswith("=") or not is_path) and values.is_scrambled(run.replace("/", "").rstrip("="), _SHORTEST)


def _login(run: str) -> bool | None:
    """Whether it is a login, or an identifier and a key, in base64; None if it doesn't decode to text."""
    try:
        text = binascii.a2b_base64(run + "=" * (-len(run) % 4), strict_mode=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return None
    login = compiled(_LOGIN).fullmatch(text)
    secret = (login["secret"] or login["password"]) if login else ""
    return values.is_distinctive(secret) or values.is_key(secret) if text.rstrip().isprintable() else None


def _is_named(before: str, *, is_scrambled: bool) -> bool | None:
    """Whether the text before it says that it is a secret; None if nothing says what it is."""
    line = before[before.rfind("\n") + 1 :]
    if is_scrambled:
        line = (line if cues.parts(line) else before)[-_NEAR:]
        name = compiled(_NAME).search(line)
        return False if name and cues.is_public(name[0]) else cues.is_secret(line)
    clause = compiled(r"[;.] |:\d\dZ?,").split(line)[-1]
    return not clause.endswith((":", "{")) and not cues.is_public(clause) and cues.is_secret(clause)
