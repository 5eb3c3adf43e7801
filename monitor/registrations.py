"""Which events of the client start us, for which tools, and for the sake of which parts.

The installer asks for this table and brings settings.json in line with it: an event whose parts are all
switched off is not registered, and costs nothing.
"""

import msgspec

from shared.config import Config

WRITING_TOOLS = "Write|Edit|MultiEdit|NotebookEdit"


class Registration(msgspec.Struct, frozen=True):
    """One entry in settings.json."""

    event: str
    matcher: str = "*"
    """The tools, in the client's notation; events without tools ignore it."""
    parts: tuple[str, ...] = ()
    """Switches in the configuration's `hooks` of which one being on is enough."""
    argument: str = ""
    """Handed to the process, where one event has several hooks (monitor.dispatch)."""
    is_gated: bool = False
    """Whether the launcher is started, which leaves at once while nothing can be due."""
    timeout: int = 10
    """Seconds."""


REGISTRATIONS = (
    Registration("PostToolUse", parts=("context_warnings", "pivot"), is_gated=True),
    Registration("PostToolUseFailure", parts=("context_warnings", "pivot"), is_gated=True),
    Registration("PostToolUse", WRITING_TOOLS, ("staleness",), argument="staleness"),
    Registration("PreToolUse", "Agent|Task|Skill", ("ceiling_guard",)),
    Registration("PreToolUse", "Read|Grep|Glob|Bash", ("read_guard",)),
    # The launcher relies on the mark that this leaves, whatever else the part may say.
    Registration("SubagentStart", parts=("context_warnings", "pivot", "subagent_budget")),
    Registration("UserPromptSubmit", parts=("prompt_tag", "compaction_alert", "pivot"), timeout=5),
    Registration("PreCompact", parts=("checkpoint",)),
    Registration("SessionStart", parts=("resumption",)),
)


def wanted(config: Config) -> list[Registration]:
    """The entries that the configuration calls for."""
    return [entry for entry in REGISTRATIONS if any(getattr(config.hooks, part) for part in entry.parts)]
