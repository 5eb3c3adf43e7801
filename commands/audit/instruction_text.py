"""An instruction file as the client reads it: without front matter and comments, and with what it imports.

Measured on 2.1.197 and 2.1.330: an import counts in any text but code, link addresses and HTML; the name after `@`
ends at the next space, so a full stop or a comma after it becomes a part of it. Lines are classified here by
simple rules, in one pass: files come with a repository, and a parser of all of Markdown or YAML takes minutes for
some of them.
"""

import os
import re
from collections.abc import Iterable, Iterator

import msgspec

_FRONTMATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_MARKERS = re.compile(r"(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*[ \t]*")
"""What stands before the text of a quotation or of an entry in a list."""
_FENCE = re.compile(r"`{3,}|~{3,}")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|$)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_BOUNDARY = re.compile(r"<[A-Za-z/][^<>]*>|\*+")
"""What ends a name, as a space does: a tag, or emphasis."""
_IMPORT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ )+)")
_PATH = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]")
_OPENING, _CLOSING = "<!--", "-->"
_LONGEST = 128 << 10
"""Characters of a text, and of its front matter, that are looked through: three times what the client warns of."""


class InstructionText(msgspec.Struct, frozen=True):
    """What of a file enters the window, and what it imports."""

    content: str
    imports: tuple[str, ...] = ()
    """The names of imported files as written, without the `@`."""
    globs: tuple[str, ...] = ()
    """The paths for which a rule loads; empty if it always does."""


def parse(text: str) -> InstructionText:
    """The text of one file, with the line ends that Python reads."""
    front = _FRONTMATTER.match(text)
    body, globs = text[front.end() :] if front else text, _globs(front[1][:_LONGEST]) if front else ()
    if len(body) > _LONGEST:
        return InstructionText(body.strip(), (), globs)
    body = _without_comments(body)
    prose = "\n".join(_prose(body.split("\n"))) if "@" in body else ""
    imports = dict.fromkeys(name for paragraph in prose.split("\n\n") for name in _imports(paragraph))
    return InstructionText(body.strip(), tuple(imports), globs)


def resolved(name: str, importer: str, home: str) -> str:
    """The path that an import of the file `importer` leads to."""
    start, rest = (home, name[2:]) if name.startswith("~/") else (os.path.dirname(importer), name)
    return os.path.normpath(os.path.join(start, rest))


def _globs(front: str) -> tuple[str, ...]:
    """The entry `paths` of a rule's front matter: words after commas, or a list; none if it names everything."""
    _, *rest = re.split(r"^paths[ \t]*:", front, maxsplit=1, flags=re.MULTILINE)
    if not rest:
        return ()
    first, *lines = rest[0].split("\n")
    words = first.split(" #")[0].strip().strip("[]'\"").split(",")
    for line in lines if not first.strip() else ():
        if line.strip() and not line.lstrip().startswith("- "):
            break
        words.append(line.strip().removeprefix("- ").split(" #")[0])
    globs = [word.strip().strip("'\"").removesuffix("/**") for word in words]
    return tuple(glob for glob in globs if glob) if any(glob not in {"", "**"} for glob in globs) else ()


def _without_comments(body: str) -> str:
    """Leave out comments that begin a line, and the empty lines after them; one within a line stays."""
    if _OPENING not in body:
        return body
    saved: list[str] = []
    lines = body.split("\n")
    last = max((number for number, line in enumerate(lines) if _CLOSING in line), default=-1)
    is_open, is_after, fence = False, False, ""
    for number, line in enumerate(lines):
        fence, is_code = _fenced(fence, line)
        is_comment = not is_code and not is_open and number <= last and line.lstrip(" ").startswith(_OPENING)
        if not (is_open or is_comment):
            if line or not is_after:
                saved.append(line)
            is_after = is_after and not line
            continue
        rest, is_open = _outside(line, is_open=is_open)
        is_after = not rest.strip()
        if not is_after:
            saved.append(rest)
    return "\n".join(saved)


def _outside(line: str, *, is_open: bool) -> tuple[str, bool]:
    """What of a line stands outside of comments, and whether one is open at its end."""
    rest, at = "", 0
    while True:
        mark = _CLOSING if is_open else _OPENING
        end = line.find(mark, at)
        rest += "" if is_open else line[at : end if end >= 0 else None]
        if end < 0:
            return rest, is_open
        is_open, at = not is_open, end + len(mark)


def _fenced(fence: str, line: str) -> tuple[str, bool]:
    """The fence that is open after `line`, if any, and whether the line is code or a fence."""
    text = line[_end(line) :]
    if fence:
        is_closed = text.startswith(fence) and not text.strip().strip(fence[0])
        return "" if is_closed else fence, True
    opening = _FENCE.match(text)
    if opening is None or "`" in text[opening.end() :]:
        return "", False
    return opening[0], True


def _end(line: str) -> int:
    """Where the text of a line begins, after the markers of quotations and lists."""
    markers = _MARKERS.match(line)
    return markers.end() if markers else 0


def _prose(lines: Iterable[str]) -> Iterator[str]:
    """The lines in which the client reads text: no code, no HTML."""
    fence, is_html, is_listed, is_indented = "", False, False, False
    was_blank = True
    for line in lines:
        fence, is_code = _fenced(fence, line)
        start = _end(line)
        is_blank = not line.strip()
        is_listed = (is_listed and (is_blank or line[:1] in " \t")) or bool(line[:start].strip(" \t>"))
        is_indented = line.startswith(("    ", "\t")) and not is_listed and (was_blank or is_indented)
        is_html = not is_blank and (is_html or (was_blank and _TAG.match(line[start:]) is not None))
        was_blank = is_blank
        yield "" if is_code or is_indented or is_html else line


def _imports(paragraph: str) -> Iterator[str]:
    """The names of files that a paragraph imports."""
    if "@" not in paragraph:
        return
    text = _BOUNDARY.sub("\n", _LINK.sub("\n\\1\n", _outside(_without_code(paragraph), is_open=False)[0]))
    for match in _IMPORT.finditer(text):
        name = match[1].partition("#")[0].replace("\\ ", " ")
        if _PATH.match(name):
            yield name


def _without_code(paragraph: str) -> str:
    """A paragraph without what stands between as many backquotes before as after."""
    runs = list(re.finditer("`+", paragraph))
    partner: dict[int, int] = {}
    latest: dict[int, int] = {}
    for number in range(len(runs) - 1, -1, -1):
        length = len(runs[number][0])
        if length in latest:
            partner[number] = latest[length]
        latest[length] = number
    text, at, number = "", 0, 0
    while number < len(runs):
        if number in partner:
            text += paragraph[at : runs[number].start()] + "`"
            number = partner[number]
            at = runs[number].end()
        number += 1
    return text + paragraph[at:]
