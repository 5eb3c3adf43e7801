"""The gate of a conversation: how long the launcher may stay silent without starting us.

The monitor writes it with each reading; any process that finds it no longer valid removes it. Next to it the
launcher notes each tool use that it lets pass.
"""

import os
from collections.abc import Mapping

import msgspec

from shared import paths
from shared.client import client
from shared.files import files
from shared.gauge.levels import LevelRules, PivotLevel, PivotLevels, begins_at
from shared.gauge.limit import disproofs
from shared.gauge.verdict import Verdict
from shared.transcript.tail import Tail

CLOCK_SECONDS = 0.020
"""The most that a file's time may lag behind the clock: the kernel's ticks 100 to 1000 times a second."""
VARIABLES = (
    client.PROCESS_VARIABLE, client.MODEL_VARIABLE, client.BASE_URL_VARIABLE, client.FIRST_PARTY_VARIABLE,
    client.DISABLE_LONG_VARIABLE, client.MOST_TOKENS_VARIABLE, client.MOST_OUTPUT_VARIABLE, client.BEDROCK_VARIABLE,
    client.BETAS_VARIABLE, client.COMPACT_WINDOW_VARIABLE, client.COMPACT_PERCENT_VARIABLE,
    *client.COMPACTION_OFF_VARIABLES,
)  # fmt: skip
"""A gate is valid only for the same values: a resumed session keeps its id, but may have another window or limit."""

ANY_NUMBER = "-"
"""Stands for a number of tool uses where none has anything to say, however many there are."""
_MOST_DIGITS = 15
NOWHERE = 10**12
"""More tokens than any window holds: above the last level nothing new begins."""
_MOST_NOTES = 1 << 16
"""Bytes of the launcher's notes."""


class Gate(msgspec.Struct, frozen=True):
    tokens: int
    """Tokens in the window when the gate was written."""
    limit: int
    """Tokens from which something may be due."""
    transcript: str


class Bound(msgspec.Struct, frozen=True):
    """The range within which nothing can be due."""

    tokens: int
    """Tokens in the window now."""
    limit: int
    """Tokens from which something may be due."""
    turn: int | None = 0
    """Tokens that an answer not yet written may add; None: any number."""
    uses: int | None = None
    """Tool uses that may pass before something is due; None: any number."""
    is_at_level: bool = False
    """Whether a drop in tokens must be noticed too, because it re-arms the level."""
    result_bytes: int = 0
    """The size of the current tool result, which the transcript doesn't hold yet."""
    tool_use_id: str = ""
    """The tool use that returned it."""


def due_at(verdict: Verdict, levels: LevelRules, pivot: PivotLevels | None) -> int:
    """Tokens from which something new may be due: the next level, the pivot's next threshold, or a disproof.

    A reading that disproves the limit or the window ends a level. The verdict must have tokens and a window; `pivot`
    is None where its thresholds trigger nothing.
    """
    tokens, window = verdict.reading.tokens or 0, verdict.reading.window or 0
    limit = verdict.limit.tokens if verdict.limit else None
    # A bound that the newest answer has already passed counts from the next answer.
    bounds = [max(at, tokens + 1) for at in disproofs(verdict.limit, window)]
    if pivot is not None:
        bounds.append(int(window * pivot.emergency / 100))
        if verdict.pivots_from <= PivotLevel.CRITICAL:
            bounds += [int(window * pivot.critical / 100), (limit or window) - levels.critical.compact_margin_tokens]
    ahead = [at for at in bounds if at > tokens]
    ahead += [begins_at(rule, window, limit) for _, rule in levels.above(verdict.level)]
    return min(ahead, default=NOWHERE)


