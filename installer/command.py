"""The commands that install, renew and remove: their questions, messages and exit codes."""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from installer import arguments, choices, interruption, layout
from installer.checking import basic_check
from installer.checking.check import Answers
from installer.choices import Choices
from installer.install_error import InstallError
from installer.installation import Installation
from installer.layout import Layout
from installer.messages import news, summary
from installer.program import source, update
from installer.removal import Removal
from installer.settings import change, record, settings, status_line
from shared.client.client import DIRECTORY, LOCAL_SETTINGS, SETTINGS

_MOST_QUESTIONS = 3
"""How often the same question is put to somebody whose answer isn't one."""


def main(argv: Sequence[str], directory: str) -> int:
    """Run one command line; returns its exit code.

    `directory` is what to install from: a clone, a wheel's copy or the installed one.
    """
    _prepare_output()
    # Another directory of PATH than an absolute one is the folder, perhaps a repository, that we are started in.
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", "").split(os.pathsep)))
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
    print(f"{arguments.program()}: {' '.join(problem.splitlines())}", file=sys.stderr)
    return code


def _run(chosen: argparse.Namespace, where: Layout, directory: str) -> int:
    if chosen.action == "uninstall":
        return _uninstall(where, chosen)
    if chosen.action == "update":
        return update.run(chosen, directory, say)
    if chosen.action == "doctor":
        return basic_check.run(where, chosen.rest, say)
    if chosen.action == "repair":
        chosen.yes = True
        if not where.project and record.projects(where):
            return _repair_projects(where, chosen, directory)
    return _install(where, chosen, directory)


def _repair_projects(where: Layout, chosen: argparse.Namespace, directory: str) -> int:
    """Repair an installation that is for projects alone, each as it was installed there."""
    chosen.project = True
    codes = []
    for path in record.projects(where):
        project = where._replace(settings=path, project=True, team=os.path.basename(path) == SETTINGS)
        text = settings.text_of(path, settings.read(path))
        chosen.status_line = bool(text.strip()) and status_line.command(text, project) is not None
        codes.append(_install(project, chosen, directory))
    return max(codes)


def _install(where: Layout, chosen: argparse.Namespace, directory: str) -> int:
    source.check(directory)
    layout.refuse_another_home(where)
    doubled = _copies(where)
    wanted = arguments.choices(chosen, choices.load(where))
    if where.project and where.personal_settings in doubled and not where.team:
        wanted = wanted._replace(hooks=False)
    before = news.installed(where)
    run = Installation(where, wanted, os.environ, chosen.wrap)
    is_own = os.path.realpath(directory) == os.path.realpath(where.program)  # `tidegauge install`, of what is installed
    run.keeps_program = chosen.action == "install" and is_own and wanted.extras == choices.load(where).extras
    if _only_wraps(chosen, where, directory):
        return _wrap(chosen, run)
    if not chosen.dry_run:
        _ask_for_choices(chosen, run)
    _announce(run, directory, doubled)
    if chosen.dry_run:
        _print_list("write", run.files())
        _print_list("remove", list(run.client_files.removed))
        say(run.diff() or f"{where.settings} stays as it is.")
        say("A dry run: nothing was written.")
        return 0
    if not _agreed(chosen, run.diff() or f"{where.settings} stays as it is."):
        return 1
    _print_answers(run.carry_out(directory, say), run)
    for line in news.since(directory, before):
        say(line)
    return 0


def _only_wraps(chosen: argparse.Namespace, where: Layout, directory: str) -> bool:
    """Whether nothing but `--wrap` is asked of what is installed already."""
    others = (chosen.project, *(getattr(chosen, name) is not None for name in Choices._fields))
    is_same = news.installed(where) is not None and source.version(where.program) == source.version(directory)
    return chosen.action == "install" and chosen.wrap is not None and not any(others) and is_same


def _wrap(chosen: argparse.Namespace, run: Installation) -> int:
    say(f"wraps {summary.wrapped(run)}")
    if chosen.dry_run:
        say("A dry run: nothing was written.")
    else:
        run.write_wrapping()
        say("Nothing else was changed. An open session shows it with its next answer.")
    return 0


def _announce(run: Installation, directory: str, doubled: list[str]) -> None:
    where = run.layout
    for line in summary.lines(run, directory):
        say(line)
    for path in run.client_files.personal:
        say(f"{path} is yours, or you have changed it: it stays as it is.")
    if run.client_files.problem:
        say(f"No /token-status in the client: {run.client_files.problem}.")
    for path in doubled:
        _warn_of_copy(path, personal=path == where.personal_settings, added=run.choices.hooks)
    _print_other_monitors(run)
    would_be_committed = summary.committed(where)
    if would_be_committed:
        say(would_be_committed)
    _print_foreign_entries(run, where)
    if change.switched_off(run.planned.after):
        say(f'Warning: "disableAllHooks" in {where.settings} keeps the client from running any of this.')


