"""Where this Tidegauge lies, for a process that was not started by the installer's entry scripts."""

import os
import sys

from shared import paths


def root() -> str:
    """The directory above the environment that runs us, when it is an installation; else the client's own."""
    above = os.path.dirname(sys.prefix)
    if os.path.exists(os.path.join(above, "directories.json")):
        return above
    return os.path.join(paths.client_directory(), "tidegauge")
