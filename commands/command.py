"""A command is a file in commands/. It prints its result on stdout, and raises CommandError instead of exiting.

It has SUMMARY, one line for --help; EXAMPLES, command lines and what each does; FAILURE, what exit code 1 means; where
there is more to say, NOTE; `arguments(parser)`, which declares its arguments; and `run(options, root)`, which runs it
for the Tidegauge in `root` and returns the exit code.
"""

import argparse
import re
import textwrap
from collections.abc import Sequence
from typing import Any, NoReturn

from commands.terminal import safe
from shared.text.suggestion import no_such

ALL_RIGHT, SOMETHING_WRONG, USAGE = 0, 1, 2
INSTALLING = {
    "install": "install Tidegauge, or change what is installed",
    "update": "install the version of another clone with the same choices",
    "repair": "fix what is missing or broken, without a question",
    "uninstall": "remove Tidegauge, and restore every settings file",
}
"""Commands that the installer runs, with its own arguments (installer/arguments.py): importing those is slow."""
_KINDS = {"int": "a whole number", "float": "a number"}
_WRONG_KIND = re.compile(rf"argument (\S+): invalid ({'|'.join(_KINDS)}) value: (.*)", re.DOTALL)


class CommandError(Exception):
    """Why a command cannot do what was asked: one line with the problem and its remedy."""

    def __init__(self, message: str, code: int = SOMETHING_WRONG) -> None:
        super().__init__(message)
        self.code = code


def epilog(examples: Sequence[tuple[str, str]], failure: str, note: str = "") -> str:
    """The end of a command's --help: a note, examples and exit codes."""
    width = max(len(line) for line, _ in examples)
    return "\n".join([
        *textwrap.wrap(note, 79), *([""] if note else []),
        "examples:", *(f"  {line.ljust(width)}  {meaning}" for line, meaning in examples), "",
        "exit codes:", "  0  success", f"  1  {failure}", "  2  the command line is not understood",
    ])  # fmt: skip


def add_command(
    commands: Any, name: str, summary: str, examples: Sequence[tuple[str, str]], failure: str, *, note: str = ""
) -> argparse.ArgumentParser:
    """Add a command, or an action of one, to argparse's subparsers, and return its parser."""
    end = epilog(examples, failure, note)
    parser: argparse.ArgumentParser = commands.add_parser(name, help=summary, summary=summary, epilog=end)
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def add_session(parser: argparse.ArgumentParser, what: str = "") -> None:
    """Add --session; `what`, which ends in a blank, begins its help text."""
    parser.add_argument("--session", metavar="ID", help=f"{what}a session: its id, or enough of its beginning")


class _Help(argparse.HelpFormatter):
    """A formatter that keeps a text's line breaks."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
    """An argparse parser with one-line errors."""

    def __init__(self, prog: str, summary: str, epilog: str, **further: Any) -> None:
        """`further` is what argparse itself adds for a subcommand: `color`, from Python 3.14 on."""
        super().__init__(
            prog=prog, description=summary, epilog=epilog, allow_abbrev=False, formatter_class=_Help, **further
        )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check as argparse does, and suggest a correction for a typo."""
        choices = [str(choice) for choice in action.choices or ()]
        if not choices or value in choices:
            super()._check_value(action, value)
            return
        what = "command" if isinstance(action, argparse._SubParsersAction) else "choice"  # noqa: SLF001  has no public name
        raise CommandError(f"{no_such(what, safe(value), choices)} (see {self.prog} --help)", USAGE)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but report a subcommand's unknown argument as its own error, not its parent's."""
        parsed, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return parsed, rest

    def error(self, message: str) -> NoReturn:
        missing = message.partition("are required: ")[2]
        if missing and self._subparsers is not None:
            choices = next(action.choices for action in self._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001  has no public name
            raise CommandError(f"{self.prog.rpartition(' ')[2]} needs an action: {', '.join(choices)}", USAGE)
        if missing:
            usage = " ".join(self.format_usage().removeprefix("usage: ").split()).replace("[-h] ", "")
            raise CommandError(f"missing: {missing}; usage: {usage}", USAGE)
        if match := _WRONG_KIND.fullmatch(message):  # argparse names the function that it calls
            message = f"{match[1]}: expected {_KINDS[match[2]]}, not {match[3]}"
        message = message.removeprefix("argument ")
        raise CommandError(f"{message} (see {self.prog} --help)", USAGE)
