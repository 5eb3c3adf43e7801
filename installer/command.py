"""The command line of install.py: what is asked, what is said, and the exit code."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from installer import change, interruption, layout
from installer.check import Answers
from installer.installation import Installation, source_of
from installer.layout import Layout
from installer.refusal import Refusal
from installer.removal import Removal


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refusal(f"{message}; see --help")


def main(arguments: Sequence[str], source: str | None = None) -> int:
    """Return the exit code. `source` is the clone to install from, None in an installed environment."""
    _prepare_output()
    interruption.heed()
    try:
        chosen = _parser().parse_args(arguments)
        where = layout.find(os.environ, project=os.getcwd() if chosen.project else None)
        return _uninstall(where, chosen) if chosen.uninstall else _install(where, chosen, source)
    except Refusal as refusal:
        problem = str(refusal)
    except KeyboardInterrupt:
        problem = "interrupted"
    except OSError as error:
        problem = f"{error.filename or 'the system'}: {error.strerror or error}"
    print(f"install.py: {' '.join(problem.splitlines())}", file=sys.stderr)
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="install.py", description="Install Tidegauge for Claude Code, or remove it.")
    parser.add_argument("--yes", action="store_true", help="do not ask before changing anything")
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print what would be written")
    parser.add_argument("--uninstall", action="store_true", help="restore settings.json and remove everything")
    parser.add_argument(
        "--project",
        action="store_true",
        help="the hooks into .claude/settings.json of this directory instead of your own settings",
    )
    line = parser.add_mutually_exclusive_group()
    line.add_argument("--no-statusline", action="store_true", help="only the hooks")
    line.add_argument("--no-hooks", action="store_true", help="only the status line")
    line.add_argument("--statusline", action="store_true", help="with --project: the project's status line too")
    parser.add_argument("--no-companions", action="store_true", help="without /token-status and its agent")
    return parser


def _install(where: Layout, chosen: argparse.Namespace, source: str | None) -> int:
    directory = source_of(source)
    doubled = _copies(where)
    personal = where.personal_settings
    hooks = not (chosen.no_hooks or (chosen.project and personal in doubled))
    run = Installation(
        where,
        status_line=chosen.statusline or not (chosen.no_statusline or chosen.project),
        hooks=hooks,
        with_companions=not chosen.no_companions,
    )
    _say(f"Tidegauge goes into {where.root}:")
    _print_list("write", run.files())
    _print_list("remove", list(run.companions.removed))
    for path in run.companions.kept:
        _say(f"  {path} is yours, or has been changed by you: it stays as it is.")
    if run.companions.problem:
        _say(f"  No /token-status in the client: {run.companions.problem}.")
    _say(run.diff() or f"{where.settings} stays as it is.")
    for path in doubled:
        _warn_of_copy(path, personal=path == personal, added=hooks)
    _print_strays(run, where)
    if change.switched_off(run.planned.after):
        _say(f'Warning: "disableAllHooks" in {where.settings} keeps the client from running any of this.')
    if chosen.dry_run:
        _say("A dry run: nothing was written.")
        return 0
    if not _consent(chosen):
        return 1
    _print_answers(run.carry_out(directory, _say), where)
    return 0


def _uninstall(where: Layout, chosen: argparse.Namespace) -> int:
    run = Removal(where)
    if not (run.changes() or run.removes_root or run.companions.removed):
        _say(f"Tidegauge is not installed in {where.settings}; nothing to do.")
        return 0
    for edit in run.changes():
        _say(edit.planned.diff(edit.layout.settings))
    if run.is_last:
        _print_list("remove", [*([where.root] if run.removes_root else []), *run.companions.removed])
    else:
        _say(f"{where.root} stays: other settings files still use it.")
    if chosen.dry_run:
        _say("A dry run: nothing was changed.")
        return 0
    if not _consent(chosen):
        return 1
    interruption.ignore()
    kept = run.carry_out()
    _say("Tidegauge is removed." if run.is_last else f"{where.settings} is as it was without Tidegauge.")
    if kept:
        _say("These are yours and stay:")
        _print_list("", kept)
    return 0


def _copies(where: Layout) -> list[str]:
    names = ("settings.json", "settings.local.json")
    paths = [where.personal_settings, *(os.path.join(os.getcwd(), ".claude", name) for name in names)]
    own = os.path.realpath(where.settings)
    return change.copies([path for path in paths if os.path.realpath(path) != own])


def _warn_of_copy(path: str, *, personal: bool, added: bool) -> None:
    already = f"Warning: {path} already has the hooks of Tidegauge"
    if personal and not added:
        _say(f"{already}, for every project: they are not added here a second time.")
    else:
        _say(f"{already}: in that project they would run twice. `install.py --project --uninstall` there removes them.")


def _print_strays(run: Installation, where: Layout) -> None:
    for stray in run.strays():
        if stray.is_dead:
            _say(f"A {stray.subject} of a Tidegauge that is gone is taken out: {stray.command}")
        else:
            _say(f"Warning: another Tidegauge has a {stray.subject} in {where.settings}, beside ours: {stray.command}")


def _consent(chosen: argparse.Namespace) -> bool:
    if chosen.yes or sys.stdin is None or not sys.stdin.isatty():
        return True
    try:
        answer = input("Go ahead? [Y/n] ").strip().lower()
    except EOFError:
        answer = "no"
    if answer in ("", "y", "yes"):
        return True
    _say("Nothing was changed.")
    return False


def _print_answers(answers: Answers, where: Layout) -> None:
    if answers.line is not None:
        _say(f"\nThe status line, for a session at 71 % of its window ({answers.milliseconds[0]} ms):\n")
        _say(answers.line.rstrip("\n"))
    if answers.warning is not None:
        _say(f"\nWhat the agent is told at that point ({answers.milliseconds[1]} ms):\n")
        _say(answers.warning.rstrip("\n"))
    elif answers.milliseconds[1]:
        _say("\nThe monitor keeps silent in this session: your configuration has it so.")
    command = os.path.join(where.launchers, "tidegauge.cmd" if where.windows else "tidegauge")
    _say(f"\nInstalled. A session that is open now shows it at its next answer. To look into it: {command} doctor")


def _print_list(what: str, paths: list[str]) -> None:
    for path in paths:
        _say(f"  {what} {path}" if what else f"  {path}")


def _prepare_output() -> None:
    # Started without them, or in a locale that lacks a character of the settings.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for as long as we run
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def _say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has seen enough; that is no reason to stop half-way
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
