"""The client's setting `totalTokensReminder`: what it tells its models about tokens left; we offer `countdown`.

Its default names a number that says nothing about the window, which models take for plenty (docs/client.md, "What
models are told of tokens").
"""

from installer.settings import document

NAME, COUNTDOWN = "totalTokensReminder", "countdown"


def is_offered(text: str) -> bool:
    """Whether a settings text leaves the setting open: a value that the person has set is theirs."""
    return document.find(text, NAME) is None


def add(text: str) -> str:
    """Return the text with the setting at `countdown`; unchanged if it is set."""
    return document.put(text, NAME, COUNTDOWN) if is_offered(text) else text


def remove(text: str) -> str:
    """Return the text without what `add` put in, for a caller that knows it did; another value is the person's."""
    return document.remove_member(text, NAME) if document.value(text, NAME) == COUNTDOWN else text
