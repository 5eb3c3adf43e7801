from pathlib import Path

import pytest

from monitor.prompts.prompt import PromptMemory, read_memory, write_memory


def test_a_memory_is_read_as_it_was_written(tmp_path: Path) -> None:
    memory = PromptMemory(5, 7, is_compacted=True, offered="cx-001-checkpoint.json")
    assert read_memory(str(tmp_path), "s") is None
    write_memory(str(tmp_path), "s", memory)
    assert read_memory(str(tmp_path), "s") == memory
    assert read_memory(str(tmp_path), "t") is None


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"tokens": "9"}', b'{"size": "x"}', b"\xff", b'{"tokens": 1%s}' % (400 * b"0")]
)
def test_a_damaged_memory_is_none(tmp_path: Path, content: bytes) -> None:
    write_memory(str(tmp_path), "s", PromptMemory())
    (tmp_path / "run" / "prompts-s.json").write_bytes(content)
    assert read_memory(str(tmp_path), "s") is None
