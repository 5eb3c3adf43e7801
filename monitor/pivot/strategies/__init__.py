"""The strategies, by the names that a person, the matrix of decisions and the state file know them by."""

import sys

from monitor.pivot.strategies.strategy import Context, Outcome, StrategyModule

STRATEGIES = {
    "chunk": "monitor.pivot.strategies.chunk",
    "compress": "monitor.pivot.strategies.compress",
    "export": "monitor.pivot.strategies.export",
    "spawn": "monitor.pivot.strategies.spawn",
}
"""The file of each, imported only when it is carried out."""


def carry_out(name: str, context: Context) -> Outcome:
    """Carry out the strategy called `name`. Raises KeyError for a name that is none, OSError, OutsideProjectError."""
    return _strategy(name).carry_out(context)


def summaries() -> dict[str, str]:
    """What each is good for, in one line."""
    return {name: _strategy(name).SUMMARY for name in STRATEGIES}


def _strategy(name: str) -> StrategyModule:
    module = STRATEGIES[name]
    __import__(module)
    strategy: StrategyModule = sys.modules[module]  # type: ignore[assignment]  # a module is its strategy
    return strategy
