"""Our slash command and agent: added beside a person's own files, renewed and removed; theirs are never touched."""

import os
import re
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest
import yaml

from installer.layout import Layout
from installer.program import client_files

COMMAND, AGENT = "commands/token-status.md", "agents/token-limit-pivot-orchestrator.md"


def others(path: Path, name: str) -> tuple[str, ...]:
    """The paths of all files but `name`."""
    return tuple(str(path / ".claude" / other) for other in client_files.NAMES if other != name)


def layout_of(path: Path) -> Layout:
    client = path / ".claude"
    (client / "tidegauge").mkdir(parents=True, exist_ok=True)
    return Layout(str(client / "tidegauge"), str(client / "settings.json"))


def place(layout: Layout, *, wanted: bool = True) -> client_files.Plan:
    with ExitStack() as undo:
        planned = client_files.plan(layout, wanted=wanted)
        client_files.place(layout, planned, undo)
        undo.pop_all()
    return planned


def files(layout: Layout) -> dict[str, str]:
    client = Path(layout.root).parent
    return {name: (client / name).read_text() for name in client_files.NAMES if (client / name).exists()}


def frontmatter(text: str) -> dict[str, object]:
    opening, header, _ = text.split("---\n", 2)
    assert opening == ""
    fields: dict[str, object] = yaml.safe_load(header)
    return fields


@pytest.mark.parametrize("name", ["home", "a home", "ann's home", "h\u00f6me"])
def test_each_has_valid_frontmatter_and_names_our_command(tmp_path: Path, name: str) -> None:
    layout = layout_of(tmp_path / name)
    place(layout)
    command = f'"{layout.launchers}/tidegauge"'

    written = files(layout)

    for text in (text for path, text in written.items() if path.startswith("commands/")):
        assert frontmatter(text)["description"]
        assert frontmatter(text)["disable-model-invocation"] is True
    header = frontmatter(written[COMMAND])
    assert header["allowed-tools"] == f"Bash({command} status:*)"
    assert f"!`{command} status $ARGUMENTS`" in written[COMMAND]
    header = frontmatter(written[AGENT])
    assert header["name"] == "token-limit-pivot-orchestrator"
    assert header["description"]
    assert f"`{command} status --json`" in written[AGENT]
    assert all("# Installed by Tidegauge (" in text and "@" not in text for text in written.values())


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    before = files(layout)

    planned = place(layout)

    assert files(layout) == before
    assert planned.personal == ()


def test_our_older_file_is_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    monkeypatch.setattr(client_files, "_MARK", "Another mark.")

    place(layout)

    assert all("Another mark." in text for text in files(layout).values())


