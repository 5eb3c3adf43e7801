"""Instruction files, loaded as the client does: each path once, imports after the file that names them."""

import os
from collections.abc import Iterator
from contextlib import suppress
from operator import attrgetter

import msgspec

from commands.audit.instruction_file import InstructionFile, Loading, Scope, digest_of, text_of
from commands.audit.instruction_text import parse, resolved
from monitor.guards.reading.gitignore import GitignoreRules
from shared import effort
from shared.client import client
from shared.transcript.session_paths import is_within

_DEEPEST = 5
"""Files in a chain of imports, including the first."""
_MOST = 2_000
"""Most files that are checked."""
_MOST_GLOBS = 16 << 10
"""Most characters of `claudeMdExcludes`, which a repository's settings may set, too."""
_SHORTEST = 12
"""Fewest characters of a line that can count as repeated; `---` and `{` recur in any file."""
_OUTSIDE = "outside the project, it loads only if you have allowed that"


class MissingImport(msgspec.Struct, frozen=True):
    """An import that looks like a file's name but leads to nothing that can be counted."""

    name: str
    imported_by: str
    reason: str


class InstructionLoader:
    """Instruction files, loaded in the order requested and each only once."""

    def __init__(self, directory: str, home: str, excluded: list[str]) -> None:
        """`directory` is where the client is started; `excluded` its `claudeMdExcludes`: globs of absolute paths."""
        self.files: list[InstructionFile] = []
        self.missing: list[MissingImport] = []
        self.is_complete = True
        self._directory, self._home = directory, home
        # The client matches whole paths, which gitignore's syntax expresses by a slash in the rule.
        globs = [glob for glob in excluded if "/" in glob and not glob.startswith("!")]
        while sum(map(len, globs)) > _MOST_GLOBS:
            globs, self.is_complete = globs[: len(globs) // 2], False
        self._excluded = GitignoreRules(globs)
        self._visited: set[str] = set()
        self._distinct_lines: set[str] = set()

    @property
    def _is_full(self) -> bool:
        return len(self._visited) >= _MOST or effort.is_over()

    def directory(self, path: str, scope: Scope, loads: Loading = "start", *, is_shared: bool = True) -> None:
        """Load a directory's files; only its CLAUDE.local.md unless `is_shared`."""
        own = os.path.join(path, client.DIRECTORY)
        if is_shared:
            self.file(os.path.join(path, client.INSTRUCTIONS), scope, loads)
            self.file(os.path.join(own, client.INSTRUCTIONS), scope, loads)
            self.rules(os.path.join(own, client.RULES), scope, loads)
        self.file(os.path.join(path, client.LOCAL_INSTRUCTIONS), scope, loads)

    def file(self, path: str, scope: Scope, loads: Loading = "start") -> None:
        """Load a file and its imports, unless it doesn't exist or was loaded before."""
        self._load(path, scope, loads, "", 0)

    def rules(self, folder: str, scope: Scope, loads: Loading = "start") -> None:
        """Load every rule in and below a folder: with the session, or for some `paths` only."""
        for path in self._rule_files(folder, may_leave=scope == "user"):
            self._load(path, scope, loads, "", 0, is_rule=True)

    def _load(
        self, path: str, scope: Scope, loads: Loading, importer: str, depth: int, *, is_rule: bool = False
    ) -> None:
        if not os.path.lexists(path):  # most don't exist, and realpath takes a call for each directory above
            return
        real = os.path.realpath(path)
        if depth >= _DEEPEST or not self._visited.isdisjoint((path, real)):
            return
        if self._is_full:
            self.is_complete = False
            return
        is_excluded = scope != "organisation" and self._excluded.match(path.lstrip("/")) is not None
        text = None if is_excluded else text_of(path)
        if text is None or (importer and "\0" in text):  # the client imports no pictures
            return
        self._visited |= {path, real}
        instructions = parse(text)
        content = instructions.content
        if not content and not instructions.imports:
            return
        when: Loading = "paths" if is_rule and instructions.globs and loads == "start" else loads
        repeated = self._repeated(content) if when == "start" else []
        file = InstructionFile(path, scope, when, len(content), digest_of(content), importer)
        size = sum(map(len, repeated))
        self.files.append(msgspec.structs.replace(file, repeated=len(repeated), repeated_characters=size))
        for name in instructions.imports:
            if self._is_full:
                self.is_complete = False
                return
            imported = resolved(name, path, self._home)
            if problem := self._problem(imported, scope):
                if problem == _OUTSIDE or "." in os.path.basename(name).strip("."):  # else it may be a person's
                    self.missing.append(MissingImport(name, path, problem))
                continue
            self._load(imported, scope, loads, path, depth + 1, is_rule=is_rule)

    def _repeated(self, content: str) -> list[str]:
        """The lines that repeat an earlier line, except short ones."""
        repeated = []
        for line in map(str.strip, content.split("\n")):
            if line in self._distinct_lines:
                repeated.append(line)
            elif len(line) >= _SHORTEST:
                self._distinct_lines.add(line)
        return repeated

    def _problem(self, path: str, scope: Scope) -> str:
        """Why an import isn't counted; empty if it is."""
        if not os.path.isfile(path):
            is_followed = os.path.isfile(path.rstrip(".,;:)"))
            return f"no such file{', remove the punctuation after it' if is_followed else ''}"
        return "" if scope == "user" or is_within(os.path.realpath(path), self._directory) else _OUTSIDE

    def _rule_files(self, folder: str, *, may_leave: bool) -> Iterator[str]:
        """Yield the rules below a folder, by name; with `may_leave`, also those behind links out of the project."""
        waiting, visited = [folder], set[str]()
        while waiting and not self._is_full:
            path = waiting.pop()
            if not os.path.isdir(path):
                if path.endswith(".md"):
                    yield path
            elif (real := os.path.realpath(path)) not in visited:
                visited.add(real)
                entries: list[os.DirEntry[str]] = []
                with suppress(OSError):
                    entries = sorted(os.scandir(path), key=attrgetter("name"), reverse=True)
                waiting += [
                    entry.path
                    for entry in entries
                    if may_leave or not entry.is_symlink() or is_within(os.path.realpath(entry), self._directory)
                ]
        self.is_complete = self.is_complete and not waiting
