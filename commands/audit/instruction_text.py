"""An instruction file as the client reads it: without front matter and comments, and with what it imports.

The client parses Markdown. Here a plainer rule says the same of what people write: a name after `@` that begins a word,
outside of comments and of code between backquotes, is an import. It ends at the next space, so a full stop or a comma
after it becomes a part of it (2.1.197 and 2.1.330). Files come with a repository, and a parser of all of Markdown or
YAML takes minutes for some of them: no pattern here looks through a text twice.
"""

import os
import re

import msgspec

from shared.client.agent_files import FRONT_MATTER

_COMMENT = re.compile(r"^ *<!--.*?(?P<end>-->[ \t]*\n*|\Z)", re.DOTALL | re.MULTILINE)
"""One that begins a line; without an end it is text."""
_NO_TEXT = re.compile(
    r"^[ \t>*+\d.)-]*+(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+).*?(?:^[ \t>]*+(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<quotes>`++)[^`\n]++(?P=quotes)|<!--.*?(?:-->|\Z)",
    re.DOTALL | re.MULTILINE,
)
"""Code in a fence, in a quotation and in a list as well; code within a line; comments within a line."""
_IMPORT = re.compile(r"(?:^|[\s*])@(?=[A-Za-z0-9._~/-])((?:[^\s\\*]|\\ )+)")
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
