"""The settings' keys, and the values that each can have, as a shell completes them."""

from typing import Literal, get_args, get_origin

from commands.config import keys
from shared.settings.config import NAMES

KEYS = {"bash": "_tidegauge_keys", "zsh": "_tidegauge_keys", "fish": "(_tidegauge_keys)"}
VALUES = {"bash": "_tidegauge_values", "zsh": "_tidegauge_values", "fish": "(_tidegauge_values)"}
"""What shtab is to ask: functions of the preambles."""


def _values_of(key: keys.Key) -> tuple[str, ...]:
    """The words that `key` may be set to; none where that is a number or a free text."""
    if key.name in NAMES:
        return NAMES[key.name]
    if key.kind is bool:
        return ("true", "false")
    return get_args(key.kind) if get_origin(key.kind) is Literal else ()


def _cases(line: str) -> str:
    """A line of a shell's `case` for each key that has words."""
    result = ((key.name, _values_of(key)) for key in keys.all_keys())
    return "\n".join(line.format(key=name, words=" ".join(words)) for name, words in result if words)


def _names() -> str:
    return " ".join(key.name for key in keys.all_keys())


def _bash() -> str:
    return f"""_tidegauge_keys() {{ compgen -W "{_names()}" -- "$1"; }}
_tidegauge_values() {{
    case ${{COMP_WORDS[COMP_CWORD - 1]}} in
{_cases('    {key}) compgen -W "{words}" -- "$1" ;;')}
    esac
}}"""


def _zsh() -> str:
    return f"""_tidegauge_keys() {{ compadd -- {_names()} }}
_tidegauge_values() {{
    case ${{words[CURRENT - 1]}} in
{_cases("    {key}) compadd -- {words} ;;")}
    esac
}}"""


def _fish() -> str:
    return f"""function _tidegauge_keys
    string split " " -- "{_names()}"
end
function _tidegauge_values
    switch (commandline -opc)[-1]
{_cases("        case {key}" + chr(10) + '            string split " " -- "{words}"')}
    end
end"""


PREAMBLES = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""The functions of each shell."""
