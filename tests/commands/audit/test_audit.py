"""`tidegauge audit`, as a person runs it."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands.person import Person
from tests.commands.status.test_status import session


def audit(person: Person, *arguments: str) -> str:
    result = person.tidegauge("audit", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def state(directory: Path) -> dict[str, Any]:
    """Every file below, with size and times that show whether it was written to."""
    return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_size) for path in directory.rglob("*")}


def test_everything_is_printed_in_plain_lines(person: Person) -> None:
    (person.project / "CLAUDE.md").write_text("x" * 5_000)
    (person.project / "CLAUDE.local.md").write_text("the same")
    (person.client / "CLAUDE.md").write_text("the same")
    (person.project / "api").mkdir()
    (person.project / "api" / "CLAUDE.md").write_text("for the API")
    session(person).attachment(type="agent_listing_delta", addedTypes=["x"], addedLines=["- x: does it"])

    text = audit(person)

    assert "\x1b" not in text
    for line in (
        "  characters  tokens  scope  what",
        "           8       2  user   ~/.claude/CLAUDE.md",
        "       5,000   1,250  root   CLAUDE.md  [truncated] 1,000 over the budget",
        "           8       2  root   CLAUDE.local.md  the same as ~/.claude/CLAUDE.md",
        "          12       3         agents  1 entry",
        "          11       3  child  api/CLAUDE.md",
        "3 instruction files at the start: 5,016 characters, about 1,254 tokens (characters / 4).",
    ):
        assert f"{line}\n" in text
    assert text.splitlines()[-1] == (
        "Remove 1 duplicate; shorten CLAUDE.md by 1,000 characters, or move it to a rule with `paths`. "
        "Saves about 252 tokens in every session."
    )


def test_json_has_the_same_facts(person: Person) -> None:
    (person.project / "CLAUDE.md").write_text("x" * 5_000 + " @gone.md")

    document = json.loads(audit(person, "--json"))

    assert document["directory"] == os.path.realpath(person.project)
    assert document["budget"] == {"characters_per_file": 4_000, "characters": 12_000}
    assert document["at_start"] == {"files": 1, "characters": 5_009, "tokens": 1_253, "truncated": 1_009}
    (file,) = document["files"]
    assert (file["scope"], file["loads"], file["tokens"], file["truncated"]) == ("root", "start", 1_253, 1_009)
    assert document["not_loaded"][0]["reason"] == "no such file"
    assert document["recorded"] is None
    assert document["advice"]["tokens"] == 253


def test_an_empty_directory_has_nothing_to_change(person: Person) -> None:
    assert audit(person).splitlines()[-1] == "Nothing to change: 0 characters at the start, within the budget."


def test_names_from_outside_cannot_steer_the_terminal(person: Person) -> None:
    (person.project / "CLAUDE.md").write_text("@a\x1b]0;owned\x07\x1b[2J.md @x\x1b[31m/y.md")
    (person.project / ".claude" / "rules").mkdir(parents=True)
    (person.project / ".claude" / "rules" / "\x1b[31mred.md").write_text("rule")

    text = audit(person)

    assert not set(text) & {"\x1b", "\x07"}
    assert "red.md" in text


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["CLAUDE.md", ".claude/settings.json", ".claude/settings.local.json"])
def test_a_pipe_in_a_project_does_not_block(person: Person, name: str) -> None:
    (person.project / ".claude").mkdir()
    os.mkfifo(person.project / name)

    assert audit(person).splitlines()[-1].startswith("Nothing to change")


def test_nothing_is_written(person: Person) -> None:
    (person.project / "CLAUDE.md").write_text("x" * 5_000)
    session(person)
    before = state(person.home), state(person.project)

    audit(person)

    assert (state(person.home), state(person.project)) == before


def test_duplicate_lines_are_counted(person: Person) -> None:
    rule = "Run the tests before you commit."
    (person.project / "CLAUDE.md").write_text(f"{rule}\n" * 41 + "---\n" * 50)
    (person.client / "CLAUDE.md").write_text(f"{rule}\nAnswer in German, please.\n")

    text = audit(person)

    assert "CLAUDE.md  41 lines repeated" in text
    assert "Remove 41 lines that earlier ones say already. Saves about" in text
