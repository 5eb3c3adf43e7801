"""The strategies, by the names used by the person, the decision matrix and the state file."""

import sys

from monitor.exporting.folder import prune
from monitor.pivot.strategies.strategy import Context, Outcome

STRATEGIES = {name: f"{__name__}.{name}" for name in ("chunk", "compress", "export", "spawn")}
"""The module of each strategy, imported only when it is carried out."""
_MOST_BYTES = 200 << 20
"""Bytes of all of a project's exports; the newest stays, whatever its size."""


def carry_out(name: str, context: Context) -> Outcome:
    """Carry out a strategy, and prune old exports. Raises KeyError, OSError, OutsideProjectError."""
    module, session = STRATEGIES[name], context.session
    __import__(module)
    outcome: Outcome = sys.modules[module].carry_out(context)
    session.attempt(prune, session, context.project, session.config.pivot.keep_exports, _MOST_BYTES)
    return outcome
