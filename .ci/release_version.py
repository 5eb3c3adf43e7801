"""Refuse a release whose tag, package, plugin and changelog don't name one version: `release_version.py vX.Y.Z`."""

import json
import sys
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]


def main(tag: str) -> int:
    """Say which of them disagrees; returns the exit code."""
    version = tag.removeprefix("v")
    package = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    manifest = (REPOSITORY / "plugin" / ".claude-plugin" / "plugin.json").read_text(encoding="utf-8")
    changelog = (REPOSITORY / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    problems = [
        f"{where} says {result}, the tag {tag}"
        for where, result in (("pyproject.toml", package), ("plugin.json", json.loads(manifest)["version"]))
        if result != version
    ]
    if not any(line.split()[:2] == ["##", f"[{version}]"] for line in changelog):
        problems.append(f"CHANGELOG.md has no section {version}")
    sys.stderr.write("".join(f"{problem}\n" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
