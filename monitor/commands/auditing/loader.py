"""Instruction files, loaded as the client does: each path once, imports after the file that names them."""

import os
import re
from collections.abc import Iterator

import msgspec
import pathspec

from monitor.commands.auditing.instruction_file import InstructionFile, Loading, Scope, digest_of, text_of
from monitor.commands.auditing.instruction_text import parse, resolved

_DEEPEST = 5
"""Files in a chain of imports, including the first."""
_MOST, _MOST_CHARACTERS = 2_000, 2 << 20
"""Files, and their characters, after which no further file is checked."""
_EXTENSION = re.compile(
    "(md|txt|text|json|yaml|yml|toml|xml|csv|html|htm|css|scss|sass|less|js|ts|tsx|jsx|mjs|cjs|mts|cts|py|pyi|pyw"
    "|rb|erb|rake|go|rs|java|kt|kts|scala|c|cpp|cc|cxx|h|hpp|hxx|cs|swift|sh|bash|zsh|fish|ps1|bat|cmd|env|ini|cfg"
    "|conf|config|properties|sql|graphql|gql|proto|vue|svelte|astro|ejs|hbs|pug|jade|php|pl|pm|lua|r|dart|ex|exs"
    "|erl|hrl|clj|cljs|cljc|edn|hs|lhs|elm|ml|mli|f|f90|f95|for|cmake|make|makefile|gradle|sbt|rst|adoc|asciidoc"
    "|org|tex|latex|lock|log|diff|patch)?"
)
"""What an imported file's name may end in; the client doesn't take others for text."""
_OUTSIDE = "outside the project, which you haven't allowed"


class MissingImport(msgspec.Struct, frozen=True):
    """An import that looks like a file's name but leads to nothing that the client loads."""

    name: str
    imported_by: str
    reason: str


class InstructionLoader:
    """The loading of files in the order in which they are asked for; what was loaded is remembered."""

    def __init__(self, directory: str, home: str, excluded: list[str], *, takes_external: bool) -> None:
        """`directory` is the one that the client is started in; imports from outside it need `takes_external`.

        `excluded` is the client's setting `claudeMdExcludes`: globs of absolute paths.
        """
        self.missing: list[MissingImport] = []
        self.is_complete = True
        self._directory, self._home, self._takes_external = directory, home, takes_external
        # The client matches whole paths: gitignore's syntax says that with a slash in the rule.
        self._excluded = pathspec.GitIgnoreSpec.from_lines(glob for glob in excluded if "/" in glob and _is_rule(glob))
        self._met: set[str] = set()
        self._characters = 0

    def file(self, path: str, scope: Scope, loads: Loading = "start") -> Iterator[InstructionFile]:
        """A file and what it imports; nothing if there is none, or it was loaded before."""
        yield from self._load(path, scope, loads, "", 0)

    def rules(self, folder: str, scope: Scope, loads: Loading = "start") -> Iterator[InstructionFile]:
        """Every rule in a folder and below: with the session, or for some `paths` only."""
        takes_links = scope == "user" or (self._takes_external and loads == "start")
        for path in self._rule_files(folder, set(), takes_links=takes_links):
            yield from self._load(path, scope, loads, "", 0, is_rule=True)

    def _load(
        self, path: str, scope: Scope, loads: Loading, importer: str, depth: int, *, is_rule: bool = False
    ) -> Iterator[InstructionFile]:
        real = os.path.realpath(path)
        if depth >= _DEEPEST or not self._met.isdisjoint((path, real)) or self._is_excluded(path, scope):
            return
        if len(self._met) >= _MOST or self._characters >= _MOST_CHARACTERS:
            self.is_complete = False
            return
        text = text_of(path)
        if text is None:
            return
        self._met |= {path, real}
        self._characters += len(text)
        found = parse(text)
        if not found.content and not found.imports:
            return
        when: Loading = "paths" if is_rule and found.globs and loads == "start" else loads
        yield InstructionFile(path, scope, when, len(found.content), digest_of(found.content), importer)
        for name in found.imports:
            imported = resolved(name, path, self._home)
            if problem := self._problem(imported, scope, loads):
                if problem == _OUTSIDE or "." in os.path.basename(name).strip("."):  # or it may be a person's name
                    self.missing.append(MissingImport(name, path, problem))
                continue
            yield from self._load(imported, scope, loads, path, depth + 1, is_rule=is_rule)

    def _problem(self, path: str, scope: Scope, loads: Loading) -> str:
        """Why the client won't load an import; empty if it will."""
        extension = os.path.splitext(path)[1].removeprefix(".").lower()
        if not _EXTENSION.fullmatch(extension) or path.endswith("."):
            return "not a text file's name"
        if not os.path.isfile(path):
            return "no such file"
        takes = scope == "user" or (self._takes_external and loads == "start")
        return "" if takes or self._is_within(path) else _OUTSIDE

    def _is_within(self, path: str) -> bool:
        return os.path.realpath(path).startswith(self._directory.rstrip(os.sep) + os.sep)

    def _is_excluded(self, path: str, scope: Scope) -> bool:
        return scope not in {"organisation", "memory"} and self._excluded.match_file(path.lstrip("/"))

    def _rule_files(self, folder: str, visited: set[str], *, takes_links: bool) -> Iterator[str]:
        """`takes_links`: even if a link leads out of the project."""
        real = os.path.realpath(folder)
        if real in visited or len(visited) >= _MOST:
            return
        visited.add(real)
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            if entry.is_symlink() and not (takes_links or self._is_within(entry.path)):
                continue
            if _is_directory(entry):
                yield from self._rule_files(entry.path, visited, takes_links=takes_links)
            elif entry.name.endswith(".md"):
                yield entry.path


def _is_rule(glob: str) -> bool:
    try:
        pathspec.GitIgnoreSpec.from_lines([glob])
    except ValueError:
        return False
    return not glob.startswith("!")


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False
