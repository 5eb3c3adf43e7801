"""An instruction file as the client reads it: without front matter and comments, and with what it imports.

Measured on 2.1.197 and 2.1.330: an import counts in any text but code, link addresses and HTML; the name after `@`
ends at the next space, so a full stop or a comma after it becomes a part of it. Files come with a repository, and a
parser of all of Markdown or YAML takes minutes for some of them: no pattern here looks through a text twice.
"""

import os
import re
from collections.abc import Iterator

import msgspec

_FRONTMATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_MARKERS = r"(?:[ \t]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t])))*+[ \t]*+"
"""What stands before the text of a quotation or of an entry in a list."""
_FENCED = rf"^{_MARKERS}(?P<fence>`{{3,}}+(?=[^`\n]*$)|~{{3,}}+).*?(?:^{_MARKERS}(?P=fence)[`~]*[ \t]*$|\Z)"
_CODE = re.compile(_FENCED, re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LAST_COMMENT = re.compile(r".*-->[^\n]*\n*", re.DOTALL)
_COMMENT_LINES = re.compile(rf"{_FENCED}|^ *<!--.*?-->[^\n]*\n*", re.DOTALL | re.MULTILINE)
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_LIST = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_INDENTED = re.compile(r"\A(?:(?: {4}|\t)[^\n]*(?:\n|\Z))+")
_HTML = re.compile(rf"{_MARKERS}</?[A-Za-z][A-Za-z0-9-]*(?:[\s/>]|\Z)")
_SPAN = re.compile(r"(?<!`)(`++)[^`]++(?:(?!\1(?!`))`++[^`]++){0,99}+\1(?!`)|<!--.*?(?:-->|\Z)", re.DOTALL)
"""Code between as many backquotes before as after, with a bound for others in between; or a comment."""
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_BOUNDARY = re.compile(r"<[A-Za-z/][^<>]*>|\*+")
"""What ends a name, as a space does: a tag, or emphasis."""
_IMPORT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ )+)")
_PATH = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]")
_LONGEST = 128 << 10
"""Characters of a text, and of its front matter, that are parsed: three times the size that the client warns of."""


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
    imports = dict.fromkeys(_imports(body)) if "@" in body else ()
    return InstructionText(body.strip(), tuple(imports), globs)


def resolved(name: str, importer: str, home: str) -> str:
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
    last = _LAST_COMMENT.match(body)  # what begins after it has no end, and is none
    end = last.end() if last else 0
    return _COMMENT_LINES.sub(_uncommented, body[:end]) + body[end:]


def _uncommented(match: re.Match[str]) -> str:
    if match["fence"]:
        return match[0]
    text = _COMMENT.sub("", match[0])
    return text if text.strip() else ""


def _imports(body: str) -> Iterator[str]:
    """The names of files that a text imports, outside of code and HTML."""
    is_listed = False
    for paragraph in _BLANK_LINES.split(_CODE.sub("", body.lstrip("\n"))):
        is_listed = _LIST.match(paragraph) is not None or (is_listed and paragraph[:1] in {" ", "\t"})
        if "@" not in paragraph or _HTML.match(paragraph):
            continue
        text = _SPAN.sub(r"\1", paragraph if is_listed else _INDENTED.sub("", paragraph))
        for match in _IMPORT.finditer(_BOUNDARY.sub("\n", _LINK.sub("\n\\1\n", text))):
            name = match[1].partition("#")[0].replace("\\ ", " ")
            if _PATH.match(name):
                yield name
