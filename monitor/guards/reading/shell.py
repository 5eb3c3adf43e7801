"""The paths that a shell command line would print into the window, from each part of a chain.

Only commands that print what they read count: builds, installs, moves and programs that merely are in an ignored
directory (`.venv/bin/python`) pass.
"""

import os
import re
import shlex
from collections import deque
from collections.abc import Iterator

from monitor.activity.shell.command_line import without_documents
from monitor.guards.reading.readers import operands
from shared import effort

_WRAPPERS = frozenset({"builtin", "command", "env", "exec", "nice", "nohup", "sudo", "time", "timeout", "xargs"})
_KEYWORDS = frozenset({"!", "do", "elif", "else", "if", "then", "until", "while", "{"})
_OPERATORS = frozenset(";&|()`\n<>")
_ASSIGNMENT = re.compile(r"[^\W\d]\w*=")
_NO_WORD = re.compile(
    r"""('[^']*'|"(?:\\.|[^"\\])*"|\\[^\n])|\\\n|\$(?=['"])|(?:^|(?<=[\s;&|()]))\#[^\n]*""", re.DOTALL
)
"""Text outside of quotes that isn't part of a word: a continued line's end, a comment, the sign of `$'...'`."""
_LONGEST, _LONGEST_WHOLE = 100_000, 1_000_000
"""Characters of the longest command that is parsed, without its here documents and with them: the time isn't checked
within a word, nor while they are removed."""


def absolute(path: str, cwd: str) -> str:
    """`path` as the shell would resolve it from `cwd`; only the home of `~` and `~name` is looked up."""
    try:
        expanded = os.path.expanduser(path)
    except ValueError:  # no user's name holds a NUL or a lone surrogate
        expanded = path
    return os.path.normpath(os.path.join(cwd, expanded))


def read_paths(command: str, cwd: str) -> Iterator[str]:
    """The absolute paths that parts of `command` would read, as written: no wildcard, loop or variable is expanded.

    Nothing for a command that can't be split into words or is very long, nor after `pushd`, which isn't resolved.
    """
    directories = [cwd]  # the working directory is the last, after those to which the end of a group returns
    text = without_documents(command) if len(command) <= _LONGEST_WHOLE else command
    for operator, part in _parts(_NO_WORD.sub(r"\1", text)) if len(text) <= _LONGEST else ():
        for sign in operator:
            if sign == "(":
                directories.append(directories[-1])
            elif sign == ")" and len(directories) > 1:
                directories.pop()
        words = _unwrapped(part)
        if words[:1] == ["pushd"]:
            return
        is_piped = "|" in operator and "||" not in operator
        for word in operands(words, is_piped=is_piped):
            yield absolute(word, directories[-1])
        if words[:1] == ["cd"]:  # `cd -` isn't resolved
            target = next((word for word in words[1:] if not word.startswith("-")), "")
            directories[-1] = absolute(target, directories[-1])


def _parts(command: str) -> Iterator[tuple[str, list[str]]]:
    """Each simple command: the operator before it and its words, without redirections; `< FILE` becomes `cat FILE`."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="".join(_OPERATORS))
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    words: list[str] = []
    operator = redirection = ""
    try:
        for word in lexer:
            if effort.is_over():
                return
            if not word or not _OPERATORS.issuperset(word):
                if redirection == "<":
                    yield "", ["cat", word]
                elif not redirection:
                    words.append(word)
                redirection = ""
            elif ">" in word or not word.strip("<"):
                redirection = word
                if words and words[-1].isdecimal():
                    words.pop()  # the descriptor in `2>`
            else:
                yield operator, words
                operator, redirection, words = word, "", []
    except ValueError:  # an open quote: the shell would refuse it too
        return
    yield operator, words


def _unwrapped(words: list[str]) -> list[str]:
    """`words` without keywords, assignments and commands that only run another."""
    rest = deque(filter(None, words))
    while rest and (rest[0] in _KEYWORDS or os.path.basename(rest[0]) in _WRAPPERS or _ASSIGNMENT.match(rest[0])):
        rest.popleft()
        while rest and (rest[0].startswith("-") or rest[0].isdecimal()):
            rest.popleft()
    return list(rest)
