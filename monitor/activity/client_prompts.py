"""Prompts that the client makes itself: a subagent's end, a reminder, the output of a command of the person's."""

OWN_SOURCES = frozenset({"system", "loop_wakeup", "schedule_wakeup", "poll_event"})
"""What newer clients say of such a prompt; older ones say nothing."""
INTERRUPTION = "[Request interrupted by user"
"""How the client begins what it notes in the person's name when they stop the agent: an act of theirs, and no words."""
_OPENINGS = (
    "<task-notification>", "<system-reminder>", "<local-command-", "<command-name>", "<command-message>",
    "<bash-input>", "<bash-stdout>", "<bash-stderr>", "<user-memory-input>", "<teammate-message",
)  # fmt: skip
PLAN_HANDED_OVER = "Implement the following plan:"
"""How the client begins the prompt that carries a plan into an emptied window, in the same transcript or a new one."""


def is_clients_own(prompt: str, source: str | None = None) -> bool:
    """Whether nobody has typed this prompt."""
    return source in OWN_SOURCES or prompt.lstrip().startswith(_OPENINGS)
