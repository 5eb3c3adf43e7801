"""No provider's key leaves in a copy, neither in the session's lines nor in what a person reads."""

import gzip
import json
from pathlib import Path

import pytest

from monitor.exporting.copy import ARCHIVE, READABLE, copy
from monitor.exporting.masking import MASK
from tests.monitor.exporting.test_masking import SECRETS
from tests.monitor.workshop import Workshop


@pytest.mark.parametrize("name", SECRETS)
def test_a_key_is_in_neither_copy(workshop: Workshop, tmp_path: Path, name: str) -> None:
    workshop.transcript.prompt(f"Use {SECRETS[name]} for it")

    copy(str(workshop.transcript.path), str(tmp_path))

    lines = gzip.decompress((tmp_path / ARCHIVE).read_bytes()).decode().splitlines()
    assert [json.loads(line)["message"]["content"] for line in lines] == [f"Use {MASK} for it"]
    assert f"> Use {MASK} for it" in (tmp_path / READABLE).read_text()
