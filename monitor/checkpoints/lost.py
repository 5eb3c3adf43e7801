"""What a compaction took away: the facts of a checkpoint that the client's summary does not name.

That a word is missing is no proof that its matter is, nor is a name all that was known of a file. But what the
summary names needs no second telling, and this is the part that can be known without a model.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from monitor.activity.command import bare
from monitor.checkpoints.checkpoint import Checkpoint, FileUse
from monitor.checkpoints.goal import Goal, GoalRest

MOST_WORDS, FEWEST_WORDS = 12, 4
"""Words of a sentence that are looked for; one with fewer asks for nothing that could be lost."""
LONGEST_NAME = 100
"""Characters of a command that are looked for: what names a longer one may have cut it."""
PART = 0.8
"""Of a sentence's longer words, found in one line of the summary: it says so in words of its own."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_GAP = " [\u2026] "


def missing(checkpoint: Checkpoint, summary: str) -> Checkpoint:
    """`checkpoint` without what `summary` says already; of the prompts, the sentences that it lacks are left."""
    said = _Summary(summary)
    info = checkpoint.session_info
    if info.branch and said.names(info.branch):
        info = replace(info, branch=None, head=None)
    names = Counter(os.path.basename(use.path) for use in (*checkpoint.files_edited, *checkpoint.files_read))
    edited = {use.path for use in checkpoint.files_edited}
    read = tuple(use for use in checkpoint.files_read if use.path not in edited)
    return replace(
        checkpoint,
        session_info=info,
        goal=_unsaid(checkpoint.goal, said),
        todo=tuple(task for task in checkpoint.todo if not said.says(task.text)),
        checks=tuple(check for check in checkpoint.checks if not said.names(check.command)),
        files_edited=tuple(use for use in checkpoint.files_edited if not _is_named(use, names, said)),
        files_read=tuple(use for use in read if not _is_named(use, names, said)),
        dirty_files=tuple(one for one in checkpoint.dirty_files if not said.names(_file_of(one))),
        failing_commands=tuple(one for one in checkpoint.failing_commands if not said.names(bare(one.command))),
    )


def facts(checkpoint: Checkpoint) -> int:
    """How many facts a checkpoint holds of those that a summary might name."""
    goal = len(checkpoint.goal.prompts) if checkpoint.goal else 0
    files = len(checkpoint.files_edited) + len(checkpoint.files_read) + len(checkpoint.dirty_files)
    return goal + len(checkpoint.todo) + files + len(checkpoint.checks) + len(checkpoint.failing_commands)


class _Summary:
    """What a summary says, as it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())
        self._words = " ".join(_words(text))
        self._lines = [set(_words(line)) for line in text.splitlines()]

    def names(self, name: str) -> bool:
        """Whether a path, a command or a branch stands in it, whole."""
        name = " ".join(name.split())
        begin, end = name[:LONGEST_NAME], "" if len(name) > LONGEST_NAME else r"(?![\w-])"
        return re.search(rf"(?<![\w.-]){re.escape(begin)}{end}", self._text) is not None

    def says(self, sentence: str) -> bool:
        """Whether a sentence stands in it, by its first words or by most of its longer ones in one line."""
        words = _words(sentence)[:MOST_WORDS]
        longer = {word for word in words if len(word) > 3}
        if f" {' '.join(words)} " in f" {self._words} ":
            return True
        return bool(longer) and any(len(longer & line) >= PART * len(longer) for line in self._lines)


def _is_named(use: FileUse, names: Counter[str], said: _Summary) -> bool:
    """Whether a file is named: by its name, or with its directory where the session had several of that name."""
    name = os.path.basename(use.path)
    return said.names(name if names[name] < 2 else "/".join(re.split(r"[/\\]", use.path)[-2:]))


def _file_of(entry: str) -> str:
    """The file's name in an entry of `git status`, such as `.M src/cart.py`."""
    return os.path.basename(entry.partition(" ")[2].rstrip("/"))


def _unsaid(goal: Goal | None, said: _Summary) -> Goal | None:
    """The first prompt's rest and then the newest ones'; None where nothing is left."""
    if goal is None:
        return None
    first, *later = goal.prompts
    rests = [rest for prompt in (first, *reversed(later)) if (rest := _GAP.join(_lacking(prompt, said)))]
    return GoalRest(tuple(rests)) if rests else None


def _lacking(prompt: str, said: _Summary) -> Iterator[str]:
    for sentence in _SENTENCE.split(prompt):
        if len(_words(sentence)) >= FEWEST_WORDS and not said.says(sentence):
            yield sentence.strip()


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
