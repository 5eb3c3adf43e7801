"""A file of instructions: whose it is, when it loads, and what it costs."""

import hashlib
import os
from typing import Literal

import msgspec

from shared import files

LARGEST = 4 << 20
"""Bytes beyond which the client leaves a file out."""
Scope = Literal["organisation", "user", "parent", "root", "child", "memory"]
Loading = Literal["start", "paths", "reading"]
"""With the session; when a file that fits a rule's `paths` is read; when a file beside or below is read."""


class InstructionFile(msgspec.Struct, frozen=True):
    """One that loads here, as the client loads it."""

    path: str
    scope: Scope
    loads: Loading
    characters: int
    digest: str = msgspec.field(name="sha256")
    """Of what enters the window: two files with the same one say the same."""
    imported_by: str = ""
    duplicate_of: str = ""
    """The first file with the same content."""
    left_out: int = 0
    """Characters that the client itself cuts off: of its own memory alone."""
    kept: int = 0
    """Characters that a client would keep which holds the budget; of a duplicate none."""

    @property
    def cut(self) -> int:
        """Characters past the budget."""
        return 0 if self.duplicate_of else self.characters - self.kept

    @property
    def tokens(self) -> int:
        return tokens_of(self.characters)


def tokens_of(characters: int) -> int:
    """Estimated, by characters / 4: no tokenizer of the models is to be had."""
    return -(-characters // 4)


def digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def text_of(path: str) -> str | None:
    """What a file of instructions holds; None where the client would load nothing. Never waits for a pipe."""
    try:
        with open(files.open_regular(path), "rb") as file:
            if os.fstat(file.fileno()).st_size > LARGEST:
                return None
            data = file.read(LARGEST + 1)
    except (OSError, ValueError):
        return None
    text = data.decode("utf-8", "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")
