"""The values of a Kubernetes Secret, in YAML and in JSON: all of them are secrets, whatever their names."""

import re
from collections.abc import Iterator

from shared.secrets.values import Span, compiled

_QUOTE = r"(?:\\{0,7}\")?"
"""A quotation mark of JSON, which may itself be inside a line of JSON."""
_KIND = rf"(?m)^[ \t-]{{0,20}}{_QUOTE}kind{_QUOTE}: ?{_QUOTE}Secret{_QUOTE},?[ \t\r]{{0,4}}$"
_END = r"(?m)^---[ \t\r]*$"
_DATA = rf"(?m)^(?P<indent>[ \t-]{{0,20}}){_QUOTE}(?:stringData|data){_QUOTE}:[ \t]{{0,4}}\{{?[ \t\r]{{0,4}}$"
_VALUE = (
    rf"(?P<indent>[ \t]{{1,24}}){_QUOTE}[\w.-]{{1,100}}{_QUOTE}: {{1,4}}(?P<quote>(?:\\{{0,7}}[\"'])?)"
    r"(?P<secret>[^\s\"'\\][^\n\"'\\]{0,2000}?)(?P=quote),?[ \t\r]{0,4}(?:\n|\Z|(?=\\{0,7}\"))"
)


def spans(text: str) -> Iterator[Span]:
    """Yield the values in each manifest's data. `text` has real line ends, at the original offsets."""
    if "Secret" not in text or "kind" not in text:
        return
    start = 0
    for end, behind in [*(match.span() for match in compiled(_END).finditer(text)), (len(text), len(text))]:
        if compiled(_KIND).search(text, start, end):
            for data in compiled(_DATA).finditer(text, start, end):
                yield from _values(text, data, end)
        start = behind


def _values(text: str, data: re.Match[str], end: int) -> Iterator[Span]:
    """Yield the values that are indented further than the name of their table, which `data` matched."""
    at = data.end() + 1
    while (line := compiled(_VALUE).match(text, at, end)) and len(line["indent"]) > len(data["indent"]):
        yield Span(*line.span("secret"))
        at = line.end()
