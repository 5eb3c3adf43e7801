"""The simple commands of a shell command line, and the operators between them.

It is split by two patterns, as a save parses the commands of a whole session. The read guard, which may block, parses
its one command by the shell's own rules (monitor/guards/reading/shell.py), 25 times slower.
"""

import os
import re
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

_PIPES = frozenset({"|", "|&"})
_QUOTED = re.compile(r"\\[\"'\\]|'[^']*'|\"(?:[^\"\\]|\\.)*\"")
"""An escaped quotation mark begins no quotation: the search for its end would run through all that follows."""
_DOCUMENT = re.compile(r"""(?<!<)<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([^\s;&|()<>'"]+))""")
"""The start of a here document, with the word that ends it."""
_JOINT = re.compile(r"&&|\|\||\|&?|;|\n|&(?!>|\d)(?<![<>]&)")

_CHANGED = re.compile(r"[\s({]*cd +[\"']?([^\s\"']+)[\"']?\s*")


class SimpleCommand(NamedTuple):
    text: str
    """As typed."""
    bare: str
    """The same with quoted text and `2>&1` blanked out."""
    joint: str
    """The operator before the next command, such as `|`, `&&` or `;`; empty for the last one."""


def simple_commands(command: str) -> list[SimpleCommand]:
    """The parts of `command`, in order; the last one may be empty."""
    hidden = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), command) if "'" in command or '"' in command else command
    hidden = hidden.replace("2>&1", "    ").replace("&>", " >")
    parts, start = [], 0
    for joint in _JOINT.finditer(hidden):
        parts.append(SimpleCommand(command[start : joint.start()], hidden[start : joint.start()], joint[0]))
        start = joint.end()
    return [*parts, SimpleCommand(command[start:], hidden[start:], "")]


def without_documents(command: str) -> str:
    """`command` without its here documents; the rest of the line on which one begins stays."""
    if "<<" not in command:
        return command
    lines = command.split("\n")
    last = {line.strip(): number for number, line in enumerate(lines)}
    """The last line with each text: without a line that ends it, there is no document, as in `$((1 << 2))`."""
    result: list[str] = []
    ends = deque[str]()
    for number, line in enumerate(lines):
        if ends:
            if line.strip() == ends[0]:
                ends.popleft()
            continue
        ends.extend(end for end in map("".join, _DOCUMENT.findall(line)) if last.get(end, 0) > number)
        result.append(_DOCUMENT.sub("", line) if ends else line)
    return "\n".join(result)


def pipelines(command: str) -> list[list[SimpleCommand]]:
    """The simple commands of `command`, grouped by pipeline."""
    result: list[list[SimpleCommand]] = [[]]
    for part in simple_commands(command):
        result[-1].append(part)
        if part.joint and part.joint not in _PIPES:
            result.append([])
    return result


def directories(lines: list[list[SimpleCommand]], directory: str) -> Iterator[str]:
    """The directory in which each of these pipelines runs; the first starts in `directory`."""
    where, previous = directory, ""
    for first, *others in lines:
        is_closed = previous.endswith(")")  # a subshell's `cd` ends with it
        where = directory if is_closed or first.text.lstrip().startswith("(") else where
        previous = (first, *others)[-1].text.rstrip()
        if changed := _CHANGED.fullmatch(first.text):
            where = os.path.normpath(os.path.join(where, changed[1]))
        yield where
