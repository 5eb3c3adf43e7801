"""The page's libraries are those in their table, each with its licence."""

import hashlib
import os
import re
from pathlib import Path

import history.page

FOLDER = Path(os.path.dirname(history.page.__file__ or "")) / "vendored"
ROW = re.compile(r"^\| .* \| ([\d.]+) \| (\w+) \| `([^`]+)` \| `(\w{64})` \|$", re.MULTILINE)


def test_each_file_matches_the_table() -> None:
    rows = ROW.findall((FOLDER / "README.md").read_text("utf-8"))

    digests = {file: digest for _, _, file, digest in rows}
    there = {path for path in FOLDER.glob("*/*") if path.name != "LICENSE"}
    assert {
        path.relative_to(FOLDER).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in there
    } == digests


def test_each_script_says_its_version_and_has_its_licence_beside_it() -> None:
    for version, licence, file, _ in ROW.findall((FOLDER / "README.md").read_text("utf-8")):
        path = FOLDER / file
        if path.suffix == ".js":
            assert f"v{version}" in path.read_text("utf-8")[:200]
        text = (path.parent / "LICENSE").read_text("utf-8")
        assert {"MIT": "MIT License", "ISC": "Permission to use, copy, modify, and/or distribute"}[licence] in text
