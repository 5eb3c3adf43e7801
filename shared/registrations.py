"""The client's events that start us, for which tools, and which parts need them.

The installer brings settings.json in line with this table: an event whose parts are all switched off is not
registered, and costs nothing. It does so before there is an environment, so only the standard library is used.
"""

from collections.abc import Mapping
from typing import NamedTuple

from shared.client import client


class Registration(NamedTuple):
    """One entry in settings.json."""

    event: str
    matcher: str = "*"
    """The tools, or a subagent's types, in the client's notation; events without either ignore it."""
    parts: tuple[str, ...] = ()
    """Switches in the configuration's `hooks`, one of which must be on."""
    argument: str = ""
    """Passed to the process where one event has several hooks (monitor.dispatch)."""
    launcher: str = ""
    """Started instead of the interpreter where there is a sh: it exits at once while nothing can be due."""
    timeout: int = 10
    """Seconds."""


_AT_TOOL_USES = ("context_warnings", "pivot", "checkpoint", "desktop_notification")
REGISTRATIONS = (
    Registration(client.POST_TOOL_USE, parts=_AT_TOOL_USES, launcher="monitor"),
    Registration(client.POST_TOOL_USE_FAILURE, parts=_AT_TOOL_USES, launcher="monitor"),
    Registration(
        client.POST_TOOL_USE,
        "|".join(client.WRITING_TOOLS),
        ("staleness",),
        argument="staleness",
        launcher="monitor-writes",
    ),
    Registration(client.PRE_TOOL_USE, "|".join(client.LOADING_TOOLS), ("ceiling_guard",)),
    Registration(client.PRE_TOOL_USE, "|".join(client.READING_TOOLS), ("read_guard",)),
    # The launcher relies on the mark that this hook leaves, even if it says nothing.
    Registration(client.SUBAGENT_START, parts=("context_warnings", "pivot", "subagent_budget", "checkpoint")),
    # A compaction's summariser has no type (docs/client.md, "Compaction"): no other subagent's end starts us.
    Registration(client.SUBAGENT_STOP, "^$", parts=("resumption",)),
    Registration(client.USER_PROMPT_SUBMIT, parts=("prompt_tag", "compaction_alert", "pivot", "checkpoint", "notices")),
    Registration(client.PRE_COMPACT, parts=("checkpoint",)),
    Registration(client.STOP, parts=("checkpoint",), launcher="monitor-stop"),
    # Measuring needs to know when this run of the session began (shared/client/client_settings.py).
    Registration(
        client.SESSION_START, parts=("resumption", "compaction_alert", "context_warnings", "pivot", "prompt_tag")
    ),
    Registration(client.SESSION_END, parts=("history",), timeout=5),
)
# The events at which another program's monitor messages the agent.
MESSAGE_EVENTS = (*client.TOOL_USES, client.POST_TOOL_BATCH, client.USER_PROMPT_SUBMIT)
EVENTS = tuple(dict.fromkeys(entry.event for entry in REGISTRATIONS))


def enabled(switches: Mapping[str, bool]) -> tuple[Registration, ...]:
    """The entries that a configuration needs, given its `hooks` switches."""
    return tuple(entry for entry in REGISTRATIONS if any(switches[part] for part in entry.parts))
