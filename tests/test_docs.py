"""The documents match the code: generated parts are up to date, links resolve, examples work."""

import inspect
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from commands import COMMANDS
from docs import generate, pictures, reference
from docs.drawing.terminal import SIZE
from installer.layout import Layout
from monitor.speakers.level import MOST_MESSAGES
from shared import paths
from shared.settings.config import Layer
from shared.settings.layers import merge
from statusline.segments import SEGMENTS

pytestmark = pytest.mark.any_python

REPOSITORY = Path(__file__).parents[1]
PAGES = generate.pages()
NAMES = [page.relative_to(REPOSITORY).as_posix() for page in PAGES]
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_PATH = re.compile(r"`((?:shared|statusline|monitor|installer|tests|docs|benchmarks)/[\w/]*(?:\.\w+)?/?)`")
_STATE_FILE = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
_ID = re.compile("SESSION|CONVERSATION|PROCESS")
_DOCTOR = re.compile(r"\*doctor:\* `([^`]+)`")


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", _FENCE.sub("", text(page)), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_generated_parts_are_up_to_date(page: Path) -> None:
    assert text(page) == generate.filled(text(page)), "run: .venv/bin/python -m docs.generate"


@pytest.mark.parametrize("name", sorted(pictures.PICTURES))
def test_pictures_show_the_real_output(name: str) -> None:
    drawn = text(pictures.IMAGES / f"{name}.svg")

    assert drawn == pictures.PICTURES[name](), "run: .venv/bin/python -m docs.generate"


def test_the_guide_says_how_often_a_level_is_reported() -> None:
    page = " ".join(text(REPOSITORY / "docs" / "guide.md").split())

    number = ("one", "two", "three", "four", "five")[MOST_MESSAGES - 1]
    assert f"no level is reported more than {number} times" in page, "docs/guide.md"


def test_every_picture_is_shown_and_made_by_a_script() -> None:
    links = {Path(link).name for page in PAGES for link in _LINK.findall(text(page)) if "images/" in link}
    names = {*(f"{name}.svg" for name in pictures.PICTURES), *pictures.SCREENSHOTS}

    assert links == names
    assert {path.name for path in pictures.IMAGES.iterdir()} == names


@pytest.mark.parametrize("name", sorted(pictures.PICTURES))
def test_pictures_can_be_read_on_a_phone(name: str) -> None:
    """A phone shows a page 343 pixels wide, where letters of 14 pixels are at least 9 high."""
    width = re.search(r'<svg [^>]*width="([\d.]+)"', text(pictures.IMAGES / f"{name}.svg"))

    assert width
    assert min(1, 343 / float(width[1])) * SIZE >= 9


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_resolve(page: Path) -> None:
    dead = []
    for link in _LINK.findall(_FENCE.sub("", text(page))):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not link.startswith("https://") and (not target.exists() or (anchor and anchor not in anchors(target))):
            dead.append(link)

    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_named_files_exist(page: Path) -> None:
    names = {path for path in _PATH.findall(text(page)) if "NAME" not in path and "EVENT" not in path}

    assert {path for path in names if not (REPOSITORY / path).exists()} == set()


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_examples_of_settings_are_valid(page: Path) -> None:
    for kind, example in _FENCE.findall(text(page)):
        if kind == "toml":
            assert merge([Layer("example", tomllib.loads(example))], []).problems == ()


def test_every_setting_is_explained() -> None:
    assert [setting.key for setting in reference.all_settings() if not setting.meaning] == []


def test_every_segment_is_explained() -> None:
    assert [name for name in SEGMENTS if f"| `{name}` |  |" in reference.segments()] == []


def test_every_test_on_the_security_page_exists() -> None:
    names = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", text(REPOSITORY / "SECURITY.md"))

    assert [name for path, name in names if f"def {name}(" not in text(REPOSITORY / path)] == []
    assert names


def test_every_command_is_described() -> None:
    page = text(REPOSITORY / "docs" / "commands.md")

    assert [name for name in COMMANDS if not re.search(rf"\btidegauge {name}\b", page)] == []


def test_doctor_has_the_lines_in_troubleshooting() -> None:
    source = "".join(text(path) for path in (REPOSITORY / "commands").rglob("*.py"))
    names = set(_DOCTOR.findall(text(REPOSITORY / "docs" / "troubleshooting.md")))

    # A subject with an event, a scope or a process in it is built at run time: its other word must be in the code.
    missing = {
        name for name in names if not any(f'"{part}' in source or f' {part}"' in source for part in name.split())
    }
    assert missing == set()
    assert names


def state_files(root: Path) -> Iterator[str]:
    """Our files and directories below `root`, as the code names them, with NAME for an id."""
    (root / "directories.json").write_text('{"config": "/elsewhere", "log": "/elsewhere", "history": "/elsewhere"}')
    for name, function in inspect.getmembers(paths, inspect.isfunction):
        if next(iter(inspect.signature(function).parameters), "") != "root":
            continue
        wanted = [key for key, one in inspect.signature(function).parameters.items() if one.default is one.empty]
        result = function(str(root), *["NAME"] * (len(wanted) - 1))
        if isinstance(result, str) and result.startswith(f"{root}/") and name != "run_directory":
            yield result.removeprefix(f"{root}/")
    layout = Layout(str(root), "/elsewhere")
    directories = (layout.environment, layout.program, layout.spare, layout.launchers)
    yield from (f"{Path(path).relative_to(root).as_posix()}/" for path in directories)
    yield Path(layout.bundle).relative_to(root).as_posix()
    yield from (
        Path(path).name for path in (layout.client_directories, layout.directories, layout.record, layout.wrapped)
    )


def test_the_table_of_state_files_is_complete(tmp_path: Path) -> None:
    page = text(REPOSITORY / "docs" / "files.md")
    listed = [_ID.sub("NAME", name) for name in _STATE_FILE.findall(page[: page.index("## Yours")])]

    assert sorted(listed) == sorted(set(state_files(tmp_path)))
