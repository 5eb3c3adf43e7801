"""Commands that the person runs in the prompt, with `!`: the client writes each as two lines in their name."""

import re

from shared.client import client

_COMMAND = re.compile(r"<bash-input>(.*)</bash-input>\s*\Z", re.DOTALL)
_PRINTED = re.compile(r"<bash-stdout>(.*)</bash-stdout><bash-stderr>(.*)</bash-stderr>\s*\Z", re.DOTALL)
_NOTHING = "(Bash completed with no output)"


def command_in(text: str) -> str:
    """The command in the first of the two lines; empty for any other text."""
    match = _COMMAND.match(text)
    return _unescaped(match[1]) if match else ""


def printed_in(text: str) -> str | None:
    """What it printed, by the second line, as an agent's result has it: behind an exit code where it failed.

    The code itself isn't written. What a failed command printed is all in the second element, and what one that worked
    did in the first: where both are empty, as in older clients after either, nothing is known (None).
    """
    match = _PRINTED.match(text)
    if match is None or not (match[1] or match[2]):
        return None
    return _unescaped(match[1]).replace(_NOTHING, "") if match[1] else f"{client.EXIT_CODE}1\n{_unescaped(match[2])}"


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
