"""The words that tell a key from an identifier."""

import itertools
import re

from shared.secrets import tables

_SECRET = tables.words("words for secrets")
_PUBLIC = tables.words("words for identifiers")
_NEVER = tables.words("words for no secret")
_LOOKED_UP = tables.words("owners of lookup keys")
_PLACE = re.compile(r"(?i)(?:next|page|continuation|starting|lock)[_-]?token\W*\Z")  # in a list
_STATE = re.compile(r" \[(?:ref=\w+|active|cursor=\w+|disabled|focused)\]")
_WORD = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]+(?=[0-9]{0,3}(?![0-9A-Za-z]))")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def parts(text: str) -> list[str]:
    """The words of a text, and of its names, in lower case; letters mixed with digits are no word."""
    return [part.lower() for word in _WORD.findall(_STATE.sub("", text)) for part in _PART.findall(word)]


def is_secret(text: str) -> bool | None:
    """Whether the last telling word of a text names a secret; None if there is no such word."""
    for owner, word in reversed([*itertools.pairwise(["", *parts(text.replace(" -", " of "))])]):
        if owner == "app" and word in {"id", "certificate"}:
            return True
        if word in _SECRET or word in _PUBLIC:
            is_public = _PLACE.search(text) if word == "token" else word.startswith("key") and owner in _LOOKED_UP
            return word in _SECRET and not is_public
    return None


def is_public(text: str) -> bool:
    """Whether any word of the text says that what follows is no secret."""
    return not _NEVER.isdisjoint(parts(text))
