"""An instruction file: whose it is, when it loads, and what it costs."""

import hashlib
from typing import Literal

import msgspec

from shared.files import files

_LARGEST = 4 << 20
"""Bytes; the client skips a larger file."""
Scope = Literal["organisation", "user", "parent", "root", "child", "memory"]
Loading = Literal["start", "paths", "reading"]
"""When it loads: with the session, with a file that matches a rule's `paths`, or with a file next to or below it."""


class InstructionFile(msgspec.Struct, frozen=True):
    path: str
    scope: Scope
    loads: Loading
    characters: int
    digest: str = msgspec.field(name="sha256")
    """The digest of the content that enters the window; equal for duplicates."""
    imported_by: str = ""
    duplicate_of: str = ""
    """The first file with the same content."""
    repeated: int = 0
    """Lines that occur earlier in this file, or in an earlier file."""
    repeated_characters: int = 0
    left_out: int = 0
    """Characters that the client itself cuts off, which it does to its own memory only."""
    room: int = 0
    """Characters that fit the budget; 0 for a duplicate."""

    @property
    def cut(self) -> int:
        """Characters over the budget."""
        return 0 if self.duplicate_of else self.characters - self.room

    @property
    def tokens(self) -> int:
        return tokens_of(self.characters)


def tokens_of(characters: int) -> int:
    """Estimate tokens as characters / 4: the models have no public tokenizer."""
    return -(-characters // 4)


def digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(path: str) -> str | None:
    """An instruction file's text; None if the client would load nothing. Never blocks on a pipe."""
    data = files.beginning(path, _LARGEST + 1)
    if data is None or len(data) > _LARGEST:
        return None
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
