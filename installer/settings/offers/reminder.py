"""The client's setting `totalTokensReminder`: what it tells its models of tokens left, offered as `countdown`.

Its default names a number that says nothing about the window, which models take for plenty (docs/client.md, "What
models are told of tokens").
"""

from installer.settings.text import document, edit

NAME, COUNTDOWN = "totalTokensReminder", "countdown"


def is_offered(text: str) -> bool:
    """Whether a settings text leaves the setting open: one that the person has made is theirs."""
    return document.parse(text).find(NAME) is None


def add(text: str) -> str:
    """The text with the setting at `countdown`; unchanged where it is set."""
    return edit.append(text, document.parse(text), {NAME: COUNTDOWN}) if is_offered(text) else text


def remove(text: str) -> str:
    """The text without what `add` has put in; for who knows that it did. Another value is the person's."""
    root = document.parse(text)
    part = root.find(NAME)
    return edit.remove(text, root, part) if part is not None and root.string(NAME) == COUNTDOWN else text
