"""`python -I -m statusline`: the status line, for a person who tries it by hand."""

import os
import sys

from shared import boundary, paths


def main() -> None:
    above = os.path.dirname(sys.prefix)
    is_installed = os.path.exists(os.path.join(above, "directories.json"))
    boundary.run("statusline.line", above if is_installed else os.path.join(paths.client_directory(), "tidegauge"))


if __name__ == "__main__":
    main()
