"""Run a command and write its peak memory, in bytes, as the last word on stderr.

A separate process with few imports: a child's figure is never below the pages of the process that started it, so this
one must be small.
"""

import os
import sys

child = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
unit = 1 if sys.platform == "darwin" else 1024
os.write(2, b"\n%d\n" % (usage.ru_maxrss * unit))
sys.exit(os.waitstatus_to_exitcode(status))
