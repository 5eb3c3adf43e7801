"""`tidegauge audit` names the files that the client loads, and counts the characters that it sends."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.client.client import Client
from tests.client.home import environment
from tests.client.model import MAIN, texts
from tests.client.step import say

pytestmark = [pytest.mark.client, pytest.mark.any_client]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def write_instructions(project: Path) -> None:
    write(project.parent / "CLAUDE.md", "of the parent")
    write(
        project / "CLAUDE.md",
        "@one.md `@code.md` **@bold.md** and @comma.md, then @../outside.md\n\n<!-- a note\n@comment.md -->\n\n"
        f"```\n@fence.md\n```\n- @same.md\n- @again.md\n\n| @cell.md |\n|---|\n{'x' * 41_000}\n",
    )
    for name in ("code", "bold", "comma", "comment", "fence", "cell"):
        write(project / f"{name}.md", f"{name}\n")
    for number, word in enumerate(("one", "two", "three", "four", "five", "six")):
        following = ("two", "three", "four", "five", "six", "one")[number]
        write(project / f"{word}.md", f"{word} @{following}.md\n")
    write(project / "same.md", "the same words\n")
    write(project / "again.md", "the same words\n")
    write(project.parent / "outside.md", "outside\n")
    write(project / ".claude" / "CLAUDE.md", "---\nnote: x\n---\nhidden\n")
    write(project / ".claude" / "rules" / "always.md", "a rule\n")
    write(project / ".claude" / "rules" / "python.md", '---\npaths: "**/*.py"\n---\nonly for Python\n')
    write(project / "CLAUDE.local.md", "local\n")
    write(project / "api" / "CLAUDE.md", "for the API\n")


def audit(client: Client, project: Path) -> Any:
    result = subprocess.run(
        [str(client.program / "bin" / "tidegauge"), "audit", "--json"],
        cwd=project,
        env=environment(client.home, "", client.more),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(result.stdout)


def paths_in(sent: str) -> list[str]:
    """The files that the client says it has loaded."""
    return [line.split(" (")[0] for line in sent.split("Contents of ")[1:]]


def test_the_audit_names_what_the_client_loads(client: Client, project: Path) -> None:
    write_instructions(project)

    model = client.headless(project, {MAIN: [say(20_000, "Done.")]})
    output = audit(client, project)

    sent = "\n".join(texts(model.of(MAIN)[0].body["messages"]))
    loaded = [file for file in output["files"] if file["loads"] == "start"]
    assert [file["path"] for file in loaded] == paths_in(sent)
    for file in loaded:
        content = sent.split(f"Contents of {file['path']}")[1].partition(":\n\n")[2]
        content = content.split("\n\nContents of ")[0].split("\n</system-reminder>")[0].split("\n# ")[0]
        assert len(content.strip()) == file["characters"], file["path"]
    assert [Path(file["path"]).name for file in output["files"] if file["loads"] != "start"] == [
        "python.md",
        "CLAUDE.md",
    ]
    assert output["recorded"]["version"] == client.version
    assert {"agents", "skills"} <= {one["name"] for one in output["recorded"]["lists"]}
    assert bool(output["recorded"]["fixed"]) == (client.version != "2.1.197")


@pytest.mark.parametrize("switch", ["nowhere", "variable", "settings"])
def test_an_added_directory_loads_what_the_audit_shows_there_only_if_a_variable_says_so(
    client: Client, project: Path, switch: str
) -> None:
    """Directories in the setting `permissions.additionalDirectories` load nothing either way."""
    added, in_settings = project.parent / "added", project.parent / "in settings"
    for directory in (project, added, in_settings):
        write(directory / "CLAUDE.md", f"of {directory.name}")
        write(directory / ".claude" / "CLAUDE.md", f"inner of {directory.name}")
        write(directory / ".claude" / "rules" / "always.md", f"a rule of {directory.name}")
        write(directory / "CLAUDE.local.md", f"local of {directory.name}")
    on, is_on = {"CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD": "1"}, switch != "nowhere"
    settings = {"permissions": {"additionalDirectories": [str(in_settings)]}, "env": on if switch == "settings" else {}}
    write(project / ".claude" / "settings.json", json.dumps(settings))
    client = client._replace(more=on if switch == "variable" else {})

    model = client.headless(project, {MAIN: [say(20_000, "Done.")]}, "--add-dir", str(added))
    here, there = (
        [file["path"] for file in audit(client, directory)["files"] if file["loads"] == "start"]
        for directory in (project, added)
    )

    assert len(there) == 4
    assert paths_in("\n".join(texts(model.of(MAIN)[0].body["messages"]))) == here + there * is_on
