"""Warnings of an installation, and notices of what it leaves as it is."""

import os
import subprocess
from collections.abc import Iterator

from installer import arguments
from installer.installation import Installation
from installer.layout import Layout
from installer.settings import document, foreign_entries, settings
from shared.client.client import SETTINGS


def lines(run: Installation, doubled: list[str]) -> Iterator[str]:
    """The warnings; `doubled` are the other settings files that have hooks of ours."""
    path = run.layout.settings
    for personal in run.client_files.personal:
        yield f"{personal} is yours, or you have changed it: it stays as it is."
    if run.client_files.problem:
        yield f"No /token-status in the client: {run.client_files.problem}."
    yield from (_of_copy(copy, run) for copy in doubled)
    monitors = ", ".join(run.other_monitors())
    if monitors and run.choices.other_monitors == "off":
        yield f"{monitors}: switched off until you uninstall, as you chose (--other-monitors keep)."
    elif monitors:
        yield f"Also watching the context window, and left on (--other-monitors off): {monitors}."
    if run.planned.after is not None and _would_be_committed(run.layout):
        yield f"Git does not ignore {path} yet: add .claude/settings.local.json to .gitignore."
    for command, kind in foreign_entries.find(run.present, run.layout).items():
        if foreign_entries.is_dead(command):
            yield f"A {kind} of a deleted Tidegauge is removed: {command}"
        else:
            yield f"Warning: another Tidegauge also has a {kind} in {path}: {command}"
    if document.value(settings.text_of(path, run.planned.after), "disableAllHooks") is True:
        yield f'Warning: "disableAllHooks" in {path} keeps the client from running any of this.'


def _of_copy(path: str, run: Installation) -> str:
    already = f"Warning: {path} already has the hooks of Tidegauge"
    if path == run.layout.personal_settings:
        if run.choices.hooks:
            return f"{already}: for you they run twice in this project."
        return f"{already}, for every project: they are not added again here."
    flag = "--team" if os.path.basename(path) == SETTINGS else "--project"
    remedy = f"`{arguments.program()} uninstall {flag}` there removes them"
    return f"{already}: in that project they would run twice. {remedy}."


def _would_be_committed(layout: Layout) -> bool:
    """Whether git would commit settings that should stay with the person."""
    if not layout.project or layout.team:
        return False
    question = ["git", "-C", os.path.dirname(os.path.dirname(layout.settings)), "check-ignore", "-q", layout.settings]
    try:
        code = subprocess.run(question, capture_output=True, check=False, timeout=10).returncode
    except (OSError, subprocess.TimeoutExpired):
        return False
    return code == 1  # 0: it is ignored; 128: this is no repository
