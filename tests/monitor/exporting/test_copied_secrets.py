"""No provider's key is in a copy, neither in the session's lines nor in the readable text."""

import gzip
import json
import os
from pathlib import Path

import pytest

from monitor.exporting.copy import copy
from shared.files.directory import opened
from shared.project_files import ARCHIVE, READABLE
from shared.secrets.masking import MASK
from tests.monitor.workshop import Workshop
from tests.shared.credentials import KEYS


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_in_neither_copy(workshop: Workshop, tmp_path: Path, name: str) -> None:
    workshop.transcript.prompt(f"Use {KEYS[name]} for it")

    with opened(os.path.realpath(tmp_path)) as directory:
        copy(str(workshop.transcript.path), directory)

    lines = gzip.decompress((tmp_path / ARCHIVE).read_bytes()).decode().splitlines()
    assert [json.loads(line)["message"]["content"] for line in lines] == [f"Use {MASK} for it"]
    assert f"> Use {MASK} for it" in (tmp_path / READABLE).read_text()
