"""Commands that the person runs in the prompt with `!`; the client writes each as two lines in their name."""

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
    """The output in the second line, in the form of a tool result: after an exit code if the command failed.

    The code itself isn't written. A failed command's output is in the second element, and a successful one's in the
    first: if both are empty, as older clients leave them, the outcome is unknown (None).
    """
    match = _PRINTED.match(text)
    if match is None or not (match[1] or match[2]):
        return None
    return _unescaped(match[1]).replace(_NOTHING, "") if match[1] else f"{client.EXIT_CODE}1\n{_unescaped(match[2])}"


def _unescaped(text: str) -> str:
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
