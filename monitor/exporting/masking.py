"""Secrets that look like keys, masked in a text: by the shapes that detect-secrets knows, and some newer ones.

Its network checks of a found key are never used: only its patterns are. It knows a secret by its shape, so one
without any (a word as a password) is only masked behind a name that says what it is.
"""

import re
from collections.abc import Iterator
from importlib import import_module

from detect_secrets.plugins.base import RegexBasedDetector

MASK = "[masked]"
LONGEST = 4_096
"""Characters that a key has at most in one piece: longer runs are data, and would take some patterns very long."""

_PLUGINS = (
    "artifactory", "aws", "azure_storage_key", "basic_auth", "discord", "github_token", "gitlab_token",
    "mailchimp", "pypi_token", "sendgrid", "slack", "square_oauth", "stripe", "telegram_token", "twilio",
)  # fmt: skip
"""Left out: those that find what is no key (public addresses, any random text), and those whose patterns take
seconds for a megabyte or find half of a key (npm, JWT, OpenAI, IBM, SoftLayer, Cloudant): the patterns below
stand for them."""

_NEWER = (
    r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    r"sk-ant-[A-Za-z0-9_-]{20,}",
    r"sk-(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}",
    r"sk-[A-Za-z0-9_-]{16,200}T3BlbkFJ[A-Za-z0-9_-]{16,200}",
    r"sk-[A-Za-z0-9]{32,}",
    r"github_pat_[A-Za-z0-9_]{30,}",
    r"gh[pousr]_[A-Za-z0-9]{20,}",
    r"AIza[0-9A-Za-z_-]{35}",
    r"ya29\.[0-9A-Za-z_-]{20,}",
    r"GOCSPX-[0-9A-Za-z_-]{20,}",
    r"hf_[A-Za-z0-9]{30,}",
    r"npm_[A-Za-z0-9]{36}",
    r"[srp]k_(?:live|test)_[0-9A-Za-z]{16,}",
    r"whsec_[0-9A-Za-z+/=]{24,}",
    r"xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]+",
    r"dop_v1_[a-f0-9]{64}",
    r"AGE-SECRET-KEY-1[0-9A-Z]{50,}",
    r"gsk_[A-Za-z0-9]{40,}",
    r"xai-[A-Za-z0-9]{60,}",
    r"(?<![A-Za-z0-9])dapi[0-9a-f]{32}(?:-[0-9])?",
    r"(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{20,}",
    r"shp(?:at|ss|ca|pa)_[0-9A-Fa-f]{32}",
    r"(?<![A-Za-z0-9_-])key-[0-9A-Za-z]{32}(?![0-9A-Za-z])",
    r"lin_api_[A-Za-z0-9]{32,}",
    r"(?:FlyV1[ \t]+)?fm[12][a-z]?_[A-Za-z0-9_+/=-]{20,}(?:,fm[12][a-z]?_[A-Za-z0-9_+/=-]{20,})*",
)
_PRIVATE_KEY = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    r"((?:\s*[A-Za-z-]{3,20}: [^\s\"]{1,200})*(?:\s*[A-Za-z0-9+/=]{20,})+(?:\s*[A-Za-z0-9+/=]{1,19}(?=\s*-----))?)"
)
_BEARER = r"(?:[bB]earer|BEARER|[bB]asic|BASIC)[ \t]+([A-Za-z0-9._~+/=-]{16,})"
_NAMED = (
    r"(?:(?<=[A-Za-z_-])[kK](?:ey|EY)|[tT](?:oken|OKEN)|[sS](?:ecret|ECRET)|[pP](?:assw(?:or)?d|ASSW(?:OR)?D)"
    r"|[pP](?:assphrase|ASSPHRASE)|[cC](?:redentials?|REDENTIALS?))[ \t\"'\]\\]{0,4}(?:=>|:=|[=:])[ \t\"'\\]{0,5}"
    r"(?=[^\s\"']{0,200}[0-9])(?=[^\s\"']{0,200}[A-Za-z])([A-Za-z0-9][A-Za-z0-9_\-+/=.~!@#$%^&*]{11,400})"
)
"""Without flags for upper and lower case, which would make each of them ten times as slow."""
_NAMES = (
    r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|[Cc]redentials?|CREDENTIALS?|[Pp]assw(?:or)?d|[Ss]ecret(?:[_-]?[Kk]ey)?"
    r"|(?:[Aa]pi|[Pp]rivate|[Aa]ccess|[Ee]ncryption)[_-]?[Kk]ey|[Aa](?:ccess|uth)[_-]?[Tt]oken)(?:_[A-Z0-9]{1,20})?"
)
_PLAIN = r"(?P<secret>[A-Za-z0-9/+][A-Za-z0-9_\-+/=.~!@#%^&*]{7,400})(?![A-Za-z0-9_\-+/=.~!@#%^&*(\[])"
_ASSIGNED = (
    _NAMES + r"[\"'\\]{0,4}[ \t]{0,2}[=:][ \t]{0,2}[\"'\\]{1,4}"
    r"(?P<secret>[^\s\"'\\$<{][^\s\"'\\]{7,400})[\"'\\]",
    _NAMES + r"[ \t]{0,2}[=:][ \t]{0,2}(?=[^\s\"']{0,100}[0-9])(?=[^\s\"']{0,100}[A-Za-z])" + _PLAIN,
    r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_[A-Z0-9]{1,20})?=(?=[^\s\"']{0,100}[A-Za-z])" + _PLAIN,
    r"(?<=[A-Z]_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD):[ \t](?=[^\s\"']{0,100}[A-Za-z])" + _PLAIN,
)
"""As shells, .env files, JSON and YAML have it; a value without quotation marks and digits only where the name is
one of the environment's."""
_LOGIN = (
    r"\bcurl\b[^;|&]{0,300}?[ \t](?:-u|--user|--proxy-user)[ \t=]{0,2}[\"']{0,2}[^\s:\"']{1,80}:"
    r"(?P<secret>[^\s\"']{4,200})"
)
_FEWEST = 8
"""Characters of a part of a match that is a secret of itself: a shorter one is a prefix, or the kind of a key."""
_BEFORE, _AFTER = " \t\r\n\"'=:", " \t\r\n\"'"
_IN_A_KEY = re.compile(r"[A-Za-z0-9_=-]+")
_TO_RUNS = bytes(97 if _IN_A_KEY.match(chr(code)) else 32 for code in range(256))


class Masker:
    """Masks, and counts what it masks."""

    def __init__(self) -> None:
        self.count = 0
        self._patterns = [*_known(), *map(re.compile, (*_NEWER, _PRIVATE_KEY, _BEARER, _NAMED, *_ASSIGNED, _LOGIN))]

    def text(self, text: str) -> str:
        """`text` without its secrets."""
        return self._replaced(text, list(self._spans(_without_runs(text))))

    def json(self, text: str) -> str:
        """The same for lines of JSON, which stay JSON: what is masked lies inside of strings."""
        # As long as `text`, so that what is found in one lies at the same place in the other.
        readable = text
        if "\\" in text:
            readable = text.replace("\\\\", "  ").replace('\\"', '""')
            readable = readable.replace("\\n", " \n").replace("\\t", "  ").replace("\\r", "  ")
        spans = (_within_string(readable, *span) for span in self._spans(_without_runs(readable)))
        return self._replaced(text, [span for span in spans if span[1] - span[0] > 0])

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        for pattern in self._patterns:
            for found in pattern.finditer(text):
                groups = range(pattern.groups, 0, -1)
                group = pattern.groupindex.get("secret") or next(
                    (g for g in groups if found[g] and len(found[g]) >= _FEWEST), 0
                )
                start, end = found.span(group)
                value = text[start:end]
                yield start + len(value) - len(value.lstrip(_BEFORE)), end - len(value) + len(value.rstrip(_AFTER))

    def _replaced(self, text: str, spans: list[tuple[int, int]]) -> str:
        if not spans:
            return text
        parts, at = [], 0
        for start, end in _merged(spans):
            parts += [text[at:start], MASK]
            at = end
            self.count += 1
        return "".join([*parts, text[at:]])


def _known() -> Iterator[re.Pattern[str]]:
    for name in _PLUGINS:
        module = import_module(f"detect_secrets.plugins.{name}")
        for kind in vars(module).values():
            is_own = isinstance(kind, type) and kind.__module__ == module.__name__
            if is_own and issubclass(kind, RegexBasedDetector):
                yield from kind.denylist


def _merged(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    spans.sort()
    start, end = spans[0]
    for other in spans[1:]:
        if other[0] <= end:
            end = max(end, other[1])
        else:
            yield start, end
            start, end = other
    yield start, end


def _within_string(text: str, start: int, end: int) -> tuple[int, int]:
    """The last part of a span that holds no quotation mark: what is before it is another string."""
    return max(start, text.rfind('"', start, end) + 1), end


def _without_runs(text: str) -> str:
    """`text`, as long as it is, with blanks in place of runs that are too long to be keys."""
    if b"a" * (LONGEST + 1) not in text.encode("ascii", "replace").translate(_TO_RUNS):
        return text
    return _IN_A_KEY.sub(lambda run: " " * len(run[0]) if len(run[0]) > LONGEST else run[0], text)
