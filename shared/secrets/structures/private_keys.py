"""The lines of private keys, after an opening line or before a closing one, also encoded."""

from collections.abc import Iterator

from shared.secrets.values import Span, compiled

_CUES = ("PRIVATE", "Private-Lines", "Static key", "LS0tLS1CRUdJTi")
_NAME = r"[A-Za-z0-9 +]{0,40}(?:PRIVATE[ +]{1,3}KEY(?: {1,3}BLOCK)?|Static key V1) {0,3}-{4,5}"
_OPENING = rf"-{{4,5}} {{0,3}}BEGIN[ +]{_NAME}|Private-Lines: [0-9]{{1,3}}"
_IN_BASE64 = (
    r"LS0tLS1CRUdJTi(?:BPUEVOU1NIIFBSSVZBVEUgS0VZ|BSU0EgUFJJVkFURSBLRVkt|BQUklWQVRFIEtFWS0t|BFQyBQUklWQVRFIEtFWS0t"
    r"|BFTkNSWVBURUQgUFJJVkFURSBLRVkt|BEU0EgUFJJVkFURSBLRVkt)[A-Za-z0-9+/]{20,}+"
    r"(?:[\s\\]{1,4}[A-Za-z0-9+/]{40,}+)*+(?:[\s\\]{1,4}[A-Za-z0-9+/]{2,80}={1,2}|={0,2})"
)
"""A whole key, encoded line by line, with one of the usual opening lines."""
_CLOSING = rf"-{{4,5}} {{0,3}}END[ +]{_NAME}"
_OF_RUN = "[A-Za-z0-9+/=]"
_LINES = (
    rf"(?:(?!----)[\s\S]){{0,%d}}?(?<!{_OF_RUN})(?![0-9]+(?:[eE]\+?[0-9]+)?(?!{_OF_RUN}))"
    rf"(?P<lines>{_OF_RUN}{{16,}}+(?:[\s\\]++{_OF_RUN}++)*+)"
)
"""The lines of a private key, the first of them long and no JSON number, and the text that may precede them."""
_LINE_BEFORE = rf"(?<![^\n\"'>|\u2192\t ])(?<![\w,.;:] )(?P<line>{_OF_RUN}{{4,80}})[\s\\]{{1,8}}\Z"
_WHOLE = 40
"""The fewest characters of a key's line, except its last one."""
_LONGEST = 20_000
_HEADERS, _APART = 480, 60
"""The most characters before a key's first line, and between two lines: numbers, quotation marks, a diff's marks."""
_ENCODED = (
    ("\\/", "  "),
    ("%0A", "   "),
    ("%0D", "   "),
    ("%20", "   "),
    ("%2B", "+++"),
    ("%2F", "///"),
    ("%3D", "==="),
)
"""Escapes of JSON and of an address, each with its meaning in as many characters."""


def spans(text: str) -> Iterator[Span]:
    """Yield the keys' lines, even if each has a number or quotation marks. `text` has real line ends."""
    if not any(cue in text for cue in _CUES):
        return
    for encoded, meaning in _ENCODED:
        text = text.replace(encoded, meaning)
    at = 0
    for opening in compiled(_OPENING).finditer(text):
        at, apart = max(at, opening.end()), _HEADERS
        while lines := compiled(_LINES % apart).match(text, at, opening.end() + _LONGEST):
            yield Span(*lines.span("lines"))
            at, apart = lines.end(), _APART
    for match in compiled(_IN_BASE64).finditer(text):
        yield Span(*match.span())
    for closing in compiled(_CLOSING).finditer(text):
        yield from _before(text, at if at < closing.start() else 0, closing.start())


def _before(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the lines of a key that ends at `end`: full ones, and the shorter last one."""
    lines: list[Span] = []
    while line := compiled(_LINE_BEFORE).search(text, max(start, end - 90), end):
        if len(line["line"]) < _WHOLE and lines:
            break
        lines.append(Span(*line.span("line")))
        end = line.start()
    if any(line.end - line.start >= _WHOLE for line in lines):
        yield from lines
