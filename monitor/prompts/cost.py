"""The notice on a full window's cost in tokens. It is for the person: what to do about it is not the agent's call."""

from msgspec.structs import replace

from monitor import command_line
from monitor.memory.memory import Memory, PromptMemory
from monitor.pivot.cost import cost_of
from monitor.prompts.prompt import Prompt
from shared.client import client

STEP_TOKENS = 100_000
"""Tokens by which the window must have grown for another notice."""


def cost_notice(prompt: Prompt, memory: Memory, *, is_alone: bool = True) -> str:
    """The notice of the cost, with a suggestion if `is_alone`; empty below `notices.cost_tokens`, and if headless."""
    verdict, session, last = prompt.verdict, prompt.session, memory.prompt or PromptMemory()
    first, tokens = session.config.notices.cost_tokens, verdict.reading.tokens if verdict else None
    if tokens is None or not first or tokens < first or client.is_headless(session.environ):
        return ""
    reached = first + (tokens - first) // STEP_TOKENS * STEP_TOKENS
    if reached <= last.cost_tokens:
        return ""
    memory.prompt = replace(last, cost_tokens=reached)
    cost = cost_of(tokens, session, prompt.project)
    if not is_alone:
        return cost
    command = command_line.pivot(session, "spawn", prompt.conversation.session_id)
    return f"Tidegauge: {cost} To move the work to a new session: {command}"
