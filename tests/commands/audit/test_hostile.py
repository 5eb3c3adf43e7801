"""A repository's contents can neither keep the audit busy nor end it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands.audit.instructions import instructions
from commands.environment.environment import environment_at
from commands.session.projects import folder_name
from shared import effort
from tests.commands.person import Person
from tests.transcripts import Transcript

BOMB = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
HUGE = 130_000  # a longer text is not looked through
LONGEST = 4_000_000
TEXTS = {
    "a YAML bomb": f"---\n{BOMB}paths: *i\n---\ntext",
    "a long front matter": "---\n" + "x: {y: [1, 2, 3]}\n" * (LONGEST // 18) + "---\ntext",
    "an odd integer": "---\npaths: [" + "9" * 100_000 + "]\n---\ntext @" + "9" * 100_000,
    "comments that never end": "<!--" * (HUGE // 8) + "<!--\n" * (HUGE // 10),
    "comments": "<!-- -->\n" * (HUGE // 9) + "@a",
    "comments in a long text": "<!-- -->\n" * (LONGEST // 9),
    "empty lines": "@a <!--" + "\n" * HUGE + "-->",
    "many backquotes": "@a " + "`" * (HUGE // 2) + "x" * (HUGE // 2),
    "backquotes": "@a " + "".join("`" * (number % 97) + " " for number in range(HUGE // 50)),
    "brackets": "@a " + "[" * HUGE,
    "links": "@a " + "[a](" * (HUGE // 4),
    "tags": "@a " + "<a " * (HUGE // 3),
    "fences": "@a\n" + "```` `\n" * (HUGE // 7),
    "lists": "- " * (HUGE // 2) + "@a",
    "imports": "@a.md " * (HUGE // 6),
    "different imports": " ".join(f"@{number}.md" for number in range(HUGE // 10)),
}


def seconds(person: Person, *arguments: str) -> tuple[str, float]:
    """The audit's output and its processor time."""
    result, used = person.timed("audit", *arguments)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout, used


needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs the processor time of processes")


@needs_posix
@pytest.mark.parametrize("name", TEXTS)
def test_no_text_takes_long_to_audit(person: Person, name: str) -> None:
    rules = person.project / ".claude" / "rules"
    rules.mkdir(parents=True)
    for number in range(20):
        (rules / f"{number}.md").write_text(f"{TEXTS[name]}{number}")

    printed, used = seconds(person)

    assert ".claude/rules/0.md" in printed
    assert used < 2  # below 1 on an idle machine


def test_files_at_the_start_and_below_share_one_time_limit(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = person.project / ".claude" / "rules"
    rules.mkdir(parents=True)
    for number in range(60):
        (rules / f"{number}.md").write_text("a\n" * (HUGE // 2) + str(number))
    (person.project / "below").mkdir()
    (person.project / "below" / "CLAUDE.md").write_text("text")
    monkeypatch.setattr(effort, "SECONDS", 0.05)

    with effort.limited():
        result = instructions(environment_at(str(person.root), str(person.project), {"HOME": str(person.home)}, 0))

    assert {file.scope for file in result.files} == {"root"}
    assert not result.is_complete


@needs_posix
def test_nested_directories_are_searched_up_to_a_depth(person: Person) -> None:
    at = os.open(person.project, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=at)
        below = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(os.open("CLAUDE.md", os.O_WRONLY | os.O_CREAT, dir_fd=below))
        os.close(at)
        at = below
    os.close(at)

    printed, used = seconds(person)
    subprocess.run(["rm", "-rf", str(person.project / "d")], check=True)  # too deep for who removes it later

    assert "Not everything was checked" in printed
    assert used < 2


@needs_posix
def test_neither_many_rules_nor_many_exclusions_take_long(person: Person) -> None:
    rules = person.project / ".claude" / "rules"
    rules.mkdir(parents=True)
    for number in range(40_000):
        os.close(os.open(rules / f"{'a' * 99}{number}.md", os.O_WRONLY | os.O_CREAT))
    excluded = [f"/**/{'*a' * 9}*b{number}/**" for number in range(20_000)]
    (rules.parent / "settings.json").write_text(json.dumps({"claudeMdExcludes": excluded}))

    printed, used = seconds(person)

    assert "Not everything was checked" in printed
    assert used < 2


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names are Unicode there")
def test_a_name_that_is_not_utf_8_is_still_shown(person: Person) -> None:
    rules = person.project / ".claude" / "rules"
    rules.mkdir(parents=True)
    Path(os.fsdecode(os.fsencode(rules) + b"/caf\xe9.md")).write_text("text")

    printed, _ = seconds(person)
    document, _ = seconds(person, "--json")

    assert "caf.md" in printed
    assert json.loads(document)["files"][0]["path"].endswith("caf\\udce9.md")


def test_numbers_of_thousands_of_digits_do_not_end_it(person: Person) -> None:
    (person.project / "CLAUDE.md").write_text("text")
    (person.project / ".claude").mkdir()
    (person.project / ".claude" / "settings.json").write_text('{"claudeMdExcludes": [' + "9" * 10_000 + "]}")
    (person.client / "projects").mkdir(exist_ok=True)

    assert "CLAUDE.md" in person.tidegauge("audit").stdout


def test_a_transcripts_name_cannot_steer_the_terminal(person: Person) -> None:
    folder = re.sub("[^A-Za-z0-9]", "-", os.path.realpath(person.project))
    transcript = Transcript(person.client / "projects" / folder / "a\x1b[2J\u202eb.jsonl")
    transcript.answer(20_000, top={"cwd": str(person.project)})

    result = person.tidegauge("audit")

    assert "No transcript of this project shows tools" in result.stdout
    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout


@needs_posix
def test_no_transcript_takes_long_to_audit(person: Person) -> None:
    transcript = Transcript(person.client / "projects" / folder_name(str(person.project)) / "session-1.jsonl")
    attachment = {"type": "hook_additional_context", "hookEvent": "PostToolUse", "content": ["text"]}
    line = json.dumps({"type": "attachment", "attachment": attachment}, separators=(",", ":"))
    with transcript.path.open("a") as file:
        file.write(f"{line}\n" * 200_000)

    printed, used = seconds(person)

    assert "Its beginning was left out" in printed
    assert used < 2  # below 1 on an idle machine
