"""An instruction file as the client reads it: without frontmatter and comments, and with what it imports.

Measured on 2.1.197 and 2.1.330: an import counts in any text but code, link addresses and HTML; the name after `@`
ends at the next space, so a full stop or a comma after it is taken for a part of it.
"""

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONTMATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IMPORT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ )+)")
_PATH = re.compile(r"\./|~/|/.|[A-Za-z0-9._-]")
_LONGEST_PARSED = 256 << 10
"""In a longer text, in characters, no import is looked for: hostile Markdown takes seconds to parse."""


class InstructionText(msgspec.Struct, frozen=True):
    """What of a file enters the window, and what it imports."""

    content: str
    imports: tuple[str, ...] = ()
    """As written, without the `@`."""
    globs: tuple[str, ...] = ()
    """Of a rule: the paths for which it loads; empty if it always does."""


def parse(text: str) -> InstructionText:
    """The text of one file, with the line ends that Python reads."""
    found = _FRONTMATTER.match(text)
    body = text[found.end() :] if found else text
    globs = _globs(found[1]) if found else ()
    if len(body) > _LONGEST_PARSED or not (_IMPORT.search(body) or "<!--" in body):
        return InstructionText(body.strip(), (), globs)
    from markdown_it import MarkdownIt  # noqa: PLC0415  30 ms that no other command pays

    tokens = MarkdownIt("commonmark").parse(body)  # the client reads no tables either
    imports = dict.fromkeys(name for words in _texts(tokens) for name in _imports(words))
    return InstructionText(_without_comments(body, tokens).strip(), tuple(imports), globs)


def resolved(name: str, importer: str, home: str) -> str:
    """The path that an import of the file `importer` leads to."""
    if name.startswith("~/"):
        return os.path.normpath(os.path.join(home, name[2:]))
    return os.path.normpath(os.path.join(os.path.dirname(importer), name))


def _globs(frontmatter: str) -> tuple[str, ...]:
    import yaml  # noqa: PLC0415  see above

    try:
        document = yaml.safe_load(frontmatter)
    except (yaml.YAMLError, ValueError, RecursionError):
        return ()
    paths = document.get("paths") if isinstance(document, dict) else None
    named = paths.split(",") if isinstance(paths, str) else paths if isinstance(paths, list) else []
    globs = [str(glob).strip().removesuffix("/**") for glob in named]
    return tuple(glob for glob in globs if glob) if any(glob not in {"", "**"} for glob in globs) else ()


def _texts(tokens: "list[Token]") -> Iterator[str]:
    """What the client treats as text."""
    for token in tokens:
        if token.type == "html_block" and _is_comment(token):
            yield _COMMENT.sub("", token.content)
        for part in token.children or ():
            if part.type == "text":
                yield part.content


def _imports(text: str) -> Iterator[str]:
    for found in _IMPORT.finditer(text):
        name = found[1].partition("#")[0].replace("\\ ", " ")
        if _PATH.match(name):
            yield name


def _without_comments(body: str, tokens: "list[Token]") -> str:
    """Leave out comments on lines of their own; one within a line stays."""
    comments = [token for token in tokens if token.type == "html_block" and token.map and _is_comment(token)]
    if not comments:
        return body
    lines = body.splitlines(keepends=True)
    for token in comments:
        start, end = token.map or (0, 0)
        while end < len(lines) and lines[end] == "\n":  # the client also drops the empty lines after it
            end += 1
        rest = _COMMENT.sub("", "".join(lines[start:end]))
        lines[start:end] = [rest if rest.strip() else "", *[""] * (end - start - 1)]
    return "".join(lines)


def _is_comment(token: "Token") -> bool:
    return token.content.lstrip().startswith("<!--") and "-->" in token.content
