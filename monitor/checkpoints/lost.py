"""What a compaction took away: the facts of a checkpoint that the client's summary does not name.

That a word is missing is no proof that its matter is, nor is a name all that was known of a file. But what the
summary names needs no second telling, and this is the part that can be known without a model.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from monitor.activity.requests import UserRequest
from monitor.checkpoints.checkpoint import Checkpoint, FileUse
from monitor.checkpoints.words import SessionWords, UnsaidWords

MOST_WORDS, FEWEST_WORDS = 12, 4
"""Words of a sentence that are looked for; one with fewer asks for nothing that could be lost."""
_LONGEST_NAME = 100
"""Characters of a command that are looked for: what names a longer one may have cut it."""
_PART = 0.8
"""The part of a sentence's longer words that one line of the summary must have to say the same in other words."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_GAP = " [\u2026] "


def missing(checkpoint: Checkpoint, summary: str) -> Checkpoint:
    """`checkpoint` without what `summary` says already; of the prompts, the sentences that it lacks are left."""
    text = _Summary(summary)
    info = checkpoint.session_info
    begun = info.operation.partition(" ")[0]
    if info.branch and text.names(info.branch) and (not begun or text.names(begun)):
        info = replace(info, branch=None, head=None)
    names = Counter(os.path.basename(use.path) for use in (*checkpoint.files_edited, *checkpoint.files_read))
    edited = {use.path for use in checkpoint.files_edited}
    read = tuple(use for use in checkpoint.files_read if use.path not in edited)
    return replace(
        checkpoint,
        session_info=info,
        words=_unsaid(checkpoint.words, text),
        todo=tuple(task for task in checkpoint.todo if not text.says(task.text)),
        checks=tuple(check for check in checkpoint.checks if not text.names(check.command)),
        files_edited=tuple(use for use in checkpoint.files_edited if not _is_named(use, names, text)),
        files_read=tuple(use for use in read if not _is_named(use, names, text)),
        dirty_files=tuple(one for one in checkpoint.dirty_files if not text.names(_file_of(one))),
        failing_commands=tuple(one for one in checkpoint.failing_commands if not text.names(one.command)),
    )


def facts(checkpoint: Checkpoint) -> int:
    """How many facts a checkpoint holds of those that a summary might name."""
    requests = len(checkpoint.words.requests) if checkpoint.words else 0
    files = len(checkpoint.files_edited) + len(checkpoint.files_read) + len(checkpoint.dirty_files)
    return requests + len(checkpoint.todo) + files + len(checkpoint.checks) + len(checkpoint.failing_commands)


class _Summary:
    """What a summary says, as it is asked for."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.split())
        self._words = " ".join(_words(text))
        self._lines = [set(_words(line)) for line in text.splitlines()]

    def names(self, name: str) -> bool:
        """Whether a path, a command or a branch stands in it, whole."""
        name = " ".join(name.split())
        begin, end = name[:_LONGEST_NAME], "" if len(name) > _LONGEST_NAME else r"(?![\w-])"
        return re.search(rf"(?<![\w.-]){re.escape(begin)}{end}", self._text) is not None

    def says(self, sentence: str) -> bool:
        """Whether a sentence stands in it, by its first words or by most of its longer ones in one line."""
        words = _words(sentence)[:MOST_WORDS]
        longer = {word for word in words if len(word) > 3}
        if f" {' '.join(words)} " in f" {self._words} ":
            return True
        return bool(longer) and any(len(longer & line) >= _PART * len(longer) for line in self._lines)


def _is_named(use: FileUse, names: Counter[str], summary: _Summary) -> bool:
    """Whether a file is named: by its name, or with its directory where the session had several of that name."""
    name = os.path.basename(use.path)
    return summary.names(name if names[name] < 2 else "/".join(re.split(r"[/\\]", use.path)[-2:]))


def _file_of(entry: str) -> str:
    """The file's name in an entry of `git status`, such as `.M src/cart.py`."""
    return os.path.basename(entry.partition(" ")[2].rstrip("/"))


def _unsaid(words: SessionWords | None, summary: _Summary) -> UnsaidWords | None:
    """The first request's rest, then the newest ones', then decisions; None where nothing is left."""
    if words is None:
        return None
    first, *later = words.asked or [UserRequest("prompt", "")]
    ordered = (first, *reversed(later), *reversed(words.decided))
    rests = [replace(request, text=rest) for request in ordered if (rest := _GAP.join(_lacking(request, summary)))]
    return UnsaidWords(tuple(rests)) if rests else None


def _lacking(request: UserRequest, summary: _Summary) -> Iterator[str]:
    """The sentences of a request that the summary doesn't say; of an answer, it may name the question as well."""
    if request.kind == "answer":
        is_named = summary.says(request.text) or summary.says(f"{request.text} {request.about}")
        yield from () if is_named else (request.text,)
        return
    for sentence in _SENTENCE.split(request.text):
        if len(_words(sentence)) >= FEWEST_WORDS and not summary.says(sentence):
            yield sentence.strip()


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
