"""The paths that a shell command line would print into the window, part by part of a chain.

Only commands that print what they read count: builds, installs, moves and programs that merely lie in an
ignored directory (`.venv/bin/python`) go ahead.
"""

import os
import shlex
from collections.abc import Iterator

from monitor.guards.readers import VALUE_OPTIONS, operands

WRAPPERS = frozenset({"builtin", "command", "env", "exec", "nice", "nohup", "sudo", "time", "timeout", "xargs"})
KEYWORDS = frozenset({"!", "do", "elif", "else", "if", "then", "until", "while", "{"})
SHELLS = frozenset({"bash", "dash", "sh", "zsh"})
_SEPARATORS = frozenset(";&|()`\n")
_OPERATORS = _SEPARATORS | frozenset("<>")
_DEEPEST = 4


def read_paths(command: str, cwd: str, depth: int = 0) -> Iterator[str]:
    """Absolute paths that parts of `command` would read; nothing for what can't be split into words."""
    if depth > _DEEPEST:
        return
    for part in _parts(command):
        words = _unwrapped(part)
        if not words:
            continue
        name = os.path.basename(words[0])
        if name == "cd" and len(words) > 1:
            cwd = absolute(words[1], cwd)
        elif name in SHELLS and "-c" in words[:-1]:
            yield from read_paths(words[words.index("-c") + 1], cwd, depth + 1)
        elif name in VALUE_OPTIONS:
            yield from (absolute(word, cwd) for word in operands(name, words[1:]) or ["."])
        for word in words:
            if "$(" in word or "`" in word:  # quotes had kept the substitution in one word
                yield from read_paths(word.partition("$(")[2] or word.partition("`")[2], cwd, depth + 1)


def absolute(path: str, cwd: str) -> str:
    """`path` as the shell would find it from `cwd`; nothing is looked up."""
    return os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))


def _parts(command: str) -> Iterator[list[str]]:
    """The words of each simple command in a chain, a pipe, a group or a substitution, output left out."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="".join(_OPERATORS))
    lexer.whitespace, lexer.whitespace_split, lexer.commenters = " \t\r", True, ""
    words: list[str] = []
    is_output = False
    try:
        for word in lexer:
            if is_output:
                is_output = False
            elif not _OPERATORS.issuperset(word):
                words.append(word)
            elif ">" in word:
                is_output = True
                if words and words[-1].isdecimal():
                    words.pop()  # the descriptor in `2>`
            elif word.strip("<"):  # what follows a single `<` is read
                yield words
                words = []
    except ValueError:  # an open quote: the shell would refuse it too
        return
    yield words


def _unwrapped(words: list[str]) -> list[str]:
    """`words` without keywords, assignments and commands that only run another."""
    kept = [word for word in words if word]
    while kept and (kept[0] in KEYWORDS or os.path.basename(kept[0]) in WRAPPERS or _is_assignment(kept[0])):
        kept = kept[1:]
        while kept and (kept[0].startswith("-") or kept[0].isdecimal()):
            kept = kept[1:]
    return kept


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()
