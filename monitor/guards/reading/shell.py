"""The paths that a shell command line would print into the window, part by part of a chain.

Only commands that print what they read count: builds, installs, moves and programs that merely lie in an
ignored directory (`.venv/bin/python`) go ahead.
"""

import os
import re
import shlex
from collections.abc import Iterator

from monitor.activity.shell.command_line import without_documents
from monitor.guards.reading import expansion
from monitor.guards.reading.readers import operands
from shared import effort

_WRAPPERS = frozenset({"builtin", "command", "env", "exec", "nice", "nohup", "sudo", "time", "timeout", "xargs"})
_KEYWORDS = frozenset({"!", "do", "elif", "else", "if", "then", "until", "while", "{"})
_SHELLS = frozenset({"bash", "dash", "sh", "zsh"})
_SEPARATORS = frozenset(";&|()`\n")
_OPERATORS = _SEPARATORS | frozenset("<>")
_ASSIGNMENT = re.compile(r"[^\W\d]\w*=")
_DEEPEST = 4
_NO_WORD = re.compile(
    r"""('[^']*'|"(?:\\.|[^"\\])*"|\\[^\n])|\\\n|\$(?=['"])|(?:^|(?<=[\s;&|()]))\#[^\n]*""", re.DOTALL
)
"""What is no part of a word, outside of quotes: a continued line's end, a comment, the sign of `$'...'`."""


def read_paths(command: str, cwd: str, depth: int = 0) -> Iterator[str]:
    """Absolute paths that parts of `command` would read; nothing for what can't be split into words."""
    if depth > _DEEPEST:
        return
    lists: dict[str, list[str]] = {}  # by loop variable
    directories = [cwd]  # the working directory stands last, behind those that the end of a group and popd go back to
    for operator, part in _parts(_NO_WORD.sub(r"\1", without_documents(command))):
        for sign in operator:
            if sign == "(":
                directories.append(directories[-1])
            elif sign == ")" and len(directories) > 1:
                directories.pop()
        words = list(expansion.substituted(_unwrapped(part), lists))
        if words[:1] == ["for"] and words[2:3] == ["in"]:
            lists[words[1]] = words[3:]
        is_piped = "|" in operator and "||" not in operator
        for word in operands(words, is_piped=is_piped):
            yield from expansion.paths(word, directories[-1])
        for script in _scripts(words):
            yield from read_paths(script, directories[-1], depth + 1)
        _follow(directories, words)


def _follow(directories: list[str], words: list[str]) -> None:
    """Go where `cd` goes; where `cd -` leads is not worked out."""
    name = words[0] if words else ""
    if name == "popd" and len(directories) > 1:
        directories.pop()
    elif name in {"cd", "pushd"}:
        target = next((word for word in words[1:] if not word.startswith("-")), "")
        path = expansion.paths(target, directories[-1])[0] if target else directories[-1]
        directories[-1:] = [path] if name == "cd" else [directories[-1], path]


def _scripts(words: list[str]) -> Iterator[str]:
    """The command lines that words of a simple command hold."""
    name = os.path.basename(words[0]) if words else ""
    if name == "eval":
        yield " ".join(words[1:])
    elif name in _SHELLS and "-c" in words[:-1]:
        yield words[words.index("-c") + 1]
    for word in words:
        if "$(" in word or "`" in word:  # quotes had kept the substitution in one word
            yield word.partition("$(")[2] or word.partition("`")[2]


def _parts(command: str) -> Iterator[tuple[str, list[str]]]:
    """Each simple command's words and the operator before them, output left out.

    The target of `<` comes as a command of its own, `cat target`: whoever asked for it reads it.
    """
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
    saved = [word for word in words if word]
    while saved and (saved[0] in _KEYWORDS or os.path.basename(saved[0]) in _WRAPPERS or _ASSIGNMENT.match(saved[0])):
        saved = saved[1:]
        while saved and (saved[0].startswith("-") or saved[0].isdecimal()):
            saved = saved[1:]
    return saved
