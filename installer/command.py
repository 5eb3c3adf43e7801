"""The commands that install, renew and remove: their messages and exit codes."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from installer import arguments, choices, interruption, layout
from installer.checking import basic_check
from installer.checking.check import Answers
from installer.choices import Choices
from installer.install_error import InstallError
from installer.installation import Installation
from installer.layout import Layout
from installer.messages import output, questions, summary, warnings
from installer.messages.output import say, say_list
from installer.program import environment, program, source
from installer.removal import Removal
from installer.settings import foreign_entries, record, settings, status_line
from shared.client.client import DIRECTORY, LOCAL_SETTINGS, SETTINGS
from shared.files import search_path

_UNPUBLISHED = (
    "there is no published version to fetch; update your clone and install from there: "
    "run git pull, then python3 install.py"
)


def main(argv: Sequence[str], directory: str) -> int:
    """Run one command line and return its exit code. `directory` is what to install from: a clone or a copy."""
    output.prepare()
    sys.set_int_max_str_digits(0)  # a number in the person's settings, which the client reads, may be of any length
    search_path.restrict()
    interruption.catch()
    code = 1
    try:
        chosen = arguments.parse(argv)
        if getattr(chosen, "version", False):
            say(f"tidegauge {source.version(directory)}")
            return 0
        where = layout.find(os.environ, project=os.getcwd() if chosen.project else None, team=chosen.team)
        return _run(chosen, where, directory)
    except InstallError as refusal:
        problem, code = str(refusal), refusal.code
    except KeyboardInterrupt:
        problem = "interrupted"
    except OSError as error:
        problem = f"{error.filename or 'the system'}: {error.strerror or error}"
        output.print_no_more()
    print(f"{arguments.program()}: {output.legible(' '.join(problem.splitlines()))}", file=sys.stderr)
    return code


def _run(chosen: argparse.Namespace, where: Layout, directory: str) -> int:
    if chosen.action == "uninstall":
        return _uninstall(where, chosen)
    if chosen.action == "update":
        return _update(chosen)
    if chosen.action == "doctor":
        return basic_check.run(where, chosen.rest, say)
    if chosen.action == "repair":
        chosen.yes = True
        if not where.project and record.projects(where):
            return _repair_projects(where, chosen, directory)
    return _install(where, chosen, directory)


def _update(chosen: argparse.Namespace) -> int:
    """Run another clone's installer, whose steps may differ from ours, and return its exit code."""
    if chosen.origin is None:
        raise InstallError(_UNPUBLISHED)
    directory = os.path.abspath(chosen.origin)
    source.check(directory)
    flags = [*(["--yes"] if chosen.yes else []), *(["--dry-run"] if chosen.dry_run else [])]
    command = [sys.executable, "-I", os.path.join(directory, "install.py"), "install", *flags]
    return subprocess.run(command, check=False).returncode


def _repair_projects(where: Layout, chosen: argparse.Namespace, directory: str) -> int:
    """Repair an installation that is for projects alone, each as it was installed there."""
    chosen.project = True
    codes = []
    for path in record.projects(where):
        project = layout.for_project(where, path)
        with settings.edited(path, settings.read(path)) as text:
            chosen.status_line = status_line.command(text, project) is not None
        codes.append(_install(project, chosen, directory))
    return max(codes)


def _install(where: Layout, chosen: argparse.Namespace, directory: str) -> int:
    source.check(directory)
    layout.refuse_another_home(where)
    environment.refuse_path(where.environment)
    doubled = _copies(where)
    selection = arguments.choices(chosen, choices.load(where))
    if where.project and where.personal_settings in doubled and not where.team:
        selection = selection._replace(hooks=False)
    before = source.installed(where)
    run = Installation(where, selection, os.environ, chosen.wrap)
    run.keeps_program = _keeps_program(chosen, where, selection, directory)
    if not chosen.dry_run:
        questions.ask_for_choices(chosen, run)
    for line in (*summary.lines(run, directory), *warnings.lines(run, doubled)):
        say(line)
    unchanged = "stays as it is" if run.planned.after is not None else "isn't needed"
    changes = run.planned.diff(where.settings) or f"{where.settings} {unchanged}."
    if chosen.dry_run:
        say_list("write", run.files())
        say_list("remove", list(run.client_files.removed))
        say(changes)
        say("A dry run: nothing was written.")
        return 0
    if not questions.confirmed(chosen, changes):
        return 1
    answers = run.carry_out(directory, say)
    if chosen.action == "repair":
        say(f"Repaired. To check it: {summary.command(run)} doctor")
    else:
        _print_answers(answers, run)
    now = source.version(directory)
    if before not in (None, now):
        say(f"Version {now} replaces {before}: what is new is in {os.path.join(where.program, 'CHANGELOG.md')}")
    return 0


