"""The installer's command line: a verb with its own options, examples and exit codes."""

import argparse
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from installer.choices import Choices
from installer.install_error import UsageError
from installer.settings.offers import other_monitors
from shared.settings.profile import PROFILES
from shared.text.suggestion import no_such

WRAPPINGS = ("below", "above", "alone")
_EXIT_CODES = (
    "exit codes:\n"
    "  0  success, or nothing to do\n"
    "  1  refused, failed or declined: nothing was changed, unless the message says what was\n"
    "  2  the command line is not understood"
)
_FLAG: dict[str, Any] = {"action": "store_true"}
_EITHER: dict[str, Any] = {"action": argparse.BooleanOptionalAction}
_DRY_RUN = {"--dry-run": _FLAG | {"help": "write nothing; print what would be written"}}
_CONSENT = {"--yes": _FLAG | {"help": "do not ask before changing anything"}, **_DRY_RUN}
_ORIGIN = {"--from": {"dest": "origin", "metavar": "DIRECTORY", "help": "the clone to install from"}}
_PURGE_HELP = "also remove your configuration, the log, what was saved, and in projects what is proven to be ours"
_SCOPE = {
    "--project": _FLAG | {"help": "this directory's .claude/settings.local.json, which stays with you"},
    "--team": _FLAG
    | {"help": "this directory's .claude/settings.json, which is committed; harmless for anyone without Tidegauge"},
}
_CHOICES = {
    "--statusline": _EITHER | {"dest": "status_line", "help": "the status line"},
    "--hooks": _EITHER | {"help": "the messages to the agent"},
    "--companions": _EITHER | {"help": "/token-status and its agent"},
    "--countdown": _EITHER | {"help": "the client tells its models how many tokens are left (totalTokensReminder)"},
    "--other-monitors": {
        "choices": other_monitors.CHOICES,
        "help": "other programs' hooks that watch the context window: keep them (the default), "
        "or off until you uninstall",
    },
    "--watch": _EITHER | {"help": "the package that `tidegauge watch` needs, textual"},
    "--otlp": _EITHER | {"help": "the OpenTelemetry SDK, which sends figures to a team's collector"},
    "--profile": {"choices": PROFILES, "help": "core (the default, quiet) or full (every part)"},
    "--wrap": {
        "choices": WRAPPINGS,
        "help": "where our line goes if you have a status line of your own: below it (the default) or above it; "
        "alone: yours is drawn alone",
    },
}
_WHERE = ("where (without one of these, in your own settings)", _SCOPE)
_WHAT = ("what (remembered for the next run, but for a project's)", _CHOICES)


class _Verb(NamedTuple):
    summary: str
    options: tuple[tuple[str, dict[str, dict[str, Any]]], ...]  # by the title of their group
    examples: tuple[tuple[str, str], ...]  # arguments, and what they are for


_VERBS = {
    "install": _Verb(
        "install Tidegauge, or change what is installed",
        (("", _CONSENT), _WHERE, _WHAT),
        (
            ("--dry-run", "show what would change"),
            ("--profile full --watch", "every part, and `tidegauge watch`"),
            ("--team", "the hooks, for everybody who works on this project"),
        ),
    ),
    "update": _Verb(
        "install the version of another clone with the same choices",
        (("", _CONSENT | _ORIGIN),),
        (
            ("--from ~/src/tidegauge", "what is in that clone"),
            ("--from ~/src/tidegauge --dry-run", "show what would change"),
        ),
    ),
    "repair": _Verb(
        "fix what is missing or broken, without a question",
        (("", _DRY_RUN), _WHERE),
        (("", "where Tidegauge is installed"), ("--dry-run", "show what would change")),
    ),
    "uninstall": _Verb(
        "remove Tidegauge, and restore every settings file",
        (("", _CONSENT), _WHERE, ("", {"--purge": _FLAG | {"help": _PURGE_HELP}})),
        (
            ("", "everywhere"),
            ("--project", "from this project alone"),
            ("--purge", "with your configuration and what was saved"),
        ),
    ),
}


class _Parser(argparse.ArgumentParser):
    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            self.error(no_such("choice", value, list(action.choices)))

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (see {self.prog} --help)")


def program() -> str:
    """The name that the person started the installer by."""
    return "tidegauge" if os.environ.get("_TIDEGAUGE_AS_COMMAND") else "install.py"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Parse a command line; for `doctor`, leave the rest of the line unparsed in `rest`. Raises UsageError."""
    defaults = dict.fromkeys(("project", "team", "purge", "yes", "dry_run"), False)
    nothing = {**defaults, **dict.fromkeys(("origin", "wrap", *Choices._fields))}
    if list(arguments[:1]) == ["doctor"]:
        return argparse.Namespace(**nothing | {"action": "doctor", "rest": list(arguments[1:])})
    verb = next((word for word in arguments if word in _VERBS), "")
    rest = list(arguments)
    if verb:
        rest.remove(verb)
    values = nothing | vars(_parser(verb).parse_args(rest)) | {"action": verb or "install"}
    values["project"] = values["project"] or values["team"]
    return argparse.Namespace(**values)


def choices(options: argparse.Namespace, remembered: Choices) -> Choices:
    """What to install: the options, over earlier choices; a project's choices are not remembered."""
    if options.project:
        status_line, hooks = bool(options.status_line), options.hooks is not False
        others = options.other_monitors or "keep"
        return Choices(
            status_line, hooks, profile=remembered.profile, countdown=options.countdown, other_monitors=others
        )
    values = {name: getattr(options, name) for name in Choices._fields}
    return remembered._replace(**{name: value for name, value in values.items() if value is not None})


def _parser(name: str) -> _Parser:
    """The parser of a verb; without a name that of `install`, whose help then lists the others."""
    verb = _VERBS[name or "install"]
    prefix = f"{program()} {name}".rstrip()
    lines = [f"  {f'{prefix} {arguments}'.rstrip():<44}  {purpose}" for arguments, purpose in verb.examples]
    description = verb.summary
    if not name:
        others = [f"  {program()} {other:<12}{_VERBS[other].summary}" for other in _VERBS]
        description += "\n\nIt also takes an action, each with its own --help:\n" + "\n".join(others)
    parser = _Parser(
        prog=prefix,
        description=description,
        epilog="examples:\n" + "\n".join(lines) + f"\n\n{_EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    for title, options in verb.options:
        group = parser.add_argument_group(title) if title else parser
        for flag, settings in options.items():
            group.add_argument(flag, **settings)
    parser.add_argument("-V", "--version", action="store_true", help="show program's version number and exit")
    return parser
