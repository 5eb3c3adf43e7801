"""The words by which a key and an identifier are told from each other."""

import itertools
import re

_SECRET = frozenset(
    """
    key keys apikey token tokens secret secrets password passwd passwort passphrase pass pwd pw credential credentials
    cred creds oauth license licence bearer private appid authkey psk pat hmac sas api login basic pepper entropy
    crumb unseal admin master write
    """.split()  # noqa: SIM905  a page of words, to be read as one
)
"""What a secret is called."""
_PUBLIC = frozenset(
    """
    id ids uuid guid etag tag pub trace span request cursor page version build address account wallet signature signed
    sign verification thumbprint image img file node cid kid path url uri src href data content mappings cert
    certificate cache mint contract recipient session blob tree parent name slug ref md sum nonce iv
    location asset chunk font from app peer reference list playlist bh accept
    """.split()  # noqa: SIM905  as above
)
"""What is called by letters and digits of chance, and is no secret."""
_NEVER = frozenset(
    """
    public publishable site sitekey sha hash hashes checksum checksums digest fingerprint integrity commit bisect rev
    revision merge
    """.split()  # noqa: SIM905  as above
)
"""What no secret is called, wherever in its name the word stands."""
LOOKED_UP = frozenset(
    """
    public pub cache idempotency partition sort row object group storage query foreign lookup dedup dedupe verify hash
    verification content map index file asset unique state registry lock job event message item node chunk image
    artifact host server recipient peer surrogate primary translation bundle blob version branch build project data
    record entity tenant user trace span commit digest entry document doc page prefix parent root range restore
    publishable site rsa dsa ecdsa gpg pgp
    """.split()  # noqa: SIM905  as above
)
"""Whose keys something is looked up by, or everybody may know."""
_WORD = re.compile(r"(?<![0-9A-Za-z])[A-Za-z]+(?=[0-9]{0,3}(?![0-9A-Za-z]))")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def parts(text: str) -> list[str]:
    """The words of a text, and those that a name is made of, in small letters; letters with digits are none."""
    return [part.lower() for word in _WORD.findall(text) for part in _PART.findall(word)]


def is_secret(text: str) -> bool | None:
    """Whether the last word of a text that says what comes names a secret; None: no word says it."""
    for owner, word in reversed([*itertools.pairwise(["", *parts(text.replace(" -", " of "))])]):
        if owner == "app" and word in {"id", "certificate"}:
            return True
        if word in _SECRET or word in _PUBLIC:
            return word in _SECRET and not (word.startswith("key") and owner in LOOKED_UP)
    return None


def is_public(text: str) -> bool:
    """Whether a word says of something that it is no secret, wherever before it the word stands."""
    return not _NEVER.isdisjoint(parts(text))
