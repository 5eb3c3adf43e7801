"""`python -I -m commands`: the `tidegauge` command."""

import sys

try:
    from commands import run
    from shared.paths import installed_root

    sys.exit(run(sys.argv[1:], installed_root()))
except KeyboardInterrupt:  # while it is still being loaded
    sys.exit(130)
