"""`tidegauge report`, as a person runs it: where it writes the page, and what it refuses."""

import json
import os
import re
import stat
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.commands.person import Person
from tests.history.page import made_up
from tests.history.questions.stored import Stored


@pytest.fixture
def history(person: Person) -> Person:
    """A person with some sessions in their history."""
    with ExitStack() as opened:
        made_up.sessions(Stored(str(person.root), opened), 3, 20, now=int(time.time()))
    return person


def refused(person: Person, *arguments: str) -> tuple[int, str]:
    """The exit code and the one line of an error."""
    result = person.tidegauge("report", *arguments)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return result.returncode, line


def test_the_page_is_beside_the_history_and_private(history: Person) -> None:
    result = history.tidegauge("report")

    path = Path(result.stdout.removesuffix("\n"))
    assert (result.returncode, result.stderr) == (0, "")
    assert path == history.home / "data" / "report.html"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text("utf-8").startswith("<!doctype html>")


def test_a_file_can_be_named_and_an_older_report_in_it_is_replaced(history: Person) -> None:
    for since in ("3h", "7d"):
        assert history.tidegauge("report", "--output", "page.html", "--since", since).returncode == 0

    page = (history.project / "page.html").read_text("utf-8")
    assert page.count('"session":') == 6  # each in the table and as a curve


def test_a_projects_settings_do_not_apply_to_other_projects(history: Person) -> None:
    history.tidegauge("report", "--output", "before.html")
    folder = history.project / ".claude"
    folder.mkdir(exist_ok=True)
    (folder / "tidegauge.toml").write_text("levels.warning.remaining = 60")

    history.tidegauge("report", "--output", "after.html")

    pages = [(history.project / f"{name}.html").read_text("utf-8") for name in ("before", "after")]
    before, after = (json.loads(re.findall(r'id="figures">(.*)</script>', page)[0])["occupancy"] for page in pages)
    assert before
    assert before == after


def test_since_leaves_older_sessions_out(history: Person) -> None:
    history.tidegauge("report", "--output", "page.html", "--since", "2h")

    assert (history.project / "page.html").read_text("utf-8").count('"session":') == 2


def test_a_file_of_the_persons_own_is_not_replaced(history: Person) -> None:
    own = history.project / "notes.html"
    own.write_text("<title>Notes</title>")

    code, line = refused(history, "--output", "notes.html")

    assert (code, own.read_text()) == (1, "<title>Notes</title>")
    assert line == f"tidegauge: {own} exists and isn't a Tidegauge report: name another file, or move it away"


def test_an_impossible_request_is_one_line(history: Person) -> None:
    assert refused(history, "--output", ".") == (1, f"tidegauge: {history.project} is a directory: name a file in it")
    code, line = refused(history, "--since", "lately")
    assert code == 2
    assert line.startswith("tidegauge: --since: 'lately' isn't a period such as 36h")


def test_before_the_first_sync_it_names_the_command_to_run(person: Person) -> None:
    code, line = refused(person)

    assert code == 1
    assert line.endswith("history.sqlite doesn't exist yet: run `tidegauge history sync` first")


def test_a_damaged_store_is_one_line_that_names_it(history: Person) -> None:
    path = history.home / "data" / "history.sqlite"
    path.write_bytes(b"damaged" * 1_000)

    code, line = refused(history)

    assert code == 1
    assert str(path) in line


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no $BROWSER")
def test_open_shows_it_in_the_browser(history: Person, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\necho \"$1\" > '{tmp_path}/shown'\n")
    browser.chmod(0o755)

    result = history.tidegauge("report", "--open", environ={"BROWSER": f"{browser} %s"})

    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "shown").read_text().strip() == f"file://{os.path.realpath(history.home)}/data/report.html"


def test_a_dangling_link_is_not_replaced(history: Person) -> None:
    link = history.project / "page.html"
    link.symlink_to("somewhere else")

    code, line = refused(history, "--output", "page.html")

    assert (code, "name another file" in line) == (1, True)
    assert link.is_symlink()


def test_a_missing_directory_is_not_created(history: Person) -> None:
    code, line = refused(history, "--output", "typo/page.html")

    assert code == 1
    assert line == f"tidegauge: there is no directory {history.project}/typo: name a file in one that exists"
    assert not (history.project / "typo").exists()
