"""The command line of the installer."""

import argparse
import os
from collections.abc import Sequence
from typing import NoReturn

from installer import other_monitors
from installer.choices import PROFILES, Choices
from installer.install_error import InstallError

WRAPPINGS = ("below", "above", "hidden")
_ACTIONS = ("install", "update", "repair", "uninstall", "doctor")


def program() -> str:
    """The name that the person has started us by."""
    return "tidegauge" if os.environ.get("_TIDEGAUGE_AS_COMMAND") else "install.py"


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InstallError(f"{message}; see --help")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """What a command line asks for; a `doctor` gets the rest of its line unread, as `rest`. Raises InstallError."""
    if list(arguments[:1]) == ["doctor"]:
        return argparse.Namespace(action="doctor", rest=list(arguments[1:]), project=False, team=False)
    found = _parser().parse_args(arguments)
    found.action = "uninstall" if found.uninstall else found.action
    found.project = found.project or found.team
    if found.purge and found.action != "uninstall":
        raise InstallError("--purge works only with uninstall")
    return found


def choices(given: argparse.Namespace, remembered: Choices) -> Choices:
    """What is to be installed: what is said now over what was said before; a project's is not remembered."""
    if given.project:
        status_line, hooks = bool(given.status_line), given.hooks is not False
        others = given.other_monitors or "keep"
        return Choices(status_line, hooks, profile=remembered.profile, countdown=given.countdown, other_monitors=others)
    said = {name: getattr(given, name) for name in Choices._fields}
    return remembered._replace(**{name: value for name, value in said.items() if value is not None})


def _parser() -> _Parser:
    parser = _Parser(prog=program(), description="Install Tidegauge for Claude Code, update it or remove it.")
    parser.add_argument(
        "action",
        nargs="?",
        choices=_ACTIONS[:-1],
        default="install",
        help="install (the default), update to the newest version, repair what is broken, or uninstall",
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before changing anything")
    parser.add_argument("--dry-run", action="store_true", help="write nothing; print what would be written")
    parser.add_argument("--uninstall", action="store_true", help="the same as the action")
    parser.add_argument(
        "--purge", action="store_true", help="uninstall: also remove your configuration, the log and saved data"
    )
    parser.add_argument("--from", dest="origin", metavar="WHAT", help="update: a directory, a wheel or an address")
    where = parser.add_argument_group("where")
    where.add_argument(
        "--project", action="store_true", help="only the hooks, in this directory's .claude/settings.local.json"
    )
    where.add_argument(
        "--team",
        action="store_true",
        help="only the hooks, in this directory's .claude/settings.json, which is committed; "
        "harmless for anyone without Tidegauge",
    )
    _add_choices(parser.add_argument_group("what (remembered for the next run)"))
    return parser


def _add_choices(what: argparse._ArgumentGroup) -> None:
    either = argparse.BooleanOptionalAction
    what.add_argument("--statusline", dest="status_line", action=either, help="the status line; not with --project")
    what.add_argument("--hooks", action=either, help="the messages to the agent")
    what.add_argument("--companions", action=either, help="/token-status and its agent")
    what.add_argument(
        "--countdown", action=either, help="the client tells its models how many tokens are left (totalTokensReminder)"
    )
    what.add_argument(
        "--other-monitors",
        choices=other_monitors.CHOICES,
        help="other programs' hooks that watch the context window: keep them (the default), or off until you uninstall",
    )
    what.add_argument("--watch", action=either, help="the package that `tidegauge watch` needs, textual")
    what.add_argument("--otlp", action=either, help="the OpenTelemetry SDK, which sends figures to a team's collector")
    what.add_argument("--profile", choices=PROFILES, help="core (the default, quiet) or full (every part)")
    what.add_argument(
        "--wrap", choices=WRAPPINGS, help="where ours goes if you have a status line of your own (default: below)"
    )
