"""The summary of what an installation is about to do, in five lines."""

import os
import sys
from collections.abc import Mapping

from installer import configuration
from installer.installation import Installation
from installer.layout import Layout
from installer.program import link, source
from installer.settings import hooks, settings, status_line
from shared.text.plain import one_line


def lines(run: Installation, directory: str) -> list[str]:
    """The summary; `directory` is what it is installed from."""
    layout, chosen = run.layout, run.choices
    verb = "goes into"
    if os.path.isdir(layout.environment):
        verb = "stays in" if run.keeps_program else "is reinstalled in"
    flag = " --team" if layout.team else " --project" if layout.project else ""
    what = "for this project" if flag else chosen.describe()
    return [
        f"Tidegauge {source.version(directory)} {verb} {layout.root} ({what})",
        f"  adds   {_added(run)}",
        f"  keeps  {_backups(run)}",
        f"  wraps  {_wrapped(run)}",
        f"  undo   {command(run)} uninstall{flag}, which lists what stays because it is yours",
    ]


def _added(run: Installation) -> str:
    """The things that are added, because they aren't there yet."""
    layout = run.layout
    texts = run.present, settings.text_of(layout.settings, run.planned.after)
    had_line, has_line = (status_line.command(text, layout) is not None for text in texts)
    had_hooks, has_hooks = (len(hooks.find(text, layout)) for text in texts)
    added = ["the status line"] if has_line and not had_line else []
    if has_hooks > had_hooks:
        file = configuration.text(layout, "messages", "summary_file") or "PROJECT-SUMMARY.md"
        added.append(f"{has_hooks - had_hooks} hooks, which ask the agent to save its state in {one_line(file, 80)}")
    if not all(os.path.exists(path) for path, _ in run.client_files.written):
        added.append("/token-status and its agent")
    added += [f"the command {run.link}"] if run.link else []
    return ", ".join(added) or "nothing"


def _backups(run: Installation) -> str:
    path = run.layout.settings
    if run.planned.before is None:
        return f"nothing: there is no {path} yet"
    if run.planned.before == run.planned.after:
        return f"{path} as it is"
    return f"everything else in {path}, with a copy next to it"


def _wrapped(run: Installation) -> str:
    if run.wrapped is None:
        return "nothing: there is no other status line"
    where = {"below": "ours below it", "above": "ours above it", "alone": "drawn alone"}[run.wrapping]
    return f"your status line, {one_line(run.wrapped, 50)}: it stays, {where} (--wrap below, above or alone)"


def command(run: Installation) -> str:
    """The command as the person can call it: by its name if we have linked it, or are about to."""
    return "tidegauge" if run.link is not None or link.find(run.layout, os.environ) else _short(run.layout)


def _short(layout: Layout) -> str:
    home = os.path.expanduser("~")
    return layout.command.replace(home, "~", 1) if layout.command.startswith(home + os.sep) else layout.command


def by_name(run: Installation) -> str | None:
    """A line on how to call the command by name; None if that already works, or for a project."""
    if run.layout.project or link.existing(os.environ) is not None:
        return None
    return f"To call it by name in a new shell: {link_command(run.layout, os.environ)}"


def link_command(layout: Layout, environ: Mapping[str, str]) -> str:
    """The command line that does so: for PowerShell on Windows, for sh elsewhere."""
    if layout.windows:
        path = f"[Environment]::GetEnvironmentVariable('Path', 'User') + ';{layout.launchers}'"
        return f"[Environment]::SetEnvironmentVariable('Path', {path}, 'User')"
    make = f"mkdir -p ~/.local/bin && ln -sf {_short(layout)} ~/.local/bin/"
    if link.has_own_directory(environ):
        return make
    # What each shell reads when it starts.
    profiles = {"zsh": "~/.zshrc", "bash": "~/.bash_profile" if sys.platform == "darwin" else "~/.bashrc"}
    profile = profiles.get(os.path.basename(environ.get("SHELL", "")), "~/.profile")
    return f"""{make} && echo 'export PATH="$HOME/.local/bin:$PATH"' >>{profile}"""
