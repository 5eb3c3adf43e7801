"""The files that define the project's or the person's own agents (docs/client.md, "Subagents")."""

import itertools
import os
import re
from collections.abc import Iterator

from shared.client.client import DIRECTORY
from shared.files import files

_MOST_FILES, _MOST_BYTES = 200, 8_192
"""The most that is read of a directory, which may come with a repository, and of a file."""
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
"""The front matter of such a file, of a rule and of a skill."""
_FIELD = r"(?m)^{}:[ \t]*[\"']?([^\s\"'#]+)"


def model_of(agent: str, project: str, client_directory: str) -> str:
    """The model, an id or alias, in the agent's file, a project's before the person's; empty if it is its caller's."""
    directories = [os.path.join(project, DIRECTORY)] if project else []
    for text in itertools.chain.from_iterable(map(_front_matters, (*directories, client_directory))):
        if agent and _field("name", text) == agent:
            model = _field("model", text)
            return "" if model == "inherit" else model
    return ""


def _field(name: str, text: str) -> str:
    match = re.search(_FIELD.format(name), text)
    return match[1] if match else ""


def _front_matters(directory: str) -> Iterator[str]:
    """Yield the front matter of each agent's file in one of the client's directories."""
    place = os.path.join(directory, "agents")
    try:
        with os.scandir(place) as entries:
            names = sorted(entry.name for entry in itertools.islice(entries, _MOST_FILES))
    except OSError:
        return
    for name in names:
        data = files.beginning(os.path.join(place, name), _MOST_BYTES) if name.endswith(".md") else None
        text = data.decode("utf-8", "replace").replace("\r\n", "\n") if data else ""
        if match := FRONT_MATTER.match(text):
            yield match[1]
