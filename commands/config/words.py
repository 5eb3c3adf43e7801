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


def preamble(shell: str) -> str:
    """The functions that shtab's script for this shell asks."""
    every = keys.all_keys()
    cases = (_CASES[shell].format(key=key.name, words=" ".join(words)) for key in every if (words := _values_of(key)))
    text = _FUNCTIONS[shell].replace("@KEYS@", " ".join(key.name for key in every))
    return text.replace("@CASES@", "\n".join(cases))


_FUNCTIONS = {
    "bash": """_tidegauge_keys() { compgen -W "@KEYS@" -- "$1"; }
_tidegauge_values() {
    case ${COMP_WORDS[COMP_CWORD - 1]} in
@CASES@
    esac
}""",
    "zsh": """_tidegauge_keys() { compadd -- @KEYS@ }
_tidegauge_values() {
    case ${words[CURRENT - 1]} in
@CASES@
    esac
}""",
    "fish": """function _tidegauge_keys
    string split " " -- "@KEYS@"
end
function _tidegauge_values
    switch (commandline -opc)[-1]
@CASES@
    end
end""",
}
_CASES = {
    "bash": '    {key}) compgen -W "{words}" -- "$1" ;;',
    "zsh": "    {key}) compadd -- {words} ;;",
    "fish": '        case {key}\n            string split " " -- "{words}"',
}
SHELLS = tuple(_FUNCTIONS)
