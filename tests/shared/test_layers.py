"""Which layer's word counts, and what a project's file, which comes with a repository, may say."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared import settings, toml_file
from shared.config import Config, Tiers
from shared.layers import MOST_PROBLEMS
from shared.level import Ladder
from shared.project_settings import MAY_SET
from shared.settings import Settings


class Project:
    """A person's installation, and a repository that brings settings along."""

    def __init__(self, root: Path, directory: Path) -> None:
        self.root = root
        self.directory = directory
        self.file = directory / ".claude" / "tidegauge.toml"
        self.personal = root.parents[1] / "config" / "config.toml"
        self.file.parent.mkdir(parents=True)
        self.personal.parent.mkdir()

    def says(self, text: str | bytes, **environ: str) -> Settings:
        self.file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self.loaded(**environ)

    def loaded(self, **environ: str) -> Settings:
        return settings.load(str(self.root), environ, str(self.directory))


@pytest.fixture
def project(root: Path, tmp_path: Path) -> Project:
    return Project(root, tmp_path / "shop")


def leaves(section: msgspec.Struct, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name in section.__struct_fields__:
        value = getattr(section, name)
        if isinstance(value, msgspec.Struct):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def value(config: Config, key: str) -> Any:
    return dict(leaves(config))[key]


# Which layer counts


def test_the_first_layer_that_sets_a_key_counts(project: Project) -> None:
    key = "levels.warning.remaining"
    seen = []
    for change in (
        lambda: None,
        lambda: project.personal.write_text(f"{key} = 40"),
        lambda: project.file.write_text(f"{key} = 45"),
    ):
        change()
        found = project.loaded()
        seen.append((value(found.config, key), found.sources.get(key)))
    found = project.loaded(TIDEGAUGE_LEVELS__WARNING__REMAINING="50")
    seen.append((value(found.config, key), found.sources.get(key)))
    assert seen == [(35, None), (40, "user"), (45, "project"), (50, "environment")]


def test_each_key_has_its_own_source(project: Project) -> None:
    project.personal.write_text('levels.warning.every = 9\nlevels.critical.every = 3\nmessages.style = "advisory"')
    found = project.says("levels.warning.every = 7", TIDEGAUGE_WINDOW__SIZE="500000")
    assert found.sources == {
        "levels.warning.every": "project",
        "levels.critical.every": "user",
        "messages.style": "user",
        "window.size": "environment",
    }
    assert found.problems == ()


def test_after_a_projects_bad_value_the_persons_counts(project: Project) -> None:
    project.personal.write_text("levels.warning.every = 9")
    found = project.says("levels.warning.every = 21")
    assert found.config.levels.warning.every == 9
    assert found.problems == (f"{project.file}: levels.warning.every: expected 2 to 20 in a project's file, not 21",)


def test_the_clients_word_for_the_project_counts_before_the_directory(project: Project, tmp_path: Path) -> None:
    project.says("levels.warning.every = 9")
    elsewhere = settings.load(str(project.root), {"CLAUDE_PROJECT_DIR": str(tmp_path)}, str(project.directory))
    assert elsewhere == Settings(Config())
    there = settings.load(str(project.root), {"CLAUDE_PROJECT_DIR": str(project.directory)}, str(tmp_path))
    assert there.config.levels.warning.every == 9


@pytest.mark.parametrize("directory", ["", "shop", ".", None, 5, ["/"], "/none/\0", "/" + "x" * 5_000])
def test_without_a_known_project_there_is_no_layer_of_it(
    project: Project, monkeypatch: pytest.MonkeyPatch, directory: object
) -> None:
    project.says("levels.warning.every = 9")
    monkeypatch.chdir(project.directory.parent)
    assert settings.load(str(project.root), {}, directory) == Settings(Config())


def test_a_problem_says_what_would_be_right(project: Project) -> None:
    project.personal.write_text('messages.style = "rude"\nwindow.size = "big"\nhooks.staleness = 1\nlevels = 5')
    assert project.loaded().problems == (
        f"{project.personal}: window.size: expected a whole number, 1 to 2,000,000, not 'big'",
        f"{project.personal}: levels: must be a table",
        f"{project.personal}: hooks.staleness: expected true or false, not 1",
        f'{project.personal}: messages.style: expected "directive" or "advisory", not \'rude\'',
    )


# Ladders: what a layer says of one counts as a whole or not at all

TIERS = "prompt_tag.tiers"


@pytest.mark.parametrize(
    ("text", "key"),
    [("levels.warning.remaining = 20", "levels"), (f"{TIERS}.low = 0.9", TIERS), (f"{TIERS}.emergency = 0.8", TIERS)],
)
def test_every_ladder_that_is_out_of_order_falls_back(project: Project, text: str, key: str) -> None:
    project.personal.write_text(f"{text}\nlevels.warning.every = 9\nwindow.size = 5000")
    found = project.loaded()
    assert found.config.prompt_tag.tiers == Tiers()
    assert found.config.window.size == 5000
    assert len(found.problems) == 1
    assert found.problems[0].startswith(f"{project.personal}: {key}: ")


def test_a_project_cannot_take_the_persons_ladder_away(project: Project) -> None:
    project.personal.write_text(
        "levels.warning.remaining = 50\nlevels.critical.remaining = 45\nlevels.exhausted.remaining = 40"
    )
    found = project.says("levels.warning.remaining = 20\nlevels.warning.every = 20")
    assert [value(found.config, f"levels.{name}.remaining") for name in ("warning", "critical", "exhausted")] == [
        50,
        45,
        40,
    ]
    assert found.config.levels.warning.every == 5
    assert found.problems == (f"{project.file}: levels: {Ladder.ORDER}",)
    assert set(found.sources.values()) == {"user"}


def test_layers_may_make_an_ordered_ladder_together(project: Project) -> None:
    project.personal.write_text("levels.warning.remaining = 20")
    names = {f"TIDEGAUGE_LEVELS__{name}__REMAINING": text for name, text in (("CRITICAL", "15"), ("EXHAUSTED", "10"))}
    found = project.loaded(**names)
    assert [value(found.config, f"levels.{name}.remaining") for name in ("warning", "critical", "exhausted")] == [
        20,
        15,
        10,
    ]
    assert found.problems == ()


# What a project may not do

FORBIDDEN = sorted(dict(leaves(Config())).keys() - MAY_SET.keys())
SAMPLES = ["true", "false", "1", "0", "0.5", '"x"', '"/tmp/x"', '["x"]', '[["x"]]', "[]", "{}", "nan", "1979-05-27"]


def test_the_table_names_settings_that_there_are() -> None:
    assert MAY_SET.keys() <= dict(leaves(Config())).keys()


def test_what_a_project_may_set_are_numbers_of_thresholds_and_cadence() -> None:
    sections = {key.rpartition(".")[0] for key in MAY_SET}
    assert sections == {"levels.warning", "levels.critical", "levels.exhausted", "ceiling", TIERS}
    assert "ceiling.strict" in FORBIDDEN


@pytest.mark.parametrize("key", FORBIDDEN)
def test_every_other_key_is_refused(project: Project, key: str) -> None:
    for sample in SAMPLES:
        _refuses(project, key, sample)


def _refuses(project: Project, key: str, sample: str) -> None:
    found = project.says(f"{key} = {sample}\nlevels.warning.every = 9")
    assert found.config == msgspec.structs.replace(
        Config(), levels=Ladder(warning=msgspec.structs.replace(Ladder().warning, every=9))
    )
    assert found.problems == (f"{project.file}: {key}: not for a project's file to set",)
    assert found.sources == {"levels.warning.every": "project"}


@pytest.mark.parametrize("key", sorted(MAY_SET))
def test_every_bound_of_a_project_is_within_the_persons_and_holds(project: Project, key: str) -> None:
    least, most = MAY_SET[key]
    default = value(Config(), key)
    assert default is None or least <= default <= most
    step = 0.01 if isinstance(default, float) and most <= 1 else 1
    # Whether a ladder with the bound in it is in order is another matter: it must not be the bound that is refused.
    for inside in (least, most):
        assert not [problem for problem in project.says(f"{key} = {inside}").problems if key in problem]
    for outside in (least - step, most + step, 0, -1, "nan", "inf", "-inf", 10**30):
        found = project.says(f"{key} = {outside}")
        assert found.config == Config()
        assert [problem.startswith(f"{project.file}: {key}: expected ") for problem in found.problems] == [True]


@pytest.mark.parametrize("key", sorted(MAY_SET))
def test_a_projects_value_of_another_type_is_refused(project: Project, key: str) -> None:
    for text in ('"30"', "true", "[30]", "{}", "1979-05-27"):
        found = project.says(f"{key} = {text}")
        assert found.config == Config()
        assert len(found.problems) == 1


def test_no_project_can_silence_the_levels(project: Project) -> None:
    found = project.says("\n".join(f"{key} = {MAY_SET[key][0]}" for key in MAY_SET if not key.endswith("every")))
    assert found.problems == ()
    rungs = [found.config.levels.warning, found.config.levels.critical, found.config.levels.exhausted]
    assert all(rung.remaining >= 8 and (rung.max_tokens or 10**6) >= 20_000 for rung in rungs)


# Files made to do harm


@pytest.mark.parametrize(
    "text",
    [
        b"a = " + b"[" * 60_000,
        b"a = " + b"{a=" * 20_000,
        b"a = " + b"9" * 60_000,
        b"a = 0x" + b"f" * 60_000,
        b".".join([b"a"] * 32_000) + b" = 1",
        b"[" + b".".join([b"a"] * 32_000) + b"]",
        b" . ".join([b"a"] * 16_000) + b" = 1",
        b"\n".join(b"k%d.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1" % n for n in range(1_600)),
        b"[[a]]\n" * 10_000,
        b"\n".join(b"k%d = 1" % n for n in range(7_000)),
        b"'''" + b"\n" * 65_000,
        b"\xff\xfe\x00",
        b"\x00" * 1_000,
        b"levels = 5\n[levels.warning]\n",
        b"x" * 65_537,
        b"# " + b"." * 70_000,
    ],
    ids=range(16),
)
def test_a_harmful_file_is_an_empty_layer_soon(project: Project, text: bytes) -> None:
    started = time.process_time()
    found = project.says(text)
    assert time.process_time() - started < 1
    assert found.config == Config()
    assert 0 < len(found.problems) <= MOST_PROBLEMS + 1
    assert all(len(problem) < 600 for problem in found.problems)


def test_a_file_of_the_largest_size_is_read(project: Project) -> None:
    text = b"levels.warning.every = 9\n#"
    found = project.says(text + b"." * (toml_file.PROJECT_LIMIT - len(text)))
    assert (found.config.levels.warning.every, found.problems) == (9, ())


def test_a_larger_one_is_named_and_not_read(project: Project) -> None:
    found = project.says(b"levels.warning.every = 9\n#" + b"." * toml_file.PROJECT_LIMIT)
    assert (found.config, found.problems) == (Config(), (f"{project.file}: is larger than 64 KiB",))


def test_names_from_a_file_do_not_steer_a_terminal(project: Project) -> None:
    found = project.says('"\\u001b[31m\\u202ered' + "x" * 900 + '" = 1')
    assert len(found.problems) == 1
    assert found.problems[0].isprintable()
    assert len(found.problems[0]) < len(str(project.file)) + 100


posix = pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")


@posix
def test_a_link_is_named_and_not_followed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("levels.warning.every = 9")
    project.file.symlink_to(tmp_path / "other.toml")
    found = project.loaded()
    assert (found.config, found.problems) == (Config(), (f"{project.file}: is a link",))


@posix
def test_a_link_to_an_endless_device_is_not_followed(project: Project) -> None:
    project.file.symlink_to("/dev/zero")
    assert project.loaded().config == Config()


@posix
def test_a_link_that_leads_round_in_a_circle_is_named(project: Project) -> None:
    project.file.symlink_to(project.file)
    assert project.loaded().problems == (f"{project.file}: is a link",)


@posix
@pytest.mark.parametrize("name", ["file", "personal"])
def test_a_pipe_keeps_nobody_waiting(project: Project, name: str) -> None:
    path = getattr(project, name)
    os.mkfifo(path)
    found = project.loaded()
    assert (found.config, found.problems) == (Config(), (f"{path}: not a regular file",))


@posix
def test_a_directory_is_named(project: Project) -> None:
    project.file.mkdir()
    found = project.loaded()
    assert (found.config, found.problems) == (Config(), (f"{project.file}: not a regular file",))


@posix
def test_a_file_in_the_place_of_the_folder_is_no_problem(project: Project) -> None:
    project.file.parent.rmdir()
    project.file.parent.touch()
    assert project.loaded() == Settings(Config())


@posix
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(project: Project) -> None:
    project.file.touch(0o000)
    assert project.loaded().problems == (f"{project.file}: Permission denied",)


# The cost


def test_who_sets_nothing_pays_nothing(root: Path) -> None:
    program = (
        "import os, sys; sys.path[:0] = sys.argv[2:]\n"
        "from shared import settings\n"
        "before = set(sys.modules)\n"
        "settings.load(sys.argv[1], {'PATH': '/bin'}, '/')\n"
        "print(sorted(set(sys.modules) - before))"
    )
    site = os.path.dirname(os.path.dirname(msgspec.__file__))
    tree = str(Path(settings.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(root), tree, site], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
