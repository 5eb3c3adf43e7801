"""`tidegauge config`: what is set and where, and changing it."""

import argparse

from commands.command import add_command, add_json
from commands.config import change, show

SUMMARY = "show and change the settings"
EXAMPLES = (
    ("tidegauge config show", "every setting, and who set it"),
    ("tidegauge config get levels", "a section's values in force here"),
    ("tidegauge config set statusline.ascii true", "write one into your file"),
)
FAILURE = "a setting cannot be used, or a file cannot be read or written"
_ACTIONS = {
    "show": (
        show.show,
        "list every setting, its value and where it comes from",
        (("show", "every setting, and who set it"), ("show --json", "the same for a script")),
    ),
    "get": (
        show.get,
        "print the value in force here",
        (("get window.size", "one value"), ("get levels", "a section's values")),
    ),
    "set": (
        change.set_value,
        "write a value into your file, or the project's",
        (
            ("set statusline.ascii true", "plain characters in the line"),
            ("set statusline.hide cost,limits", 'as \'["cost", "limits"]\''),
            ("set levels.warning.remaining 40 --project", "for everyone here"),
        ),
    ),
    "unset": (
        change.unset_value,
        "remove a key from your file, or the project's",
        (("unset statusline.hide", "back to the default"), ("unset levels --project", "a whole section")),
    ),
}
"""Each action's function, summary and examples."""
_KEY = "a setting's dotted name, such as levels.warning.remaining"
_KEYS = {"get": f"{_KEY}; or a section, such as levels", "set": _KEY, "unset": f"{_KEY}; or a section"}
"""The help for KEY, by action."""


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    own: dict[str, argparse.ArgumentParser] = {}
    for name, (act, summary, examples) in _ACTIONS.items():
        lines = [(f"tidegauge config {line}", meaning) for line, meaning in examples]
        own[name] = add_command(actions, name, summary, lines, FAILURE)
        own[name].set_defaults(act=act)
    add_json(own["show"])
    for name, what in _KEYS.items():
        own[name].add_argument("key", metavar="KEY", help=what)
    value_help = "lists are separated by commas, and lines of lists by semicolons"
    own["set"].add_argument("value", metavar="VALUE", help=value_help)
    project_help = "the file .claude/tidegauge.toml of the project in the current directory"
    for name in ("set", "unset"):
        own[name].add_argument("--project", action="store_true", help=project_help)


def run(options: argparse.Namespace, root: str) -> int:
    code: int = options.act(options, root)
    return code
