"""The files that a command is known to write: by redirections, edits in place, and Python."""

import re

from monitor.activity.shell.command_line import simple_commands, without_documents
from shared.transcript import session_paths

_LONGEST = 40_000
"""Characters of the longest command that is parsed."""
_MAY = re.compile(r">|\b(?:sed|perl)\s+-|\btee\b|\bwrite_text\(|\bopen\(")
_WRITER = re.compile(r"\s*(?:cat|echo|printf|tee)\b")
_TO_FILE = re.compile(r"(?:(?<![\d&<>=-])>{1,2}|\btee\s(?:\s*+-a\s)?)\s*+(?![-&])([^\s&|;<>()]+)")
_IN_PLACE = re.compile(r"\s*(?:sed|perl)\s+(?:-\w+\s+)*-\w*i")
_PYTHON = re.compile(r"\bpython[\d.]*\b")
_WRITES = re.compile(r"\.write_text\(|\bopen\([^()\n]*,\s*['\"][wa]")
_PATH_LITERAL = re.compile(
    r"(?:\b(?:Path|open)\(\s*|^[ \t]*\w+[ \t]*=\s*)['\"]([\w.@/\\:\[\]-]*[\w\]]\.\w{1,8})['\"]", re.MULTILINE
)
_START, _MOVE = re.compile(r"\s*cd\s+([^\s;&|]+)\s*(?:&&|;|\n)"), re.compile(r"\b(?:cd|pushd)\s")
_FILLED_IN = frozenset("$`*?{~")
"""Characters that the shell expands in a name."""


def files_written(command: str, directory: str, cwd: str = "") -> tuple[str, ...]:
    """The paths in the session's `directory` that `command`, run in `cwd`, writes."""
    if len(command) > _LONGEST or not _MAY.search(command):
        return ()
    start = _START.match(command)
    rest = command[start.end() :] if start else command
    typed = without_documents(rest)
    if _MOVE.search(typed):  # the directory is unknown then
        return ()
    names = _PATH_LITERAL.findall(rest) if _PYTHON.search(typed) and _WRITES.search(rest) else []
    names += [name for part in simple_commands(typed) for name in _names(part.text, part.bare)]
    stands = session_paths.absolute(start[1].strip("'\"") if start else "", cwd or directory)
    paths = (session_paths.absolute(name, stands) for name in names if not _FILLED_IN & set(name))
    return tuple(dict.fromkeys(path for path in paths if session_paths.is_within(path, directory)))


def _names(text: str, bare: str) -> list[str]:
    """The files that a simple command writes; `bare` is its text with quotations blanked out."""
    if _IN_PLACE.match(bare):
        return [word for word in bare.split()[2:] if "." in word and word[0] not in "_-"]
    if not _WRITER.match(bare):
        return []
    return [text[match.start(1) : match.end(1)].strip("'\"") for match in _TO_FILE.finditer(bare)]