def write(
    root: str,
    conversation: str,
    transcript: str,
    tail: Tail,
    bound: Bound,
    *,
    project: str,
    environ: Mapping[str, str],
    now: float,
) -> None:
    """Let the launcher stay silent within `bound`, given the transcript's `tail`; otherwise remove the gate.

    The launcher rereads from the newest answer on, whose output and results are not in the bound's tokens. The gate's
    time is no later than `now` (epoch seconds), after which the settings were read, so that no change made meanwhile
    is missed. Raises OSError.
    """
    start, model = (tail.answers[0].start, tail.answers[0].model) if tail.answers else (0, "")
    if bound.uses is None:  # otherwise the uses that passed since this monitor took the notes still count
        files.remove(paths.gate_notes(root, conversation))
    if bound.tokens >= bound.limit or bound.uses == 0 or not (model and transcript):
        remove(root, conversation)
        return
    lines = [  # in the order in which the launcher reads them
        str(start),
        str(bound.tokens),
        str(bound.limit),
        model,
        paths.config_file(root),
        transcript,
        project,
        "".join(["+" if os.path.exists(path) else "-" for path in _project_settings_files(project)]),
        "yes" if tail.is_long else "no",
        str(tail.ended - start + 1),
        ANY_NUMBER if bound.uses is None else str(bound.uses),
        "yes" if bound.is_at_level else "no",
        f"{bound.result_bytes} {bound.tool_use_id}",
        str(NOWHERE if bound.turn is None else bound.turn),
        "|".join([environ.get(name, "") for name in VARIABLES]),
    ]
    text = "\n".join(lines)
    if text.count("\n") >= len(lines) or "\\" in text:
        remove(root, conversation)
        return
    files.write_atomic(paths.gate(root, conversation), os.fsencode(text + "\n"), modified=now - CLOCK_SECONDS)


def read(root: str, conversation: str) -> Gate | None:
    """The gate of `conversation`; None when it is missing or damaged."""
    lines = os.fsdecode(files.read_or_none(paths.gate(root, conversation)) or b"").split("\n")
    if len(lines) < 6:
        return None
    _, tokens, limit, _, _, transcript, *_ = lines  # in the order in which `write` has them
    if any(not number.isdecimal() or len(number) > _MOST_DIGITS for number in (tokens, limit)):
        return None
    return Gate(int(tokens), int(limit), transcript)


def notes(root: str, conversation: str) -> tuple[int, int]:
    """Tool uses since a monitor last looked, including the current one, and the event's bytes of the last that passed.

    The transcript may not hold its result yet; 0 where none passed. A parallel call's monitor counts its own.
    """
    return _notes_in(paths.gate_notes(root, conversation))


def _notes_in(path: str) -> tuple[int, int]:
    document = files.read_or_none(path, _MOST_NOTES) or b""
    sizes = [line.partition(b" ")[0] for line in document.rpartition(b"-\n")[0].splitlines()]
    passed = [int(size) for size in sizes if size.isdigit() and len(size) <= _MOST_DIGITS]
    return document.splitlines().count(b"-") + 1, passed[-1] if passed else 0


def take_uses(root: str, conversation: str) -> int:
    """Return the tool uses since a monitor last looked, with this one, and remove the notes. Not for parallel calls."""
    path = paths.gate_notes(root, conversation)
    if not os.path.exists(path):  # the usual case; a rename costs more
        return 1
    own = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.tmp")
    try:
        os.replace(path, own)  # later notes are for the next monitor
    except OSError:
        return 1
    uses, _ = _notes_in(own)
    files.remove(own)
    return uses


def remove(root: str, conversation: str) -> None:
    """Make the next tool use start the monitor. The launcher's notes stay, since those tool uses count."""
    files.remove(paths.gate(root, conversation))


def remove_all(root: str) -> None:
    """Make every conversation's next tool use start the monitor, since what the gates rest on has changed."""
    directory = paths.run_directory(root)
    try:
        names = os.listdir(directory)
    except OSError:
        return
    for name in names:
        if name.startswith("gate-"):
            files.remove(os.path.join(directory, name))


def _project_settings_files(project: str) -> tuple[str, ...]:
    """The settings files that a project may have, ours and the client's, in the launcher's order."""
    names = client.SETTINGS, client.LOCAL_SETTINGS
    return (paths.project_file(project), *(os.path.join(project, client.DIRECTORY, name) for name in names))
