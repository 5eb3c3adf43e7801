"""The entries that a line adds to the window: sizes, tools, paths; never text."""

import os

from history.store.rows import WindowEntry
from history.store.schema import PartKind
from shared.client.client import AGENT, TASK
from shared.client.tools import OTHER, PATH_KINDS, TOOLS
from shared.files.lenient import LenientRecord, record_or_empty
from shared.text.plain import plain
from shared.transcript.line import ContentBlock, TranscriptLine
from shared.transcript.records import IMAGE_BYTES, result_bytes
from shared.transcript.session_paths import absolute

_TOOL, _PROMPT, _ATTACHMENT = int(PartKind.TOOL), int(PartKind.PROMPT), int(PartKind.ATTACHMENT)
_LONGEST_NAME, _LONGEST_PATH = 200, 1_000
_NONE = b"null"


class _ToolInput(LenientRecord):
    file_path: str = ""
    notebook_path: str = ""
    path: str = ""
    subagent_type: str = ""


def expected_result(block: ContentBlock, directory: str) -> WindowEntry:
    """The expected result of the tool call `block`, without its size; `directory` is the session's working one."""
    name = plain(block.name, _LONGEST_NAME)
    tool, result = TOOLS.get(name, OTHER), WindowEntry(_TOOL, 0, name)
    if tool.kind in PATH_KINDS and tool.target:
        target = plain(getattr(record_or_empty(bytes(block.input), _ToolInput), tool.target), _LONGEST_PATH)
        result.path = absolute(target, directory) if target else ""
        result.is_directory = tool.kind == "search" and not os.path.splitext(result.path)[1]
    elif name in {AGENT, TASK}:
        result.subagent = plain(record_or_empty(bytes(block.input), _ToolInput).subagent_type, _LONGEST_NAME)
    return result


def result_of(block: ContentBlock, expected: dict[str, WindowEntry]) -> WindowEntry:
    """The entry of a tool's result, which is no longer expected."""
    result = expected.pop(block.tool_use_id, None) or WindowEntry(_TOOL, 0)
    result.bytes = result_bytes(memoryview(block.content))  # not copied: it can be megabytes
    return result


def prompt_of(content: str | list[ContentBlock]) -> WindowEntry | None:
    """The entry of everything but tool results; None if there is nothing."""
    if isinstance(content, str):
        return WindowEntry(_PROMPT, len(content))
    size = 0
    for block in content:
        if block.type == "text":
            size += len(block.text or "")
        elif block.type != "tool_result":
            size += IMAGE_BYTES  # an image, or pages of a document
    return WindowEntry(_PROMPT, size) if size else None


def attachment_of(line: TranscriptLine) -> WindowEntry | None:
    """The entry of what the client added; None if that has no content."""
    attachment = line.attachment
    if attachment is None:
        return None
    content = bytes(line.rendered) if bytes(line.rendered) != _NONE else bytes(attachment.content)
    if content == _NONE:
        content = attachment.text.encode()
    return WindowEntry(_ATTACHMENT, len(content), plain(attachment.type, _LONGEST_NAME)) if len(content) > 2 else None
