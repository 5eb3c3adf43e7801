"""The search path for programs, never with the current directory, which may be a hostile repository's."""

import os


def directories() -> list[str]:
    """PATH's absolute directories, or the system's if it has none: an empty PATH means the current directory."""
    for path in (os.environ.get("PATH", ""), os.defpath):
        if result := list(filter(os.path.isabs, path.split(os.pathsep))):
            return result
    return []


def restrict() -> None:
    """Restrict PATH to these directories for the programs that we start."""
    os.environ["PATH"] = os.pathsep.join(directories())
