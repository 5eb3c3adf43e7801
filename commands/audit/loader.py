"""Instruction files, loaded as the client does: each path once, imports after the file that names them."""

import os
import re
from collections.abc import Iterator

import msgspec

from commands.audit.instruction_file import InstructionFile, Loading, Scope, digest_of, text_of
from commands.audit.instruction_text import parse, resolved
from monitor.guards.reading.gitignore import GitignoreRules

_DEEPEST = 5
"""Files in a chain of imports, including the first."""
_MOST, _MOST_CHARACTERS, _MOST_LINES = 2_000, 2 << 20, 100_000
"""Files, their imports, characters and lines, after which no further file is checked."""
_SHORTEST = 12
"""Characters of a line that can say something; `---` and `{` recur in any file."""
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
        self._excluded = GitignoreRules(glob for glob in excluded if "/" in glob and not glob.startswith("!"))
        self._met: set[str] = set()
        self._distinct_lines: set[str] = set()
        self._characters = self._lines = self._imports = 0

    def file(self, path: str, scope: Scope, loads: Loading = "start") -> Iterator[InstructionFile]:
        """A file and what it imports; nothing if there is none, or it was loaded before."""
        yield from self._load(path, scope, loads, "", 0)

    def rules(self, folder: str, scope: Scope, loads: Loading = "start") -> Iterator[InstructionFile]:
        """Every rule in a folder and below: with the session, or for some `paths` only."""
        takes_links = scope == "user" or (self._takes_external and loads == "start")
        for path in self._rule_files(folder, takes_links=takes_links):
            yield from self._load(path, scope, loads, "", 0, is_rule=True)

    def _load(
        self, path: str, scope: Scope, loads: Loading, importer: str, depth: int, *, is_rule: bool = False
    ) -> Iterator[InstructionFile]:
        if not os.path.lexists(path):  # as nearly all; the real path takes a call for each directory above
            return
        real = os.path.realpath(path)
        if depth >= _DEEPEST or not self._met.isdisjoint((path, real)) or self._is_excluded(path, scope):
            return
        if len(self._met) >= _MOST or self._characters >= _MOST_CHARACTERS or self._lines >= _MOST_LINES:
            self.is_complete = False
            return
        text = text_of(path)
        if text is None:
            return
        self._met |= {path, real}
        self._characters += len(text)
        self._lines += text.count("\n")
        instructions = parse(text)
        if not instructions.content and not instructions.imports:
            return
        when: Loading = "paths" if is_rule and instructions.globs and loads == "start" else loads
        content = instructions.content
        repeated = self._repeated(content) if when == "start" else []
        yield InstructionFile(
            path, scope, when, len(content), digest_of(content), importer,
            repeated=len(repeated), repeated_characters=sum(map(len, repeated)),
        )  # fmt: skip
        for name in instructions.imports:
            self._imports += 1
            if self._imports > _MOST:
                self.is_complete = False
                return
            imported = resolved(name, path, self._home)
            if problem := self._problem(imported, scope, loads):
                if problem == _OUTSIDE or "." in os.path.basename(name).strip("."):  # or it may be a person's name
                    self.missing.append(MissingImport(name, path, problem))
                continue
            yield from self._load(imported, scope, loads, path, depth + 1, is_rule=is_rule)

    def _repeated(self, content: str) -> list[str]:
        """The lines that say what an earlier line says, short ones left out."""
        repeated = []
        for line in map(str.strip, content.split("\n")):
            if line in self._distinct_lines:
                repeated.append(line)
            elif len(line) >= _SHORTEST:
                self._distinct_lines.add(line)
        return repeated

    def _problem(self, path: str, scope: Scope, loads: Loading) -> str:
        """Why the client won't load an import; empty if it will."""
        extension = os.path.splitext(path)[1].removeprefix(".").lower()
        if not _EXTENSION.fullmatch(extension) or path.endswith("."):
            return "remove the punctuation after it" if path[-1:] in ".,;:)" else "not a text file's name"
        if not os.path.isfile(path):
            return "no such file"
        takes = scope == "user" or (self._takes_external and loads == "start")
        return "" if takes or self._is_within(path) else _OUTSIDE

    def _is_within(self, path: str) -> bool:
        return os.path.realpath(path).startswith(self._directory.rstrip(os.sep) + os.sep)

    def _is_excluded(self, path: str, scope: Scope) -> bool:
        return scope not in {"organisation", "memory"} and self._excluded.match(path.lstrip("/")) is not None

    def _rule_files(self, folder: str, *, takes_links: bool) -> Iterator[str]:
        """`takes_links`: even if a link leads out of the project."""
        waiting, visited = [folder], set[str]()
        while waiting and len(visited) < _MOST:
            path = waiting.pop()
            if path != folder and not os.path.isdir(path):
                yield path
                continue
            real = os.path.realpath(path)
            entries = [] if real in visited else _entries(path)
            visited.add(real)
            waiting += [
                entry.path
                for entry in reversed(entries)
                if (takes_links or not entry.is_symlink() or self._is_within(entry.path))
                and (entry.name.endswith(".md") or os.path.isdir(entry.path))
            ]


def _entries(directory: str) -> list[os.DirEntry[str]]:
    """What a directory holds, by name; nothing where it can't be read."""
    try:
        return sorted(os.scandir(directory), key=lambda entry: entry.name)
    except OSError:
        return []