def _uninstall(where: Layout, chosen: argparse.Namespace) -> int:
    run = Removal(where, purge=chosen.purge)
    if not (run.changes() or run.removes_root or run.client_files.removed):
        say(f"Tidegauge is not installed in {where.settings}; nothing to do.")
        return 0
    changes = "\n".join(edit.planned.diff(edit.layout.settings) for edit in run.changes())
    if chosen.dry_run:
        say(changes)
    else:
        _print_list("restore", [edit.layout.settings for edit in run.changes()])
    if run.is_last:
        _print_list("remove", [*([where.root] if run.removes_root else []), *run.client_files.removed, *run.links])
        if run.purges:
            _print_list("remove", [*run.purged, *(one.purged() for one in run.project_folders if one.proven)])
            _print_list("keep", run.left_in_projects())
        else:
            _print_list("keep", run.remaining())
            if run.remaining():
                say("  --purge removes what is kept as well, but nothing in a project that isn't proven to be ours.")
    else:
        also = ", and what is yours with it" if chosen.purge else ""
        say(f"{where.root} stays{also}: other settings files still use it.")
    if chosen.dry_run:
        say("A dry run: nothing was changed.")
        return 0
    if run.purges and not chosen.yes and not _is_asked(chosen):
        raise InstallError("--purge deletes what is yours, and there is no terminal to ask on: add --yes")
    if not _agreed(chosen, changes):
        return 1
    interruption.ignore()
    remaining = run.carry_out()
    say("Tidegauge is removed." if run.is_last else f"{where.settings} is as it was without Tidegauge.")
    if remaining:
        say("These are yours and stay:")
        _print_list("", remaining)
    return 0


def _copies(where: Layout) -> list[str]:
    names = (SETTINGS, LOCAL_SETTINGS)
    paths = [where.personal_settings, *(os.path.join(os.getcwd(), DIRECTORY, name) for name in names)]
    own = os.path.realpath(where.settings)
    return change.copies([path for path in paths if os.path.realpath(path) != own])


def _warn_of_copy(path: str, *, personal: bool, added: bool) -> None:
    already = f"Warning: {path} already has the hooks of Tidegauge"
    if personal and not added:
        say(f"{already}, for every project: they are not added again here.")
    elif personal:
        say(f"{already}: for you they run twice in this project.")
    else:
        flag = "--team" if os.path.basename(path) == SETTINGS else "--project"
        remedy = f"`{arguments.program()} uninstall {flag}` there removes them"
        say(f"{already}: in that project they would run twice. {remedy}.")


def _print_foreign_entries(run: Installation, where: Layout) -> None:
    for entry in run.foreign_entries():
        if entry.is_dead:
            say(f"A {entry.kind} of a deleted Tidegauge is removed: {entry.command}")
        else:
            say(f"Warning: another Tidegauge also has a {entry.kind} in {where.settings}: {entry.command}")


def _print_other_monitors(run: Installation) -> None:
    monitors = run.other_monitors()
    if monitors and run.choices.other_monitors == "off":
        say(f"{', '.join(monitors)}: switched off until you uninstall, as you chose (--other-monitors keep).")
    elif monitors:
        say(f"{', '.join(monitors)} also watches the context window: it stays on (--other-monitors off).")


def _ask_for_choices(chosen: argparse.Namespace, run: Installation) -> None:
    """Ask on a terminal what can't be known, before the summary says what will be done."""
    if not _is_asked(chosen):
        return
    if run.asks_for_countdown():
        question = "Should the client tell its models how many tokens are left (totalTokensReminder: countdown)? [y/N] "
        run.choose(run.choices._replace(countdown=_ask(question, "no", "yes") == "yes"))
    monitors = run.other_monitors()
    if monitors and run.choices.other_monitors is None:
        question = (
            f"{', '.join(monitors)} also watches the context window: two monitors give the agent two numbers."
            " Switch the other one off until you uninstall? [Y/n] "
        )
        run.choose(run.choices._replace(other_monitors="off" if _ask(question, "yes", "no") == "yes" else "keep"))
    if run.asks_for_wrapping():
        question = "Your own status line stays. Ours below it, above it, or yours alone? [Below/above/alone] "
        run.wrap(_ask(question, *arguments.WRAPPINGS))


def _agreed(chosen: argparse.Namespace, changes: str) -> bool:
    """Ask whether to go on; shows the changes on request. Without a terminal, go ahead."""
    answer = "yes"
    while _is_asked(chosen):
        answer = _ask("Continue? [Y/n/d, which shows the difference] ", "yes", "no", "difference")
        if answer != "difference":
            break
        say(changes)
    if answer == "no":
        say("Nothing was changed.")
    return answer == "yes"


def _ask(question: str, *answers: str) -> str:
    """The one of `answers` that the person's begins, the first for none. Raises InstallError for another, thrice."""
    for _ in range(_MOST_QUESTIONS):
        try:
            typed = input(question).strip().lower()
        except EOFError:
            return "no" if "no" in answers else answers[0]
        match = next((answer for answer in answers if answer.startswith(typed)), None)
        if match is not None:
            return match
        say(f"Answer with {', '.join(answers[:-1])} or {answers[-1]}; Enter alone means {answers[0]}.")
    raise InstallError(f"no answer was understood, {_MOST_QUESTIONS} times; nothing was changed")


def _is_asked(chosen: argparse.Namespace) -> bool:
    return not chosen.yes and sys.stdin is not None and sys.stdin.isatty()


def _print_answers(answers: Answers, run: Installation) -> None:
    if answers.line is not None:
        say(f"\nThe status line, for a session at 71 % of its window ({answers.milliseconds[0]} ms):\n")
        say(answers.line.rstrip("\n"))
    if answers.warning is not None:
        say(f"\nWhat the agent reads at that point ({answers.milliseconds[1]} ms):\n")
        say(answers.warning.rstrip("\n"))
    elif answers.milliseconds[1]:
        say("\nThe monitor is silent in this session because of your configuration.")
    say(f"\nInstalled, {run.megabytes()} MB. An open session shows it with its next answer.")
    say(f"To check it: {summary.command(run)} doctor")
    line = summary.by_name(run)
    if line is not None:
        say(line)


def _print_list(what: str, paths: list[str]) -> None:
    for path in paths:
        say(f"  {what} {path}" if what else f"  {path}")


def _prepare_output() -> None:
    # Started without them, or in a locale that lacks a character of the settings.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  for as long as we run
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def say(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader has seen enough; that is no reason to stop half-way
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
