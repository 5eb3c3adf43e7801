"""`tidegauge config`: what is set, by whom, and setting it."""

import argparse
from typing import Any

from monitor.commands.configuration import change, profile, show, words
from shared.profile import PROFILES

SUMMARY = "show and change the settings"

_KEY = "a setting's dotted name, such as levels.warning.remaining"
_EPILOG = (
    "Exit code: 0 success; 1 a setting cannot be used, or a file cannot be read or written; "
    "2 there is no such setting, or it cannot have this value."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    one = _action(actions, "show", "list every setting, its value and where it comes from")
    one.add_argument("--json", action="store_true", help="print one JSON object")
    one.set_defaults(act=show.show)

    one = _action(actions, "get", "print the value in force here")
    _add_key(one, f"{_KEY}; or a section, such as levels")
    one.set_defaults(act=show.get)

    one = _action(actions, "set", "write a value into your file, or the project's")
    _add_key(one, _KEY)
    value = one.add_argument(
        "value", metavar="VALUE", help="lists are separated by commas, and lines of lists by semicolons"
    )
    value.complete = words.VALUES  # type: ignore[attr-defined]  # read by shtab
    _add_project(one)
    one.set_defaults(act=change.set_value)

    one = _action(actions, "unset", "remove a key from your file, or the project's")
    _add_key(one, f"{_KEY}; or a section")
    _add_project(one)
    one.set_defaults(act=change.unset_value)

    one = _action(actions, "profile", "print or choose which parts are on by default")
    one.add_argument("profile", nargs="?", choices=PROFILES, help="core (only the quiet parts) or full (every part)")
    one.set_defaults(act=profile.show_or_set)


def run(options: argparse.Namespace, root: str) -> int:
    code: int = options.act(options, root)
    return code


def _action(actions: Any, name: str, summary: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, summary=summary, epilog=_EPILOG)
    return parser


def _add_key(parser: argparse.ArgumentParser, what: str) -> None:
    key = parser.add_argument("key", metavar="KEY", help=what)
    key.complete = words.KEYS  # type: ignore[attr-defined]  # read by shtab


def _add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project", action="store_true", help="the file .claude/tidegauge.toml of the project in the current directory"
    )
