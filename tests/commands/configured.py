"""A person's settings, as `tidegauge config` and the files show them."""

import tomllib
from pathlib import Path
from typing import Any

from shared import paths
from tests.commands.person import Person


def personal(person: Person) -> Path:
    return Path(paths.config_file(str(person.root)))


def of_project(person: Person) -> Path:
    return person.project / ".claude" / "tidegauge.toml"


def values(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def config(person: Person, *arguments: str, code: int = 0, **environ: str) -> str:
    """The output of `tidegauge config`, from the stream that goes with its exit code."""
    result = person.tidegauge("config", *arguments, environ=environ)
    assert (result.returncode, "Traceback" in result.stderr) == (code, False), result.stdout + result.stderr
    if code == 2 or not result.stdout:
        assert (result.stdout, result.stderr.count("\n")) == ("", 1)
        return result.stderr.removesuffix("\n")
    return result.stdout.removesuffix("\n")