def _keeps_program(chosen: argparse.Namespace, where: Layout, selection: Choices, directory: str) -> bool:
    """Whether only choices change: when installing from the installed program, or with nothing but `--wrap`."""
    if chosen.action != "install" or selection.extras != choices.load(where).extras:
        return False
    if os.path.realpath(directory) == os.path.realpath(where.program):
        return True
    others = (chosen.project, *(getattr(chosen, name) is not None for name in Choices._fields))
    return chosen.wrap is not None and not any(others) and source.installed(where) == source.version(directory)


def _uninstall(where: Layout, chosen: argparse.Namespace) -> int:
    run = Removal(where, purge=chosen.purge)
    if not (run.changes() or run.removes_root or run.client_files.removed):
        say(f"Tidegauge is not installed in {where.settings}; nothing to do.")
        return 0
    changes = "\n".join(planned.diff(path) for path, planned in run.changes().items())
    if run.purges and not (chosen.yes or chosen.dry_run or questions.can_ask(chosen)):
        raise InstallError("--purge deletes what is yours, and there is no terminal to ask on: add --yes")
    _say_removal(run, purge=chosen.purge)
    if chosen.dry_run:
        say(changes)
        say("A dry run: nothing was changed.")
        return 0
    if not questions.confirmed(chosen, changes):
        return 1
    interruption.ignore()
    named = run.remaining() if run.is_last else []
    remaining = [path for path in run.carry_out() if path not in named]
    say("Tidegauge is removed." if run.is_last else f"{where.settings} is as it was without Tidegauge.")
    if remaining:
        say("These are yours and stay, too:" if named else "These are yours and stay:")
        say_list("", remaining)
    return 0


def _say_removal(run: Removal, *, purge: bool) -> None:
    """Print what is removed, and what stays."""
    say_list("restore", list(run.changes()))
    if not run.is_last:
        also = ", and what is yours with it" if purge else ""
        say(f"{run.layout.root} stays{also}: other settings files still use it.")
        return
    say_list("remove", [*([run.layout.root] if run.removes_root else []), *run.client_files.removed, *run.links])
    if run.purges:
        say_list("remove", run.directories)
        say_list("remove", [folder.purged() for folder in run.project_folders if folder.proven])
    say_list("keep", run.remaining())
    if run.remaining() and not run.purges:
        say("  --purge removes what is kept as well, but nothing in a project that isn't proven to be ours.")


def _copies(where: Layout) -> list[str]:
    """The other settings files that apply here and have our hooks."""
    paths = [os.path.join(os.getcwd(), DIRECTORY, name) for name in (SETTINGS, LOCAL_SETTINGS)]
    own = os.path.realpath(where.settings)
    return foreign_entries.copies(path for path in (where.personal_settings, *paths) if os.path.realpath(path) != own)


def _print_answers(answers: Answers, run: Installation) -> None:
    if answers.line is not None:
        say(f"\nThe status line, for a session at 71% of its window ({answers.milliseconds[0]} ms):\n")
        output.draw(answers.line.rstrip("\n"))
    if answers.warning is not None:
        say(f"\nWhat the agent reads at that point ({answers.milliseconds[1]} ms):\n")
        say(answers.warning.rstrip("\n"))
    elif answers.milliseconds[1]:
        say("\nThe monitor is silent in this session because of your configuration.")
    say(f"\nInstalled, {program.megabytes(run.layout)} MB. An open session shows it with its next answer.")
    say(f"To check it: {summary.command(run)} doctor")
    line = summary.by_name(run)
    if line is not None:
        say(line)
