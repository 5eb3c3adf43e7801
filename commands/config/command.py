"""`tidegauge config`: what is set and where, and changing it."""

import argparse
from collections.abc import Callable
from typing import Any

from commands.command import add_command, add_json
from commands.config import change, show, words
from shared.settings.profile import PROFILES

SUMMARY = "show and change the settings"
EXAMPLES = (
    ("tidegauge config show", "every setting, and who set it"),
    ("tidegauge config get levels", "a section's values in force here"),
    ("tidegauge config set statusline.ascii true", "write one into your file"),
)
FAILURE = "a setting cannot be used, or a file cannot be read or written"

Action = Callable[[argparse.Namespace, str], int]
_KEY = "a setting's dotted name, such as levels.warning.remaining"


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)

    action = _action(
        actions,
        "show",
        "list every setting, its value and where it comes from",
        show.show,
        ("config show", "every setting, and who set it"),
        ("config show --json", "the same for a script"),
    )
    add_json(action)

    action = _action(
        actions,
        "get",
        "print the value in force here",
        show.get,
        ("config get window.size", "one value"),
        ("config get levels", "a section's values"),
    )
    _add_key(action, f"{_KEY}; or a section, such as levels")

    action = _action(
        actions,
        "set",
        "write a value into your file, or the project's",
        change.set_value,
        ("config set statusline.ascii true", "plain characters in the line"),
        ("config set statusline.hide cost,git", 'as \'["cost", "git"]\''),
        ("config set levels.warning.remaining 40 --project", "for everyone here"),
    )
    _add_key(action, _KEY)
    value = action.add_argument(
        "value", metavar="VALUE", help="lists are separated by commas, and lines of lists by semicolons"
    )
    value.complete = words.VALUES  # type: ignore[attr-defined]  # read by shtab
    _add_project(action)

    action = _action(
        actions,
        "unset",
        "remove a key from your file, or the project's",
        change.unset_value,
        ("config unset statusline.hide", "back to the default"),
        ("config unset levels --project", "a whole section"),
    )
    _add_key(action, f"{_KEY}; or a section")
    _add_project(action)

    action = _action(
        actions,
        "profile",
        "print or choose which parts are on by default",
        change.profile,
        ("config profile", "which one is in use"),
        ("config profile full", "every part"),
    )
    action.add_argument("profile", nargs="?", choices=PROFILES, help="core (only the quiet parts) or full (every part)")


def run(options: argparse.Namespace, root: str) -> int:
    code: int = options.act(options, root)
    return code


def _action(actions: Any, name: str, summary: str, act: Action, *examples: tuple[str, str]) -> argparse.ArgumentParser:
    lines = [(f"tidegauge {line}", meaning) for line, meaning in examples]
    parser = add_command(actions, name, summary, lines, FAILURE)
    parser.set_defaults(act=act)
    return parser


def _add_key(parser: argparse.ArgumentParser, what: str) -> None:
    key = parser.add_argument("key", metavar="KEY", help=what)
    key.complete = words.KEYS  # type: ignore[attr-defined]  # read by shtab


def _add_project(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--project", action="store_true", help="the file .claude/tidegauge.toml of the project in the current directory"
    )
