"""What git has begun in a repository and not finished: a rebase, a merge and their likes, as its files say it."""

import os

from monitor.checkpoints.project.repository import Repository, text_of
from shared.text.plain import one_line

_LONGEST = 120
_REBASES = (("rebase-merge", "msgnum", "end"), ("rebase-apply", "next", "last"))
"""The directory of each kind of rebase, and the files that hold the number of its step and of all of them."""
_HEADS = {"MERGE_HEAD": "merge", "CHERRY_PICK_HEAD": "cherry-pick", "REVERT_HEAD": "revert", "BISECT_LOG": "bisect"}


def operation_in(repository: Repository) -> str:
    """The operation, such as `rebase of feature, step 2 of 3`; empty where there is none."""
    for name, step, steps in _REBASES:
        directory = os.path.join(repository.directory, name)
        if os.path.isdir(directory):
            branch, number, count = (_line(directory, file) for file in ("head-name", step, steps))
            of = f" of {branch.removeprefix('refs/heads/')}" if branch else ""
            at = f", step {number} of {count}" if number.isdecimal() and count.isdecimal() else ""
            return f"rebase{of}{at}"
    return next((what for name, what in _HEADS.items() if os.path.exists(os.path.join(repository.directory, name))), "")


def _line(directory: str, name: str) -> str:
    return one_line(text_of(os.path.join(directory, name), _LONGEST), _LONGEST)
