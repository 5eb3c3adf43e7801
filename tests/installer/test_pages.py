"""The commands on the pages work as written, in a home with Tidegauge installed."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import transcript
from commands import parser
from commands.command import INSTALLING
from commands.session.projects import folder_name
from installer import arguments
from tests.conftest import REPOSITORY
from tests.installer.conftest import Home

pytestmark = pytest.mark.any_python

PAGES = ("README.md", "docs/tutorial.md", "docs/guide.md", "docs/how-to.md", "docs/faq.md")
ELSEWHERE = {
    "tidegauge watch": "needs a terminal",
    "tidegauge history sync": "the packages that send aren't installed",  # once there is an endpoint, without --otlp
}
"""What a command may say on standard error that can't do its work here; nothing else may say anything."""
NEEDS_NETWORK = {"--watch", "--otlp"}
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"`(tidegauge [^`]+|python3 install\.py[^`]*)`")


def page(name: str) -> str:
    return _FENCE.sub("", (REPOSITORY / name).read_text(encoding="utf-8"))


def commands(name: str) -> list[str]:
    """A page's shell commands: indented lines, up to two spaces or a comment."""
    rows = re.findall(r"^    ([^\s/].*)$", page(name), re.MULTILINE)
    return [re.split(r"  +|\s+#", row)[0] for row in rows]


def spans(name: str) -> Iterator[str]:
    yield from (span for span in _SPAN.findall(page(name).replace("\n", " ")) if "…" not in span)


@pytest.fixture
def walker(home: Home, tmp_path: Path) -> Home:
    """A home without Tidegauge, with a session of the project, and a client and a browser that do nothing."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python3").symlink_to(sys.executable)
    for name in ("claude", "browser"):
        (programs / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (programs / name).chmod(0o755)
    folder = home.client / "projects" / folder_name(str(home.project))
    folder.mkdir(parents=True)
    session = folder / "5b0c6a1e-0000-4000-8000-000000000001.jsonl"
    transcript.write(str(session), 0, 142_000)
    session.write_bytes(session.read_bytes().replace(b"/home/dev/shop", os.fsencode(home.project)))
    path = f"{home.root / 'bin'}:{programs}:{home.environ['PATH']}"
    home.environ |= {"PATH": path, "BROWSER": str(programs / "browser")}
    return home


def failure_of(home: Home, command: str) -> str:
    """The reason for a command's failure, empty on success; `python3 install.py` is this home's, run in a clone."""
    installing = command.removeprefix("python3 install.py")
    here = f"cd '{REPOSITORY}' && python3 '{home.installer}'{installing}" if installing != command else command
    result = home.run(["sh", "-c", here], {})
    if command in ELSEWHERE and ELSEWHERE[command] in result.stderr:
        return ""
    if command == "tidegauge doctor":  # the packages of this home are links, which have no records
        wrong = re.findall(r"^  wrong +(\S+)", result.stdout, re.MULTILINE)
        return "" if wrong == ["packages"] else result.stdout
    return result.stderr or ("" if result.returncode == 0 else f"exit code {result.returncode}: {result.stdout}")


@pytest.mark.usefixtures("copying")
def test_the_readme_s_first_command_installs_into_an_empty_home(walker: Home) -> None:
    first = commands("README.md")[0]

    assert failure_of(walker, first) == ""
    settings = json.loads(walker.settings.read_bytes())
    assert {"statusLine", "hooks"} <= settings.keys()
    assert failure_of(walker, "tidegauge doctor") == ""


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_a_page_works_in_its_order(walker: Home, name: str) -> None:
    assert failure_of(walker, "python3 install.py") == ""
    assert failure_of(walker, "tidegauge status --pivot export") == ""  # something to resume
    asked = [command for command in commands(name) if not NEEDS_NETWORK & set(command.split())]
    answers = {command: failure_of(walker, command.replace("resume 12", "resume 1")) for command in asked}

    assert {command: failure for command, failure in answers.items() if failure} == {}
    assert answers or name == "docs/faq.md"


@pytest.mark.parametrize("name", PAGES)
def test_every_command_in_a_sentence_parses(name: str) -> None:
    for span in dict.fromkeys(spans(name)):
        program, *words = re.sub(r"\b(N|ID|KEY|VALUE|FILE|PATH)\b", "1", span).split()
        if program == "python3" or words[0] in INSTALLING:
            arguments.parse(words if program == "tidegauge" else words[1:])
            continue
        with pytest.raises(SystemExit) as leaving:
            parser(words).parse_args([*words, "--help"])
        assert leaving.value.code == 0, span


def test_the_readme_is_short_and_shows_how_to_set_up_and_test() -> None:
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 100
    assert "python3 install.py" in text
    assert "python3 -m tests" in text


def test_contributing_is_short() -> None:
    assert len((REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8").splitlines()) <= 200
