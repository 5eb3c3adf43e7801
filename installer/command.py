"""The commands that install, renew and remove: what is asked, what is said, and the exit code."""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from installer import arguments as given
from installer import basic_check, change, choices, interruption, layout, news, source, summary, update
from installer.check import Answers
from installer.install_error import InstallError
from installer.installation import Installation
from installer.layout import Layout
from installer.removal import Removal
from shared.client import DIRECTORY, LOCAL_SETTINGS, SETTINGS


def main(arguments: Sequence[str], directory: str) -> int:
    """Run one command line; returns its exit code.

    `directory` is what to install from: a clone, a wheel's copy or the installed one.
    """
    _prepare_output()
    interruption.catch()
    try:
        chosen = given.parse(arguments)
        where = layout.find(os.environ, project=os.getcwd() if chosen.project else None, team=chosen.team)
        return _run(chosen, where, directory)
    except InstallError as refusal:
        problem = str(refusal)
    except KeyboardInterrupt:
        problem = "interrupted"
    except OSError as error:
        problem = f"{error.filename or 'the system'}: {error.strerror or error}"
    print(f"{given.program()}: {' '.join(problem.splitlines())}", file=sys.stderr)
    return 1


def _run(chosen: argparse.Namespace, where: Layout, directory: str) -> int:
    if chosen.action == "uninstall":
        return _uninstall(where, chosen)
    if chosen.action == "update":
        return update.run(chosen, directory, say)
    if chosen.action == "doctor":
        return basic_check.run(where, chosen.rest, say)
    chosen.yes = chosen.yes or chosen.action == "repair"
    return _install(where, chosen, directory)


def _install(where: Layout, chosen: argparse.Namespace, directory: str) -> int:
    source.check(directory)
    doubled = _copies(where)
    wanted = given.choices(chosen, choices.load(where))
    if where.project and where.personal_settings in doubled and not where.team:
        wanted = wanted._replace(hooks=False)
    before = news.installed(where)
    run = Installation(where, wanted, os.environ, chosen.wrap)
    _announce(run, directory, doubled)
    if chosen.dry_run:
        _print_list("write", run.files())
        _print_list("remove", list(run.companions.removed))
        say(run.diff() or f"{where.settings} stays as it is.")
        say("A dry run: nothing was written.")
        return 0
    if not _consent(chosen, run):
        return 1
    _print_answers(run.carry_out(directory, say), run)
    for line in news.since(directory, before):
        say(line)
    return 0


def _announce(run: Installation, directory: str, doubled: list[str]) -> None:
    where = run.layout
    for line in summary.lines(run, directory):
        say(line)
    for path in run.companions.kept:
        say(f"{path} is yours, or you have changed it: it stays as it is.")
    if run.companions.problem:
        say(f"No /token-status in the client: {run.companions.problem}.")
    for path in doubled:
        _warn_of_copy(path, personal=path == where.personal_settings, added=run.choices.hooks)
    if run.superseded():
        say(f"What an earlier version wrote into {run.superseded()}, for everyone, is removed there.")
    _print_other_monitors(run)
    would_be_committed = summary.committed(where)
    if would_be_committed:
        say(would_be_committed)
    _print_strays(run, where)
    if change.switched_off(run.planned.after):
        say(f'Warning: "disableAllHooks" in {where.settings} keeps the client from running any of this.')


def _uninstall(where: Layout, chosen: argparse.Namespace) -> int:
    run = Removal(where, purge=chosen.purge)
    if not (run.changes() or run.removes_root or run.companions.removed):
        say(f"Tidegauge is not installed in {where.settings}; nothing to do.")
        return 0
    for edit in run.changes():
        say(edit.planned.diff(edit.layout.settings))
    if run.is_last:
        _print_list("remove", [*([where.root] if run.removes_root else []), *run.companions.removed, *run.links])
        _print_list("remove", run.purged)
        if run.directories and not run.purged:
            _print_list("keep", [found.describe() for found in run.directories])
            say("  --purge removes what is kept as well.")
    else:
        also = ", and what is yours with it" if chosen.purge else ""
        say(f"{where.root} stays{also}: other settings files still use it.")
    if chosen.dry_run:
        say("A dry run: nothing was changed.")
        return 0
    if not _agreed(chosen, "Continue? [Y/n] "):
        return 1
    interruption.ignore()
    kept = run.carry_out()
    say("Tidegauge is removed." if run.is_last else f"{where.settings} is as it was without Tidegauge.")
    if kept:
        say("These are yours and stay:")
        _print_list("", kept)
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
        remedy = f"`{given.program()} uninstall --project` there removes them"
        say(f"{already}: in that project they would run twice. {remedy}.")


def _print_strays(run: Installation, where: Layout) -> None:
    for stray in run.strays():
        if stray.is_dead:
            say(f"A {stray.subject} of a deleted Tidegauge is removed: {stray.command}")
        else:
            say(f"Warning: another Tidegauge also has a {stray.subject} in {where.settings}: {stray.command}")


def _print_other_monitors(run: Installation) -> None:
    found = run.other_monitors()
    if found and run.choices.other_monitors == "off":
        say(f"{', '.join(found)}: switched off until you uninstall, as you chose (--other-monitors keep).")
    elif found:
        say(f"{', '.join(found)} also watches the context window: it stays on (--other-monitors off).")


def _consent(chosen: argparse.Namespace, run: Installation) -> bool:
    """Ask on a terminal, and take what is said; without one, go ahead."""
    if _is_asked(chosen):
        _ask_for_choices(chosen, run)
    if run.asks_for_wrapping():
        answer = _ask(chosen, "Your own status line stays. Ours below it, above it, or hidden? [B/a/h] ")
        where = [place for place in given.WRAPPINGS if answer and place.startswith(answer)]
        if where:
            run.wrap(where[0])
    while (answer := _ask(chosen, "Continue? [Y/n/d, which shows the difference] ")) == "d":
        say(run.diff() or f"{run.layout.settings} stays as it is.")
    return _is_yes(answer)


def _ask_for_choices(chosen: argparse.Namespace, run: Installation) -> None:
    if run.asks_for_countdown():
        question = "Should the client tell its models how many tokens are left (totalTokensReminder: countdown)? [y/N] "
        run.choose(run.choices._replace(countdown=_ask(chosen, question) in ("y", "yes")))
    if run.other_monitors() and run.choices.other_monitors is None:
        question = "Keep the other monitor on, or switch it off until you uninstall? [K/o] "
        is_off = _ask(chosen, question) in ("o", "off")
        run.choose(run.choices._replace(other_monitors="off" if is_off else "keep"))


def _agreed(chosen: argparse.Namespace, question: str) -> bool:
    return _is_yes(_ask(chosen, question))


def _is_yes(answer: str) -> bool:
    if answer in ("", "y", "yes"):
        return True
    say("Nothing was changed.")
    return False


def _ask(chosen: argparse.Namespace, question: str) -> str:
    """The answer, in lower case; "" where nobody is to be asked."""
    if not _is_asked(chosen):
        return ""
    try:
        return input(question).strip().lower()
    except EOFError:
        return "no"


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
