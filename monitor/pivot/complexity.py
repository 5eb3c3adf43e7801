"""How complex a session's work is, by plain signals: what it changes, what it has yet to do, what it looks at."""

from typing import Literal

import msgspec

from monitor.activity.activity import Activity
from shared.text.quantities import counted
from shared.transcript.session_paths import rules_of

FEWEST_LOOKS, LOOKS_PER_EDIT = 15, 10
"""Research: the fewest reads and searches, and the fewest of them for each edit."""
FILES, DIRECTORIES, OPEN_TASKS, SUBAGENTS = 6, 3, 5, 3
"""Complex: at least one of these is reached."""


class Complexity(msgspec.Struct, frozen=True):
    kind: Literal["simple", "complex", "research"]
    reasons: tuple[str, ...]


def complexity_of(activity: Activity) -> Complexity:
    """The complexity of the work since the last compaction."""
    calls = activity.log.calls
    edits = [call for call in calls if call.is_edit]
    looks = sum(call.is_read or call.kind == "search" for call in calls)
    if looks >= max(FEWEST_LOOKS, LOOKS_PER_EDIT * len(edits)):
        return Complexity("research", (f"{looks} reads and searches, {counted(len(edits), 'edit')}",))
    files = {call.path for call in edits}
    signals = (
        (len(files), "edited file", FILES),
        (len({rules_of(path).dirname(path) for path in files}), "edited directory", DIRECTORIES),
        (len(activity.open_tasks), "open task", OPEN_TASKS),
        (sum(call.kind == "delegate" for call in calls), "subagent", SUBAGENTS),
    )
    reasons = tuple(counted(number, name) for number, name, least in signals if number >= least)
    if reasons:
        return Complexity("complex", reasons)
    return Complexity("simple", (f"{counted(len(files), 'file')} edited",))
