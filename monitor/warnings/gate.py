"""The gate of a conversation: how long the launcher may stay silent without starting us.

Written by the monitor with each reading at NORMAL; removed by whoever sees that it no longer holds.
"""

import os

import msgspec

from monitor.session import Conversation, Session
from shared import client, files, paths
from shared.forecast import largest_turn
from shared.transcript import Tail

CLOCK_SECONDS = 0.020
"""How far behind the clock that stamps files may be: it ticks 100 to 1000 times a second."""
VARIABLES = (
    client.PROCESS_VARIABLE,
    client.MODEL_VARIABLE,
    client.DISABLE_LONG_VARIABLE,
    client.MOST_TOKENS_VARIABLE,
    client.MOST_OUTPUT_VARIABLE,
    client.BEDROCK_VARIABLE,
    client.COMPACT_WINDOW_VARIABLE,
    client.COMPACT_PERCENT_VARIABLE,
    *client.COMPACTION_OFF_VARIABLES,
)
"""What a gate holds for: a resumed session keeps its id, but may run with another window or limit."""

_LIMIT, _TRANSCRIPT = 2, 5
"""Places of lines in the file, which the launcher reads in their order."""
_MOST_DIGITS = 15


class Gate(msgspec.Struct, frozen=True):
    """What a gate says, for who asks."""

    limit: int
    """Tokens up to which the launcher stays silent."""
    transcript: str


def write(session: Session, conversation: Conversation, tail: Tail, tokens: int, first: int) -> None:
    """Let the launcher be silent until one turn could reach `first` tokens, given `tokens` at the end of `tail`.

    The launcher reads again from the newest answer on: what that said and brought is not in `tokens`. A gate is no
    younger than `session`'s settings, so that a change made meanwhile is not missed. Raises OSError.
    """
    path = paths.gate(session.root, conversation.id)
    most = largest_turn(tail.answers)
    limit = 0 if most is None else first - most
    start, model = (tail.answers[0].start, tail.answers[0].model) if tail.answers else (0, "")
    lines = [str(start), str(tokens), str(limit), model, paths.config_file(session.root), conversation.transcript]
    is_known = tokens < limit and all(lines)
    lines += [
        session.project,
        "".join("+" if os.path.exists(brought) else "-" for brought in _brought_along(session.project)),
        "yes" if tail.is_long else "no",
        str(tail.ended - start + 1),
        "|".join(session.environ.get(name, "") for name in VARIABLES),
    ]
    if not is_known or any("\n" in line or "\\" in line for line in lines):
        files.remove(path)
        return
    files.write_atomic(path, os.fsencode("\n".join(lines) + "\n"))
    moment = session.now - CLOCK_SECONDS
    os.utime(path, (moment, moment))


def read(root: str, conversation: str) -> Gate | None:
    """The gate of `conversation`; None when there is none, or it is damaged."""
    lines = os.fsdecode(files.read_or_none(paths.gate(root, conversation)) or b"").split("\n")
    if len(lines) <= _TRANSCRIPT or not lines[_LIMIT].isdecimal() or len(lines[_LIMIT]) > _MOST_DIGITS:
        return None
    return Gate(int(lines[_LIMIT]), lines[_TRANSCRIPT])


def exists(root: str, conversation: str) -> bool:
    return os.path.exists(paths.gate(root, conversation))


def remove(root: str, conversation: str) -> None:
    """Have the next tool use start the monitor."""
    files.remove(paths.gate(root, conversation))


def remove_all(root: str) -> None:
    """Have every conversation's next tool use start the monitor: what the gates rest on has changed."""
    try:
        names = os.listdir(paths.run_directory(root))
    except OSError:
        return
    for name in names:
        if name.startswith("gate-"):
            files.remove(os.path.join(paths.run_directory(root), name))


def _brought_along(project: str) -> tuple[str, ...]:
    """The settings that a project may bring, ours and the client's, in the launcher's order."""
    directory = os.path.join(project, client.DIRECTORY)
    return (
        paths.project_file(project),
        os.path.join(directory, client.SETTINGS),
        os.path.join(directory, client.LOCAL_SETTINGS),
    )
