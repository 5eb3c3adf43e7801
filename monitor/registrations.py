"""Which events of the client start us, for which tools, and for the sake of which parts.

The installer brings settings.json in line with this table: an event whose parts are all switched off is not
registered, and costs nothing. It does so before there is an environment: only the standard library is there.
"""

from collections.abc import Mapping
from typing import NamedTuple

WRITING_TOOLS = "Write|Edit|MultiEdit|NotebookEdit"


class Registration(NamedTuple):
    """One entry in settings.json."""

    event: str
    matcher: str = "*"
    """The tools, in the client's notation; events without tools ignore it."""
    parts: tuple[str, ...] = ()
    """Switches in the configuration's `hooks` of which one being on is enough."""
    argument: str = ""
    """Handed to the process, where one event has several hooks (monitor.dispatch)."""
    launcher: str = ""
    """What is started in the interpreter's place where there is a sh: it leaves at once while nothing can be due."""
    timeout: int = 10
    """Seconds."""


REGISTRATIONS = (
    Registration("PostToolUse", parts=("context_warnings", "pivot"), launcher="monitor"),
    Registration("PostToolUseFailure", parts=("context_warnings", "pivot"), launcher="monitor"),
    Registration("PostToolUse", WRITING_TOOLS, ("staleness",), argument="staleness", launcher="monitor-writes"),
    Registration("PreToolUse", "Agent|Task|Skill", ("ceiling_guard",)),
    Registration("PreToolUse", "Read|Grep|Glob|Bash", ("read_guard",)),
    # The launcher relies on the mark that this leaves, whatever else the part may say.
    Registration("SubagentStart", parts=("context_warnings", "pivot", "subagent_budget")),
    Registration("UserPromptSubmit", parts=("prompt_tag", "compaction_alert", "pivot"), timeout=5),
    Registration("PreCompact", parts=("checkpoint",)),
    Registration("SessionStart", parts=("resumption", "compaction_alert")),
)
EVENTS = tuple(dict.fromkeys(entry.event for entry in REGISTRATIONS))


def wanted(switches: Mapping[str, bool]) -> tuple[Registration, ...]:
    """The entries that a configuration calls for, given its `hooks`."""
    return tuple(entry for entry in REGISTRATIONS if any(switches[part] for part in entry.parts))
