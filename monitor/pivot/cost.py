"""The cost of a full window in tokens: those that each tool use re-reads, and those a new session would begin with."""

from monitor.session import Project, Session
from shared.text.quantities import tokens_text


def cost_of(tokens: int, session: Session, project: Project | None) -> str:
    """The cost of a window with `tokens` in use; the tokens of a new session are left out if unknown."""
    from history.fresh_starts import median_fresh_start  # noqa: PLC0415  a database, once in 100,000 tokens

    fresh = median_fresh_start(session.root, project.directory) if project else None
    begins = f"; a new session here begins with {tokens_text(fresh)}" if fresh is not None and fresh < tokens else ""
    return f"Each tool use re-reads {tokens_text(tokens)} tokens{begins}."
