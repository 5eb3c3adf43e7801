"""What else fills the window before the first prompt, according to the newest transcript: tools, lists, hooks.

A request consists of tools, system prompt and messages, in this order. Up to the end of the system prompt, the
boundary, it is the same in every session with the same tools, and cached across sessions. Instructions, lists and hook
output are messages, cached within one session (2.1.197 and 2.1.330, by `cache_control` in their requests).
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from operator import attrgetter

import msgspec

from commands.session import transcripts
from shared import effort
from shared.client import client
from shared.files import lenient
from shared.transcript.line import Attachment, RequestShape

_MARKERS = [b'"attachment"', b'"api-request-shape"', b'"mcp__']
_LISTS = {
    "deferred_tools_delta": "tools to be searched for",
    "agent_listing_delta": "agents",
    "mcp_instructions_delta": "MCP servers' instructions",
    "skill_listing": "skills",
}
_OWN = "the client's tools"


class Addition(msgspec.Struct, frozen=True):
    name: str
    count: int
    """Tools, entries or times."""
    characters: int


class Server(Addition, frozen=True):
    """An MCP server whose tools' schemas are sent with every request."""

    uses: int
    """Calls of its tools in this session."""


class Recorded(msgspec.Struct, frozen=True):
    """The additions that one transcript shows. Older clients record neither the system prompt nor the tools."""

    session_id: str
    version: str
    """The client's version."""
    fixed: tuple[Addition, ...]
    """The additions before the boundary: the system prompt and the client's own tools; empty if not recorded."""
    servers: tuple[Server, ...]
    """The MCP servers, whose tools come before the boundary, too."""
    lists: tuple[Addition, ...]
    """Lists that are sent once per session."""
    hooks: tuple[Addition, ...]
    """The output of all runs, named after the event."""
    is_complete: bool = True
    """False if there was no time to read the whole transcript."""


class _Tool(msgspec.Struct):
    name: str = ""


def recorded(path: str) -> Recorded | None:
    """Read the additions that the transcript at `path` shows; None if it can't be read."""
    shape: RequestShape | None = None
    listed: list[Attachment] = []
    times: Counter[str] = Counter()
    characters: Counter[str] = Counter()
    uses: Counter[str] = Counter()
    if not (os.path.isfile(path) and os.access(path, os.R_OK)):
        return None
    is_over = False
    for line in transcripts.newest_lines(path, _MARKERS):
        if is_over := effort.is_over():
            break
        if line.type == "api-request-shape" and shape is None:
            result = lenient.record_or_empty(bytes(line.shape), RequestShape)
            shape = result if result.tools else None  # requests outside the conversation offer none
        elif line.attachment is not None and line.attachment.type in _LISTS:
            listed.append(line.attachment)
        elif line.attachment is not None and line.attachment.hookEvent:
            # A hook's plain output is a string; its JSON output is a list.
            size = sum(map(len, line.attachment.texts)) + len(line.attachment.words)
            times[line.attachment.hookEvent] += bool(size)
            characters[line.attachment.hookEvent] += size
        elif line.type == "assistant" and line.message is not None:
            uses.update(_server_of(block.name) for block in line.message.blocks if block.type == "tool_use")
    tools = _tools(shape)
    own = tools.pop(_OWN, [])
    servers = [Server(name, len(sizes), sum(sizes), uses[name]) for name, sizes in tools.items()]
    return Recorded(
        session_id=transcripts.session_of(path),
        version=transcripts.origin(path).version,
        fixed=_fixed(shape, own),
        servers=tuple(sorted(servers, key=attrgetter("characters"), reverse=True)),
        lists=tuple(_lists(listed)),
        hooks=tuple(Addition(event, times[event], size) for event, size in characters.most_common() if size),
        is_complete=not is_over,
    )


def _fixed(shape: RequestShape | None, own: list[int]) -> tuple[Addition, ...]:
    if shape is None:
        return ()
    size = sum(len(block.text or "") for block in shape.system)
    return Addition("the system prompt", len(shape.system), size), Addition(_OWN, len(own), sum(own))


def _tools(shape: RequestShape | None) -> dict[str, list[int]]:
    """The characters of each tool's name, description and schema as the client sends them, by server."""
    sizes: dict[str, list[int]] = {}
    for tool in map(bytes, shape.tools if shape else ()):
        name = lenient.decode_or(tool, _Tool, _Tool()).name
        sizes.setdefault(_server_of(name), []).append(len(tool.decode("utf-8", "replace")))
    return sizes


def _lists(newest_first: Iterable[Attachment]) -> Iterator[Addition]:
    """Yield the total of each list: the entries added, minus those that a later line removed."""
    entries: dict[str, dict[str, int]] = {kind: {} for kind in _LISTS}
    for attachment in reversed(list(newest_first)):
        present = entries[attachment.type]
        for name in (*attachment.removedNames, *attachment.removedTypes):
            present.pop(name, None)
        if attachment.type == "skill_listing":
            present |= {"": len(attachment.words)} | dict.fromkeys(attachment.names, 0)
            continue
        texts = attachment.addedBlocks or attachment.addedLines
        names = attachment.addedNames or attachment.addedTypes
        present |= {name: len(text) for name, text in zip(names, texts, strict=False)}
    for kind, present in entries.items():
        if count := sum(bool(name) for name in present):
            yield Addition(_LISTS[kind], count, sum(present.values()))


def _server_of(tool: str) -> str:
    if not tool.startswith(client.SERVER_TOOL):
        return _OWN
    return tool.split("__")[1] if tool.count("__") > 1 else tool
