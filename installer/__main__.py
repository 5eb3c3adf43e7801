"""`python -I -m installer uninstall`: as 0.1.0 has told people to leave."""

import os
import sys

from installer.command import main

sys.exit(main(sys.argv[1:], os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
