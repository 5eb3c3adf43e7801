"""An instruction file as the client reads it: without front matter and comments, and with what it imports.

The client parses Markdown. A simpler rule gives the same result for what people write: a word that begins with `@`,
outside comments and backquoted code, names an import. It ends at the next space, so a full stop or a comma after it
becomes part of the name (2.1.197 and 2.1.330). Files come with a repository, and a full Markdown or YAML parser takes
minutes on some of them, so no pattern here scans a text twice.
"""

import os
import re

import msgspec

from shared.client.agent_files import FRONT_MATTER

_COMMENT = re.compile(r"^ *<!--.*?(?P<end>-->[ \t]*\n*|\Z)", re.DOTALL | re.MULTILINE)
"""A comment that begins a line; an unterminated one is text."""
_NO_TEXT = re.compile(
    r"^[ \t>*+\d.)-]*+(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+).*?(?:^[ \t>]*+(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<quotes>`++)[^`\n]++(?P=quotes)|<!--.*?(?:-->|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""Fenced code, also in quotations and lists; inline code; inline comments."""
_IMPORT = re.compile(r"(?:^|[\s*])@(?=[A-Za-z0-9._~/-])((?:[^\s\\*]|\\ )+)")
_LONGEST = 128 << 10
"""Most characters parsed of a text, and of its front matter: three times the size that the client warns about."""


class InstructionText(msgspec.Struct, frozen=True):
    """The part of a file that enters the window, and its imports."""

    content: str
    imports: tuple[str, ...] = ()
    """The names of imported files as written, without the `@`."""
    globs: tuple[str, ...] = ()
    """Paths that a rule loads for; empty if it always loads."""


def parse(text: str) -> InstructionText:
    """Parse the text of one file, with line feeds as line ends."""
    front = FRONT_MATTER.match(text)
    body, globs = text[front.end() :] if front else text, _globs(front[1][:_LONGEST]) if front else ()
    if len(body) > _LONGEST:
        return InstructionText(body.strip(), (), globs)
    content = _COMMENT.sub(lambda comment: "" if comment["end"] else comment[0], body)
    names = (match[1].partition("#")[0] for match in _IMPORT.finditer(_NO_TEXT.sub("`", content)))
    imports = dict.fromkeys(name.replace("\\ ", " ") for name in names)
    return InstructionText(content.strip(), tuple(imports), globs)


def resolved(name: str, importer: str, home: str) -> str:
    start, rest = (home, name[2:]) if name.startswith("~/") else (os.path.dirname(importer), name)
    return os.path.normpath(os.path.join(start, rest))


def _globs(front: str) -> tuple[str, ...]:
    """The globs under `paths` in a rule's front matter, comma-separated or as a list; none if they match everything."""
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
