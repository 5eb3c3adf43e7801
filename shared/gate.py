"""The gate of a conversation: how long the launcher may stay silent without starting us.

The monitor writes it with each reading; any process that sees that it no longer holds removes it. Next to it the
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
"""The most by which a file's time may lag behind the clock: the kernel's ticks 100 to 1000 times a second."""
VARIABLES = (
    client.PROCESS_VARIABLE, client.MODEL_VARIABLE, client.BASE_URL_VARIABLE, client.FIRST_PARTY_VARIABLE,
    client.DISABLE_LONG_VARIABLE, client.MOST_TOKENS_VARIABLE, client.MOST_OUTPUT_VARIABLE, client.BEDROCK_VARIABLE,
    client.BETAS_VARIABLE, client.COMPACT_WINDOW_VARIABLE, client.COMPACT_PERCENT_VARIABLE,
    *client.COMPACTION_OFF_VARIABLES,
)  # fmt: skip
"""What a gate holds for: a resumed session keeps its id, but may run with another window or limit."""

ANY_NUMBER = "-"
"""In place of a number of tool uses: none of them has anything to say, however many there are."""
_MOST_DIGITS = 15
NOWHERE = 10**12
"""Tokens that no window reaches: above the last level nothing new begins."""
_MOST_NOTES = 1 << 16
"""Bytes of the launcher's notes."""


class Gate(msgspec.Struct, frozen=True):
    tokens: int
    """In the window when it was written."""
    limit: int
    """Tokens from which on something may be due."""
    transcript: str


class Bound(msgspec.Struct, frozen=True):
    """Up to where nothing can be due."""

    tokens: int
    """In the window now."""
    limit: int
    """Tokens from which on something may be due."""
    turn: int | None = 0
    """Tokens that an answer which isn't written yet may add; None: any number."""
    uses: int | None = None
    """Tool uses that may pass before something is due; None: any number."""
    is_at_level: bool = False
    """Whether a fall of the tokens must be noticed, too: it re-arms."""
    result_bytes: int = 0
    """The size of the result in hand, which the transcript doesn't hold yet."""
    tool_use_id: str = ""
    """The tool use that has brought it."""


def due_at(verdict: Verdict, levels: LevelRules, pivot: PivotLevels | None) -> int:
    """Tokens from which on something new may be due: at the next level, the pivot's next threshold, or a disproof.

    A reading that disproves the limit or the window ends a level. Of a verdict with tokens and a window; `pivot` is
    None where its thresholds bring nothing.
    """
    tokens, window = verdict.reading.tokens or 0, verdict.reading.window or 0
    limit = verdict.limit.tokens if verdict.limit else None
    # What the newest answer has gone beyond counts with the next one.
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
    """Let the launcher be silent within `bound`, given `tail`, the end of the transcript; remove the gate otherwise.

    The launcher reads again from the newest answer on: what that said and brought is not in the bound's tokens. A
    gate is no younger than the settings, which were read after `now` (epoch seconds), so that a change made meanwhile
    is not missed. Raises OSError.
    """
    start, model = (tail.answers[0].start, tail.answers[0].model) if tail.answers else (0, "")
    if bound.uses is None:  # else those that passed since this monitor took the notes still count
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
        "".join(["+" if os.path.exists(path) else "-" for path in _brought_along(project)]),
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
    """The gate of `conversation`; None when there is none, or it is damaged."""
    lines = os.fsdecode(files.read_or_none(paths.gate(root, conversation)) or b"").split("\n")
    if len(lines) < 6:
        return None
    _, tokens, limit, _, _, transcript, *_ = lines  # in the order in which `write` has them
    if any(not number.isdecimal() or len(number) > _MOST_DIGITS for number in (tokens, limit)):
        return None
    return Gate(int(tokens), int(limit), transcript)


def notes(root: str, conversation: str) -> tuple[int, int]:
    """Tool uses since a monitor last looked, the one in hand included, and the bytes of the last that was let pass.

    The transcript may not hold that one's result yet; 0 where there is none. A parallel call's monitor counts its own.
    """
    return _notes_in(paths.gate_notes(root, conversation))


def _notes_in(path: str) -> tuple[int, int]:
    document = files.read_or_none(path, _MOST_NOTES) or b""
    sizes = [line.partition(b" ")[0] for line in document.rpartition(b"-\n")[0].splitlines()]
    passed = [int(size) for size in sizes if size.isdigit() and len(size) <= _MOST_DIGITS]
    return document.splitlines().count(b"-") + 1, passed[-1] if passed else 0


def take_uses(root: str, conversation: str) -> int:
    """The tool uses since a monitor last looked, the one in hand included; the launcher's notes on them are removed.

    To be called by one process at a time.
    """
    path = paths.gate_notes(root, conversation)
    if not os.path.exists(path):  # mostly so: a rename costs more
        return 1
    own = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.tmp")
    try:
        os.replace(path, own)  # what is noted from now on is the next monitor's
    except OSError:
        return 1
    uses, _ = _notes_in(own)
    files.remove(own)
    return uses


def remove(root: str, conversation: str) -> None:
    """Have the next tool use start the monitor. What the launcher has noted stays: those tool uses count."""
    files.remove(paths.gate(root, conversation))


def remove_all(root: str) -> None:
    """Have every conversation's next tool use start the monitor: what the gates rest on has changed."""
    directory = paths.run_directory(root)
    try:
        names = os.listdir(directory)
    except OSError:
        return
    for name in names:
        if name.startswith("gate-"):
            files.remove(os.path.join(directory, name))


def _brought_along(project: str) -> tuple[str, ...]:
    """The settings that a project may bring, ours and the client's, in the launcher's order."""
    names = client.SETTINGS, client.LOCAL_SETTINGS
    return (paths.project_file(project), *(os.path.join(project, client.DIRECTORY, name) for name in names))
