"""What an installation is about to do, in five lines."""

import os
import subprocess

from installer import hooks, link, settings, source, status_line
from installer.installation import Installation
from installer.layout import Layout


def lines(run: Installation, directory: str) -> list[str]:
    """The summary; `directory` is what it is installed from."""
    layout, chosen = run.layout, run.choices
    verb = "is reinstalled in" if os.path.isdir(layout.environment) else "goes into"
    return [
        f"Tidegauge {source.version(directory)} {verb} {layout.root} ({chosen.describe()})",
        f"  adds   {_added(run)}",
        f"  keeps  {_kept(run)}",
        f"  wraps  {_wrapped(run)}",
        f"  leave  {_leaving(run)}",
    ]


def _added(run: Installation) -> str:
    layout = run.layout
    text = settings.text_of(layout.settings, run.planned.after)
    ours = hooks.find(text, layout) if text.strip() else []
    added = ["the status line"] if text.strip() and status_line.command(text, layout) is not None else []
    added += [f"{len(ours)} hooks"] if ours else []
    added += ["/token-status and its agent"] if run.companions.written else []
    added += [f"the command {run.link}"] if run.link else []
    return ", ".join(added) or "nothing"


def _kept(run: Installation) -> str:
    path = run.layout.settings
    if run.planned.before == run.planned.after:
        return f"{path} as it is"
    if run.planned.before is None:
        return f"nothing: there is no {path} yet"
    return f"every other character of {path}, with a copy beside it"


def _wrapped(run: Installation) -> str:
    entry = run.planned.entry
    if entry is None or not status_line.is_runnable(entry.former.status_line):
        return "nothing: there is no other status line"
    where = {"below": "ours below it", "above": "ours above it", "hidden": "ours hidden"}[run.wrapping]
    return f"your status line, {shown(run)}: it stays, {where} (--wrap below, above or hidden)"


def shown(run: Installation) -> str:
    """The command of the status line that is wrapped, in a few words."""
    entry = run.planned.entry
    command = status_line.command_of(entry.former.status_line if entry is not None else None)
    words = " ".join("".join(c if c.isprintable() else " " for c in command or "").split())
    return words if len(words) <= 50 else f"{words[:49]}…"


def _leaving(run: Installation) -> str:
    return f"{command(run)} uninstall, which restores everything"


def command(run: Installation) -> str:
    """How the person can call our command: by its name where we have linked it, or are about to."""
    is_linked = run.link is not None or link.find(run.layout, os.environ)
    return "tidegauge" if is_linked else _short(run.layout)


def _short(layout: Layout) -> str:
    home = os.path.expanduser("~")
    return layout.command.replace(home, "~", 1) if layout.command.startswith(home + os.sep) else layout.command


def by_name(run: Installation) -> str | None:
    """The one line that makes the command known by its name, where it isn't and we could not do it."""
    if run.layout.windows or run.layout.project or link.existing(os.environ) is not None:
        return None
    make = f"mkdir -p ~/.local/bin && ln -s {_short(run.layout)} ~/.local/bin/"
    return f"To call it by name: {make} (with ~/.local/bin on your PATH)"


def committed(layout: Layout) -> str | None:
    """A warning where git would take along the settings that are to stay with the person."""
    if not layout.project or layout.team:
        return None
    question = ["git", "-C", os.path.dirname(os.path.dirname(layout.settings)), "check-ignore", "-q", layout.settings]
    try:
        code = subprocess.run(question, capture_output=True, check=False, timeout=10).returncode
    except (OSError, subprocess.TimeoutExpired):
        return None
    if code != 1:  # 0: it is ignored; 128: this is no repository
        return None
    return f"Git does not ignore {layout.settings} yet: add .claude/settings.local.json to .gitignore."
