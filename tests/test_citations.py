"""Comments cite only what a reader of the repository can open: pages, their sections and public issues."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_python

TREE = Path(__file__).parents[1]
SUFFIXES = (".py", ".sh", ".js", ".md")
NOT_OURS = {"node_modules", "vendored", "__pycache__", "golden", "payloads"}
_PAGE = re.compile(r"(?<![\w/.~-])[\w./-]*\w\.md\b")
_SECTION = re.compile(r'([\w./-]+\.md), ("[^"]+"(?:(?:, | and )"[^"]+")*)')
_ISSUE = re.compile(r"(?<![\w-])[Ii]ssues? #?\d+|(?<![\w/.-])#\d{2,}\b(?!,? ?\d)")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+#\d+(?:(?:, | and )#\d+)*")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_SUSPECT = re.compile(r"\.md\b|[Ii]ssue|#\d\d")
"""Without any of it a file cites nothing; taking its comments and docstrings out is slow."""
_SUSPECT_COMMENT = re.compile(rf"#.*(?:{_SUSPECT.pattern})|#\d\d")
_SHELL_COMMENT = re.compile(r"(?:^|\s)(?:#|//)\s?(.*)$", re.MULTILINE)


def sources() -> list[Path]:
    """Every file that people read: programs, tests and pages."""
    return sorted(
        path
        for path in TREE.rglob("*")
        if path.suffix in SUFFIXES
        and not any(part in NOT_OURS or part.startswith(".") for part in path.relative_to(TREE).parts)
    )


def prose(path: Path) -> str:
    """A file's prose on one line: its comments and docstrings, or a page without its examples."""
    text = path.read_text("utf-8")
    if not _SUSPECT.search(text):
        return ""
    if path.suffix == ".py":
        parts = [*docstrings(text), *comments(text)]
    elif path.suffix == ".md":
        parts = [_FENCE.sub("", text)]
    else:
        parts = _SHELL_COMMENT.findall(text)
    return " ".join(" ".join(parts).split())


def docstrings(text: str) -> Iterator[str]:
    """The docstrings of a module, its classes, functions and attributes."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def comments(text: str) -> Iterator[str]:
    if not _SUSPECT_COMMENT.search(text):
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string.lstrip("# ")


@cache
def written_names() -> frozenset[str]:
    """Names of pages that our programs handle, such as CLAUDE.md, from the strings in the code."""
    names: set[str] = set()
    for path in sources():
        if path.suffix == ".py" and path.relative_to(TREE).parts[0] != "tests":
            names.update(literal_names(path))
    return frozenset(names)


def literal_names(path: Path) -> set[str]:
    """Names of pages in a Python file's strings, docstrings excepted."""
    text = path.read_text("utf-8")
    if ".md" not in text:
        return set()
    tree = ast.parse(text)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    )
    return {Path(name).name for text in strings for name in _PAGE.findall(text)}


def missing_pages(path: Path, text: str) -> set[str]:
    """Pages that a file names, but that are neither in the repository nor handled by our programs."""
    names = {
        name for name in _PAGE.findall(text) if not any((folder / name).is_file() for folder in (TREE, path.parent))
    }
    if not names:
        return set()
    handled = written_names() | (literal_names(path) if path.suffix == ".py" else set())
    return {name for name in names if Path(name).name not in handled}


def missing_sections(text: str) -> set[str]:
    """Sections that a file cites and that the page doesn't have."""
    return {
        f"{page}: {section}"
        for page, sections in _SECTION.findall(text)
        for section in re.findall('"([^"]+)"', sections)
        if section not in headings(page)
    }


@cache
def headings(page: str) -> frozenset[str]:
    path = TREE / page
    return frozenset(_HEADING.findall(path.read_text("utf-8"))) if path.is_file() else frozenset()


def bare_issues(text: str) -> list[str]:
    """Issues that are cited without their repository."""
    return _ISSUE.findall(_REPOSITORY.sub("", text))


def problems(path: Path) -> list[str]:
    """A file's citations that its reader cannot open."""
    text = prose(path)
    return sorted([*missing_pages(path, text), *missing_sections(text), *bare_issues(text)])


def test_every_citation_resolves() -> None:
    """An issue is named as owner/repository#number."""
    wrong = {path.relative_to(TREE).as_posix(): problems(path) for path in sources()}

    assert {name: cited for name, cited in wrong.items() if cited} == {}


WRONG = {
    "page": '"""A rule (not-a-page.md)."""\n',
    "section": '"""A rule (docs/client.md, "Not a section")."""\n',
    "second section": '# A rule (docs/client.md, "Subagents" and\n# "Not a section").\n',
    "issue": "# A rule (issue 11, 7).\n",
    "issue without a repository": '"""A rule (#4711)."""\n',
}


@pytest.mark.parametrize("source", WRONG.values(), ids=WRONG)
def test_a_wrong_citation_is_noticed(source: str, tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(f"{source}NAME = 1\n", encoding="utf-8")

    assert problems(path) != []


def test_a_right_citation_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        '"""A rule of CLAUDE.md (docs/client.md, "Subagents" and "Settings files")."""\n'
        "# Others met it, too (anthropics/claude-code#73399, #76751).\n",
        encoding="utf-8",
    )

    assert problems(path) == []
