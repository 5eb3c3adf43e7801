"""A project's file, which comes with a repository: what it may set, and what kind of file it may be."""

import os
from pathlib import Path

import msgspec
import pytest

from shared.gauge.levels import LevelRules
from shared.settings import toml_file
from shared.settings.config import Config, Settings
from shared.settings.layers import MOST_PROBLEMS
from shared.settings.project_settings import bounds_of
from tests import processor_time
from tests.shared.project import Project, leaves, value

# What a project may not do

KEYS = [key for key, _ in leaves(Config())]
MAY_SET = {key: bounds for key in KEYS if (bounds := bounds_of(key))}
FORBIDDEN = [key for key in KEYS if key not in MAY_SET]
SAMPLES = ["true", "false", "1", "0", "0.5", '"x"', '"/tmp/x"', '["x"]', '[["x"]]', "[]", "{}", "nan", "1979-05-27"]


def test_a_project_may_set_only_numbers_of_thresholds_and_cadence() -> None:
    sections = {key.rpartition(".")[0] for key in MAY_SET}
    ladders = {*(f"levels.{name}" for name in LevelRules.__struct_fields__), "prompt_tag.tiers", "pivot.levels"}
    assert sections == ladders | {"ceiling"}
    assert {"ceiling.strict", "pivot.auto_export_enabled", "pivot.export_directory"} <= set(FORBIDDEN)


@pytest.mark.parametrize("key", FORBIDDEN)
def test_every_other_key_is_refused(project: Project, key: str) -> None:
    for sample in SAMPLES:
        _refuses(project, key, sample)


def _refuses(project: Project, key: str, sample: str) -> None:
    result = project.says(f"{key} = {sample}\nlevels.warning.every = 9")
    assert result.config == msgspec.structs.replace(
        Config(), levels=LevelRules(warning=msgspec.structs.replace(LevelRules().warning, every=9))
    )
    assert result.problems == (f"{project.file}: {key}: not for a project's file to set",)
    assert result.sources == {"levels.warning.every": "project"}


@pytest.mark.parametrize("key", sorted(MAY_SET))
def test_every_bound_of_a_project_is_within_the_persons_and_holds(project: Project, key: str) -> None:
    least, most = MAY_SET[key]
    default = value(Config(), key) or 40
    assert (least, most) == (default / 2, default * 2)
    own = project.says(f"{key} = {default}")
    assert (value(own.config, key), own.problems) == (default, ())
    for outside in (0.99 * least, most * 1.01, 0, -1, "nan", "inf", "-inf", 10**30):
        result = project.says(f"{key} = {outside}")
        assert result.config == Config()
        assert [problem.startswith(f"{project.file}: {key}: expected ") for problem in result.problems] == [True]


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [
        ("levels.warning.remaining", 25.5, 70),
        ("levels.critical.every", 1, 4),
        ("levels.exhausted.max_tokens", 30_000, 100_000),
        ("ceiling.percentage", 20, 80),
        ("prompt_tag.tiers.low", 0.275, 0.69),
        ("pivot.levels.emergency", 86, 100),
    ],
)
def test_half_and_double_may_be_set_within_the_scales_bounds(
    project: Project, key: str, least: float, most: float
) -> None:
    for inside in (least, most):
        result = project.says(f"{key} = {inside}")
        assert (value(result.config, key), result.problems) == (inside, ())


@pytest.mark.parametrize("key", sorted(MAY_SET))
def test_a_projects_value_of_another_type_is_refused(project: Project, key: str) -> None:
    for text in ('"30"', "true", "[30]", "{}", "1979-05-27"):
        result = project.says(f"{key} = {text}")
        assert result.config == Config()
        assert len(result.problems) == 1


def test_no_project_can_silence_the_levels(project: Project) -> None:
    result = project.says("\n".join(f"{key} = {MAY_SET[key][0]:g}" for key in MAY_SET if not key.endswith("every")))
    assert result.problems == ()
    rules = [result.config.levels.warning, result.config.levels.critical, result.config.levels.exhausted]
    assert all(rule.remaining >= 7.5 and (rule.max_tokens or 10**6) >= 30_000 for rule in rules)


# Hostile files


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
def test_a_hostile_file_quickly_becomes_an_empty_layer(project: Project, text: bytes) -> None:
    with processor_time.at_most(1):
        result = project.says(text)
    assert result.config == Config()
    assert 0 < len(result.problems) <= MOST_PROBLEMS + 1
    assert all(len(problem) < 600 for problem in result.problems)


def test_a_file_of_the_largest_size_is_read(project: Project) -> None:
    text = b"levels.warning.every = 9\n#"
    result = project.says(text + b"." * (toml_file.PROJECT_LIMIT - len(text)))
    assert (result.config.levels.warning.every, result.problems) == (9, ())


def test_a_larger_one_is_named_and_not_read(project: Project) -> None:
    assert (toml_file.PROJECT_LIMIT, toml_file.LIMIT, toml_file.MOST_DOTS) == (64 * 1024, 1024 * 1024, 16)
    result = project.says(b"levels.warning.every = 9\n#" + b"." * toml_file.PROJECT_LIMIT)
    assert (result.config, result.problems) == (Config(), (f"{project.file}: is larger than 64 KiB",))


def test_names_from_a_file_cannot_steer_a_terminal(project: Project) -> None:
    result = project.says('"\\u001b[31m\\u202ered' + "x" * 900 + '" = 1')
    assert len(result.problems) == 1
    assert result.problems[0].isprintable()
    assert len(result.problems[0]) < len(str(project.file)) + 100


posix = pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")


@posix
def test_a_link_is_named_and_not_followed(project: Project, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text("levels.warning.every = 9")
    project.file.symlink_to(tmp_path / "other.toml")
    result = project.loaded()
    assert (result.config, result.problems) == (Config(), (f"{project.file}: is a link",))


@posix
def test_a_link_to_an_endless_device_is_not_followed(project: Project) -> None:
    project.file.symlink_to("/dev/zero")
    assert project.loaded().config == Config()


@posix
def test_a_circular_link_is_named(project: Project) -> None:
    project.file.symlink_to(project.file)
    assert project.loaded().problems == (f"{project.file}: is a link",)


@posix
@pytest.mark.parametrize("name", ["file", "personal"])
def test_a_pipe_does_not_block(project: Project, name: str) -> None:
    path = getattr(project, name)
    os.mkfifo(path)
    result = project.loaded()
    assert (result.config, result.problems) == (Config(), (f"{path}: not a regular file",))


@posix
def test_a_directory_is_named(project: Project) -> None:
    project.file.mkdir()
    result = project.loaded()
    assert (result.config, result.problems) == (Config(), (f"{project.file}: not a regular file",))


@posix
def test_a_file_in_place_of_the_folder_is_no_problem(project: Project) -> None:
    project.file.parent.rmdir()
    project.file.parent.touch()
    assert project.loaded() == Settings(Config())


@posix
@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named(project: Project) -> None:
    project.file.touch(0o000)
    assert project.loaded().problems == (f"{project.file}: Permission denied",)


@pytest.mark.parametrize(("dots", "problem"), [(16, "a: no such setting"), (17, "is nested too deeply (at line 2)")])
def test_a_name_of_many_parts_is_refused_with_its_line(project: Project, dots: int, problem: str) -> None:
    result = project.says("levels.warning.every = 9\n" + "a" + ".a" * dots + " = 1")
    assert result.problems == (f"{project.file}: {problem}",)
