"""`python -I -m commands`: the `tidegauge` command."""

import sys

from commands import run
from shared.paths import installed_root

sys.exit(run(sys.argv[1:], installed_root()))
