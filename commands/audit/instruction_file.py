"""An instruction file: whose it is, when it loads, and what it costs."""

import hashlib
from typing import Literal

import msgspec

from shared.files import files

_LARGEST = 4 << 20
"""The client skips a larger file; bytes."""
Scope = Literal["organisation", "user", "parent", "root", "child", "memory"]
Loading = Literal["start", "paths", "reading"]
"""When it loads: with the session; with a file that matches a rule's `paths`; with a file next to it or below."""


class InstructionFile(msgspec.Struct, frozen=True):
    path: str
    scope: Scope
    loads: Loading
    characters: int
    digest: str = msgspec.field(name="sha256")
    """The digest of what enters the window: files with the same digest say the same."""
    imported_by: str = ""
    duplicate_of: str = ""
    """The first file with the same content."""
    repeated: int = 0
    """Lines that repeat one of this file or of an earlier one."""
    repeated_characters: int = 0
    left_out: int = 0
    """Characters that the client itself cuts off: only of its own memory."""
    room: int = 0
    """Characters for which the budget has room; none of a duplicate."""

    @property
    def cut(self) -> int:
        """Characters over the budget."""
        return 0 if self.duplicate_of else self.characters - self.room

    @property
    def tokens(self) -> int:
        return tokens_of(self.characters)


def tokens_of(characters: int) -> int:
    """Estimated as characters / 4: there is no public tokenizer of the models."""
    return -(-characters // 4)


def digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(path: str) -> str | None:
    """What an instruction file holds; None if the client would load nothing. Never waits for a pipe."""
    data = files.beginning(path, _LARGEST + 1)
    if data is None or len(data) > _LARGEST:
        return None
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
