"""GitHub's workflows and forms: the versions they name, what a release refuses, and what a bug report needs."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import REPOSITORY

pytestmark = pytest.mark.any_python

GITHUB = REPOSITORY / ".github"
FORMS = sorted(path.name for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")


def document(*parts: str) -> Any:
    return yaml.safe_load(GITHUB.joinpath(*parts).read_text(encoding="utf-8"))


def commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_tests_run_on_every_system_and_python_that_the_package_names() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [name.rpartition(" ")[2] for name in project["classifiers"] if name.startswith("Programming Language")]
    jobs = document("workflows", "check.yml")["jobs"]
    matrix = jobs["tests"]["strategy"]["matrix"]

    assert matrix["python"] == [version for version in names if "." in version]
    assert {system.partition("-")[0] for system in matrix["system"]} == {"ubuntu", "macos", "windows"}
    assert ".ci/run" in commands(jobs["everything"])


def test_a_release_is_checked_before_publishing_and_needs_no_token() -> None:
    jobs = document("workflows", "release.yml")["jobs"]
    publish = jobs["publish"]
    uses = [step.get("uses", "") for step in publish["steps"]]

    assert jobs["check"]["uses"] == "./.github/workflows/check.yml"
    assert set(publish["needs"]) == {"check", "build"}
    assert publish["permissions"]["id-token"] == "write"
    assert any(name.startswith("pypa/gh-action-pypi-publish@") for name in uses)
    assert any(name.startswith("actions/attest-build-provenance@") for name in uses)
    assert "secrets." not in (GITHUB / "workflows" / "release.yml").read_text(encoding="utf-8")


def test_workflows_have_read_permission_unless_a_job_says_otherwise() -> None:
    for path in (GITHUB / "workflows").glob("*.yml"):
        assert document("workflows", path.name)["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_asks_for_doctors_report(name: str) -> None:
    fields = {field["id"]: field for field in document("ISSUE_TEMPLATE", name)["body"]}

    assert fields["doctor"]["attributes"]["label"] == "tidegauge doctor --json"


@pytest.mark.parametrize(
    ("tag", "plugin", "heading", "message"),
    [
        ("v1.2.3", "1.2.3", "## [1.2.3] - 2026-12-01", ""),
        ("v1.2.4", "1.2.4", "## [1.2.4] - 2026-12-01", "pyproject.toml says 1.2.3, the tag v1.2.4\n"),
        ("v1.2.3", "1.2.2", "## [1.2.3] - 2026-12-01", "plugin.json says 1.2.2, the tag v1.2.3\n"),
        ("v1.2.3", "1.2.3", "## [Unreleased]", "CHANGELOG.md has no section 1.2.3\n"),
    ],
)
def test_a_release_whose_versions_disagree_is_refused(
    tmp_path: Path, tag: str, plugin: str, heading: str, message: str
) -> None:
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(REPOSITORY / ".ci" / "release_version.py", tmp_path / ".ci")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n')
    (tmp_path / "plugin" / ".claude-plugin").mkdir(parents=True)
    (tmp_path / "plugin" / ".claude-plugin" / "plugin.json").write_text(json.dumps({"version": plugin}))
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")

    result = subprocess.run([sys.executable, script, tag], capture_output=True, text=True, check=False)

    assert (result.returncode, result.stderr) == (1 if message else 0, message)
