"""What a session is about, in the words of those who know: the person's prompts, and the agent's last answer.

What was asked, what constrains it, what was decided and what comes next stands in these. They are quoted, and never
sorted by a guess of ours.
"""

import os
from collections.abc import Callable, Iterator

import msgspec

from monitor.checkpoints.token_budget import Section, tokens
from shared import files, paths, pruning
from shared.plain import one_line, untagged

LONGEST = 8_000
"""Characters of one text that are kept; of a longer one the middle is left out."""
KEPT_DAYS = 90
"""After which the words of a checkpoint whose project is gone are removed."""
_GAP = " [\u2026] "
_FEWEST, _MOST_RESTS = 12, 4


class Goal(msgspec.Struct, frozen=True):
    """Secrets are masked in all of it."""

    prompts: tuple[str, ...] = ()
    """The first and the newest, the oldest first; those that the client makes itself are left out."""
    left_out: int = 0
    """Prompts between the first and the newest that are not kept."""
    answer: str = ""
    """The agent's last one in words."""
    summary: str = ""
    """The client's own, of the compaction that the checkpoint came before; empty until it is made."""


class GoalRest(Goal, frozen=True):
    """The sentences of the prompts that a compaction's summary lacks, the most needed prompt first."""


def path_of(root: str, directory: str, name: str) -> str:
    """Where the words of the checkpoint `name` lie, of the project whose real path is `directory`."""
    import hashlib  # noqa: PLC0415  2 ms that only who has a checkpoint pays

    told = f"{directory}\0{name}".encode("utf-8", "surrogateescape")
    return os.path.join(paths.goals_directory(root), f"{hashlib.sha256(told).hexdigest()[:32]}.json")


def read(path: str) -> Goal | None:
    return files.load(path, Goal, None)


def write(path: str, goal: Goal, now: float) -> None:
    """Write the file, and remove those that are so old that no project claims them. Raises OSError."""
    files.write_atomic(path, msgspec.json.format(msgspec.json.encode(goal), indent=2) + b"\n")
    pruning.prune(os.path.dirname(path), now, KEPT_DAYS * 24 * 3600)


def short(goal: Goal | None, budget: int, safe: Callable[[str], str]) -> list[Section]:
    """What was asked first and last, in at most `budget` tokens as `safe` lets them stand."""
    if goal is None or not goal.prompts:
        return []
    asked = {"First asked": goal.prompts[0], "Last asked": goal.prompts[-1]}
    if len(goal.prompts) == 1:
        asked = {"Asked": goal.prompts[0]}
    if isinstance(goal, GoalRest):
        asked = {"Asked, and not in the summary": " | ".join(goal.prompts[:_MOST_RESTS])}
    longest = LONGEST
    while True:
        sections = [Section(label, [one_line(text, longest)]) for label, text in asked.items()]
        text = "\n".join(f"{section.label}: {safe(section.items[0])}" for section in sections)
        if tokens(text + "\n") <= budget or longest <= _FEWEST:
            return sections
        longest = longest * 9 // 10


def quoted(goal: Goal | None, budget: int) -> Iterator[str]:
    """Every prompt that is kept, and the last answer, as Markdown quotations in at most `budget` tokens or so."""
    if goal is None:
        return
    longest = LONGEST
    while tokens("\n".join(_quoted(goal, longest))) > budget and longest > _FEWEST:
        longest = longest * 4 // 5
    yield from _quoted(goal, longest)


def _quoted(goal: Goal, longest: int) -> Iterator[str]:
    yield from ("## What the person asked, in their words", "")
    for number, text in enumerate(goal.prompts, 1):
        if number == len(goal.prompts) and goal.left_out:
            yield from (f"({goal.left_out} earlier prompts are left out.)", "")
        yield from _quotation(text, longest)
    if goal.answer:
        yield from ("## What the agent answered last", "")
        yield from _quotation(goal.answer, longest)


def _quotation(text: str, longest: int) -> Iterator[str]:
    yield from (f"> {line}".rstrip() for line in untagged(cut(text, longest)).splitlines())
    yield ""


def cut(text: str, longest: int) -> str:
    """`text` without its middle: what it is about stands at its beginning, and what it must not be at its end."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return text[: longest - end] + _GAP + text[-end:]
