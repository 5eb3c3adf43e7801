"""From the client's JSON to the hook of its event, and back."""

import importlib
import os
import time

import msgspec

from monitor.hook import Hook, Reply
from monitor.session import Session
from shared import settings

HOOKS = {
    "PostToolUse": "monitor.hooks.post_tool_use",
    "PostToolUseFailure": "monitor.hooks.post_tool_use",
    "SubagentStart": "monitor.hooks.subagent_start",
}
"""The hook of each event, imported only when its event comes."""


class _Named(msgspec.Struct):
    hook_event_name: str


class _Output(msgspec.Struct, rename="camel"):
    hook_event_name: str
    additional_context: str


class _Envelope(msgspec.Struct, rename="camel"):
    hook_specific_output: _Output


def main(stdin: bytes, root: str) -> bytes:
    """The client's answer to one hook event: a JSON object, or nothing. Raises on a payload that isn't one."""
    if not stdin.strip():
        return b""
    name = msgspec.json.decode(stdin, type=_Named).hook_event_name
    if name not in HOOKS:
        return b""
    module: Hook = importlib.import_module(HOOKS[name])  # type: ignore[assignment]  # a module is its hook
    config = settings.load(root).config
    session = Session(root, config, os.environ, time.time())
    reply = module.handle(msgspec.json.decode(stdin, type=module.Event), session)
    return b"" if reply is None else _encoded(name, reply)


def _encoded(name: str, reply: Reply) -> bytes:
    return msgspec.json.encode(_Envelope(_Output(name, reply.additional_context)))
