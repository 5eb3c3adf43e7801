"""The fields of a transcript's lines that a readable copy is made of."""

from typing import Any

import msgspec


class Block(msgspec.Struct):
    """A part of a message: a text, a tool call, or a tool's result."""

    type: str = ""
    id: str = ""
    name: str = ""
    input: Any = None
    text: Any = None
    tool_use_id: str = ""
    is_error: bool | None = False
    content: Any = None

    @property
    def is_text(self) -> bool:
        return self.type == "text" and isinstance(self.text, str)

    @property
    def said(self) -> str:
        """The text of a result."""
        if isinstance(self.content, str):
            return self.content
        parts = self.content if isinstance(self.content, list) else []
        texts = (part.get("text") for part in parts if isinstance(part, dict))
        return "\n".join(text for text in texts if isinstance(text, str))


class Message(msgspec.Struct):
    content: str | list[Block] = ""
    id: str = ""

    @property
    def blocks(self) -> list[Block]:
        return [Block("text", text=self.content)] if isinstance(self.content, str) else self.content


class Line(msgspec.Struct):
    type: str
    subtype: str = ""
    message: Message | None = None
    timestamp: str = ""
    isMeta: bool | None = False
    isSidechain: bool | None = False
    isCompactSummary: bool | None = False
