"""The strategies, by the names that a person, the matrix of decisions and the state file know them by."""

import sys

from monitor.exporting.folder import prune
from monitor.pivot.strategies.strategy import Context, Outcome

STRATEGIES = {
    "chunk": "monitor.pivot.strategies.chunk",
    "compress": "monitor.pivot.strategies.compress",
    "export": "monitor.pivot.strategies.export",
    "spawn": "monitor.pivot.strategies.spawn",
}
"""The file of each, imported only when it is carried out."""


def carry_out(name: str, context: Context) -> Outcome:
    """Carry out the strategy called `name`, and remove the oldest of what earlier ones have left.

    Raises KeyError for a name that is none, OSError when a file cannot be written, OutsideProjectError when it would
    lie elsewhere.
    """
    module, session = STRATEGIES[name], context.session
    __import__(module)
    outcome: Outcome = sys.modules[module].carry_out(context)
    settings = session.config.pivot
    limits = settings.keep_exports, settings.keep_megabytes << 20
    session.attempt(prune, context.project, settings.export_directory, *limits, session.now)
    return outcome
