import json
import os
from pathlib import Path

import pytest

from commands.doctor.installation import registration
from commands.environment import client_settings
from commands.environment.environment import Environment
from tests import processor_time


@pytest.mark.parametrize("values", [{"allowManagedHooksOnly": True}, {"strictPluginOnlyCustomization": ["hooks"]}])
def test_managed_settings_can_reserve_hooks(tmp_path: Path, values: dict[str, object]) -> None:
    path = tmp_path / "managed-settings.json"
    path.write_text(json.dumps(values))
    managed = client_settings.read("managed", str(path))

    (finding,) = registration.permission(Environment(str(tmp_path), str(tmp_path), {}, 0.0, (managed,)))

    assert (finding.status, finding.silences) == ("wrong", True)
    assert finding.message == f"{path} allows managed hooks only"


def test_a_persons_own_settings_cannot_reserve_hooks(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"allowManagedHooksOnly": true}')
    own = client_settings.read("user", str(path))

    (finding,) = registration.permission(Environment(str(tmp_path), str(tmp_path), {}, 0.0, (own,)))

    assert finding.status == "ok"


def test_the_persons_settings_in_the_home_directory_are_not_a_projects(tmp_path: Path) -> None:
    client = tmp_path / ".claude"
    client.mkdir()
    (client / "settings.json").write_text("{}")

    files = client_settings.read_all(str(client), str(tmp_path))

    assert [file.scope for file in files if file.scope != "managed"] == ["user"]


@pytest.mark.parametrize(
    ("contents", "problem"),
    [
        (b'{"a": 1 // why\n}', "line 1, column 9: a comment, which JSON doesn't have"),
        (b"\xff\xfe", "it is not UTF-8"),
        (b"[]", "it is not a JSON object"),
        (b"", ""),
        (b"\xef\xbb\xbf{}", ""),
    ],
)
def test_a_files_problem_is_named(tmp_path: Path, contents: bytes, problem: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(contents)

    assert client_settings.read("user", str(path)).problem == problem


def test_an_endless_file_is_named_and_not_read(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{")
    os.truncate(path, 8 << 30)  # a hole takes no room on the disk, but would in memory

    result = client_settings.read("project", str(path))

    assert (result.problem, result.values) == ("it is larger than 512 KiB, and was not read", {})


@pytest.mark.parametrize("value", ["1e308", "[" * 400 + "]" * 400, '"\\ud83d"'])
def test_no_contents_of_a_projects_file_take_long(tmp_path: Path, value: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(f'{{"a": [{",".join([value] * ((500 << 10) // (len(value) + 1)))}]}}')
    with processor_time.at_most(1):
        assert client_settings.read("project", str(path)).problem == ""


def test_a_directory_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    assert client_settings.read("user", str(tmp_path)).problem == "not a regular file"


def test_half_an_emoji_is_read_and_an_endless_number_is_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"model": "\\ud83d", "env": {}}')
    assert client_settings.read("user", str(path)).values == {"model": "\ufffd", "env": {}}

    path.write_text('{"cleanupPeriodDays": ' + "9" * 5_000 + "}")
    assert "out of range" in client_settings.read("user", str(path)).problem
