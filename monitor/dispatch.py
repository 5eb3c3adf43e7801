"""Decode the client's JSON, call the event's hook and encode its reply."""

import os
import sys
import time
from typing import Any

import msgspec

from monitor.hook import Reply
from monitor.session import Session
from shared.client import client
from shared.files import lenient
from shared.process.boundary import ProcessAnswer
from shared.settings import settings

HOOKS = {
    client.POST_TOOL_USE: "monitor.hooks.post_tool_use",
    client.POST_TOOL_USE_FAILURE: "monitor.hooks.post_tool_use",
    f"{client.POST_TOOL_USE} staleness": "monitor.hooks.staleness",
    client.PRE_TOOL_USE: "monitor.hooks.pre_tool_use",
    client.SUBAGENT_START: "monitor.hooks.subagent_start",
    client.SUBAGENT_STOP: "monitor.hooks.subagent_stop",
    client.USER_PROMPT_SUBMIT: "monitor.hooks.user_prompt_submit",
    client.PRE_COMPACT: "monitor.hooks.pre_compact",
    client.STOP: "monitor.hooks.stop",
    client.SESSION_START: "monitor.hooks.session_start",
    client.SESSION_END: "monitor.hooks.session_end",
}
"""The hook module of each event, imported only when the event comes; a registration with an argument has its own.

Its `handle(event, session)` never prints, exits or reads stdin, and returns None for silence. Stdin is decoded to the
type that annotates `event`.
"""


class _EventHead(msgspec.Struct):
    hook_event_name: str
    cwd: Any = None


def main(stdin: bytes, root: str) -> ProcessAnswer:
    """Handle one hook event; the output is at most one JSON object. Raises if the payload isn't a JSON object."""
    if not stdin.strip():
        return ProcessAnswer()
    now = time.time()
    head = lenient.decode(stdin, _EventHead)
    name = head.hook_event_name
    hook = HOOKS.get(" ".join([name, *sys.argv[1:]])) or HOOKS.get(name)
    if hook is None:
        return ProcessAnswer()
    __import__(hook)
    handle = sys.modules[hook].handle
    config = settings.load(root, os.environ, head.cwd).config
    session = Session(root, config, os.environ, now, settings.project_directory(os.environ, head.cwd))
    reply: Reply | None = handle(lenient.record(stdin, handle.__annotations__["event"]), session)
    return ProcessAnswer() if reply is None else _answer(name, reply)


def _answer(name: str, reply: Reply) -> ProcessAnswer:
    """The reply as the client's JSON; no output if it is empty."""
    stdout, stderr = (text.encode("utf-8", "replace") for text in (reply.plain, reply.stderr))  # paths: surrogates
    output = {"hookEventName": name, "additionalContext": reply.context} if reply.context else None
    parts = {"hookSpecificOutput": output, "systemMessage": reply.notice, "terminalSequence": reply.terminal}
    if not stdout and any(parts.values()):
        stdout = lenient.encode({key: part for key, part in parts.items() if part})
    return ProcessAnswer(stdout, stderr, reply.is_blocking)
