"""The strategies, by the names that a person, the matrix of decisions and the state file know them by."""

import sys

from monitor.exporting.pruning import prune
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
    module = STRATEGIES[name]
    __import__(module)
    outcome: Outcome = sys.modules[module].carry_out(context)
    context.session.attempt(_prune, context)
    return outcome


def _prune(context: Context) -> None:
    settings = context.session.config.pivot
    most_bytes = settings.keep_megabytes << 20
    prune(context.project, settings.export_directory, settings.keep_exports, most_bytes, context.session.now)