def test_a_persons_own_file_is_never_touched(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    own = tmp_path / ".claude" / COMMAND
    own.parent.mkdir()
    own.write_text("mine")

    planned = place(layout)

    assert own.read_text() == "mine"
    assert planned.personal == (str(own),)
    assert client_files.plan(layout, wanted=False).removed == others(tmp_path, COMMAND)


def test_a_persons_link_is_never_followed(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    own = tmp_path / ".claude" / AGENT
    own.parent.mkdir()
    own.symlink_to(tmp_path / "dotfiles.md")

    planned = place(layout)

    assert not (tmp_path / "dotfiles.md").exists()
    assert planned.personal == (str(own),)


def test_a_file_changed_by_the_person_is_theirs(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    changed = tmp_path / ".claude" / COMMAND
    changed.write_text(changed.read_text() + "And be brief.\n")

    assert place(layout).personal == (str(changed),)
    assert changed.read_text().endswith("And be brief.\n")
    leaving = place(layout, wanted=False)
    assert leaving.personal == (str(changed),)
    assert changed.exists()
    assert not (tmp_path / ".claude" / "agents").exists()


def test_a_file_removed_by_the_person_comes_back_only_with_an_installation(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    (tmp_path / ".claude" / COMMAND).unlink()

    assert client_files.plan(layout, wanted=False).removed == others(tmp_path, COMMAND)


def test_they_can_be_switched_off(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)

    place(layout, wanted=False)

    assert files(layout) == {}


def test_they_are_removed_with_their_own_directories_only(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    (tmp_path / ".claude" / "commands").mkdir()
    (tmp_path / ".claude" / "commands" / "mine.md").write_text("mine")
    place(layout)

    place(layout, wanted=False)

    assert sorted(os.listdir(tmp_path / ".claude")) == ["commands", "tidegauge"]
    assert os.listdir(tmp_path / ".claude" / "commands") == ["mine.md"]


@pytest.mark.parametrize("is_switched_off", [True, False])
def test_an_existing_empty_directory_stays(tmp_path: Path, is_switched_off: bool) -> None:
    layout = layout_of(tmp_path)
    (tmp_path / ".claude" / "agents").mkdir()
    place(layout)
    place(layout)
    if is_switched_off:
        place(layout, wanted=False)

    place(layout, wanted=False)

    assert [name for name in ("agents", "commands") if (tmp_path / ".claude" / name).exists()] == ["agents"]


def test_a_second_run_after_a_kill_ends_the_same(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    record = Path(layout.client_directories)
    before = record.read_bytes()
    shutil.rmtree(tmp_path / ".claude" / "agents")  # killed before it was made
    place(layout)
    assert record.read_bytes() == before

    for path in client_files.plan(layout, wanted=False).removed:
        os.unlink(path)  # killed before the directories went
    place(layout, wanted=False)
    assert [path.name for path in (tmp_path / ".claude").rglob("*")] == ["tidegauge"]


def test_a_failed_installation_leaves_none(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    with ExitStack() as undo:
        client_files.place(layout, client_files.plan(layout, wanted=True), undo)
        assert len(files(layout)) == len(client_files.NAMES)

    assert sorted(path.name for path in (tmp_path / ".claude").rglob("*")) == ["tidegauge"]


@pytest.mark.parametrize("name", ["a(b", "a`b", "a$b", 'a"b', "a #b"])
def test_a_path_that_a_slash_command_cannot_name_is_reported(tmp_path: Path, name: str) -> None:
    layout = layout_of(tmp_path / name)

    planned = place(layout)

    assert files(layout) == {}
    assert name in planned.problem


def test_a_projects_installation_adds_none(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)._replace(project=True)

    assert client_files.plan(layout, wanted=True) == client_files.Plan()
    assert client_files.plan(layout, wanted=False) == client_files.Plan()


def test_a_killed_installations_file_is_recognised_by_its_contents(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    (tmp_path / ".claude" / AGENT).unlink()
    own = tmp_path / ".claude" / "agents" / "mine.md"
    own.write_text("mine")

    place(layout, wanted=False)

    assert sorted(os.listdir(tmp_path / ".claude")) == ["agents", "tidegauge"]
    assert own.exists()


@pytest.mark.parametrize("change", ["digest", "line", "end"])
def test_the_digest_is_of_every_other_character(tmp_path: Path, change: str) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    path = tmp_path / ".claude" / COMMAND
    text = path.read_text()
    digest = re.search(r"\((\w{64})\)", text)
    assert digest is not None
    path.write_text({"digest": text.replace(digest[1], "0" * 64), "line": "\n" + text, "end": text[:-1]}[change])

    assert client_files.plan(layout, wanted=True).personal == (str(path),)
    assert client_files.plan(layout, wanted=False).personal == (str(path),)


def test_a_moved_home_takes_them_along(tmp_path: Path) -> None:
    place(layout_of(tmp_path / "old"))
    (tmp_path / "old").rename(tmp_path / "new")
    layout = layout_of(tmp_path / "new")

    place(layout)

    assert all("/new/.claude/tidegauge/bin/tidegauge" in text for text in files(layout).values())


def test_switching_them_off_removes_empty_directories(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)

    place(layout, wanted=False)

    assert sorted(os.listdir(tmp_path / ".claude")) == ["tidegauge"]
    (tmp_path / ".claude" / "agents").mkdir()  # by the person
    place(layout, wanted=False)
    assert sorted(os.listdir(tmp_path / ".claude")) == ["agents", "tidegauge"]


def test_a_failed_installation_that_switched_them_off_restores_them(tmp_path: Path) -> None:
    layout = layout_of(tmp_path)
    place(layout)
    before = files(layout)
    with ExitStack() as undo:
        client_files.place(layout, client_files.plan(layout, wanted=False), undo)
        assert files(layout) == {}

    assert files(layout) == before
