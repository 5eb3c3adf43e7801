"""Install Tidegauge: python3 install.py. See --help."""
# This file alone must be readable by any Python, to say which one is needed.

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036  it is just the older ones that get here
    sys.exit("install.py: Python 3.11 or newer is needed; this is %d.%d" % sys.version_info[:2])  # noqa: UP031  they know no other format

sys.dont_write_bytecode = True  # the clone is the person's; a dry run writes nothing into it

SOURCE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, SOURCE)

from installer.command import main  # noqa: E402  only a Python that is new enough can read it

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], SOURCE))
