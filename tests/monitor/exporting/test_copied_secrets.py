"""No provider's key leaves in a copy, neither in the session's lines nor in what a person reads."""

import gzip
import json
from pathlib import Path

import pytest

from monitor.exporting.copy import ARCHIVE, READABLE, copy
from shared.secrets.masking import MASK
from tests.monitor.workshop import Workshop
from tests.shared.credentials import KEYS


@pytest.mark.parametrize("name", KEYS)
def test_a_key_is_in_neither_copy(workshop: Workshop, tmp_path: Path, name: str) -> None:
    workshop.transcript.prompt(f"Use {KEYS[name]} for it")

    copy(str(workshop.transcript.path), str(tmp_path))

    lines = gzip.decompress((tmp_path / ARCHIVE).read_bytes()).decode().splitlines()
    assert [json.loads(line)["message"]["content"] for line in lines] == [f"Use {MASK} for it"]
    assert f"> Use {MASK} for it" in (tmp_path / READABLE).read_text()
