"""Where programs are searched for: never in the directory that we are in, which may be a hostile repository's."""

import os


def directories() -> list[str]:
    """PATH's absolute directories; without any the system's, as an empty PATH means the directory we are in."""
    for path in (os.environ.get("PATH", ""), os.defpath):
        if result := list(filter(os.path.isabs, path.split(os.pathsep))):
            return result
    return []


def restrict() -> None:
    """Leave no others to what we start."""
    os.environ["PATH"] = os.pathsep.join(directories())
