"""What a command is: a summary, its arguments, and a function from them to an exit code."""

import argparse
import difflib
from typing import Any, NoReturn, Protocol

from monitor.commands.terminal import safe

ALL_RIGHT, SOMETHING_WRONG, USAGE = 0, 1, 2
INSTALLING = {
    "install": "install Tidegauge, or change what is installed",
    "update": "get the newest version",
    "repair": "fix what is missing or broken",
    "uninstall": "remove Tidegauge",
}
"""Commands that the installer answers (installer/arguments.py), each with its line for --help."""


class CommandModule(Protocol):
    """A file in monitor/commands/. It prints its result on stdout, and raises CommandError instead of exiting."""

    SUMMARY: str
    """One line for --help."""

    @staticmethod
    def arguments(parser: argparse.ArgumentParser) -> None:
        """Declare the command's own arguments."""

    @staticmethod
    def run(options: argparse.Namespace, root: str) -> int:
        """Do it for the Tidegauge in `root`; returns the exit code."""


class CommandError(Exception):
    """Why a command cannot do what it was asked: one line that says what, and what would be right."""

    def __init__(self, message: str, code: int = SOMETHING_WRONG) -> None:
        super().__init__(message)
        self.code = code


class Parser(argparse.ArgumentParser):
    """argparse, with errors of one line."""

    def __init__(self, prog: str, summary: str, epilog: str, **further: Any) -> None:
        """`further` is what argparse adds of its own accord for a subcommand: `color`, from Python 3.14 on."""
        super().__init__(prog=prog, description=summary, epilog=epilog, allow_abbrev=False, **further)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Argparse's own, with a suggestion for what is mistyped."""
        known = [str(choice) for choice in action.choices or ()]
        if not known or value in known:
            super()._check_value(action, value)
            return
        what = "command" if isinstance(action, argparse._SubParsersAction) else "choice"  # noqa: SLF001  has no public name
        near = difflib.get_close_matches(value, known, 2, 0.6)
        hint = f"; did you mean {' or '.join(near)}?" if near else f": there are {', '.join(known)}"
        raise CommandError(f"{safe(value)}: no such {what}{hint} (see {self.prog} --help)", USAGE)

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message} (see {self.prog} --help)", USAGE)
