"""`python -I -m installer --uninstall`: leaving without the clone."""

import sys

from installer.command import main

sys.exit(main(sys.argv[1:]))
