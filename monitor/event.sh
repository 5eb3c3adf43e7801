#!/bin/sh
# Every hook starts here for which a shell can tell nothing beforehand; the other launchers read this file, too.

root=${0%/*}/..
[ "${0##*/}" != monitor-event ] || unset _TIDEGAUGE_STDIN_HEAD # a project's settings may have set it

# Silence where we are gone, or half gone: to the client a script that is missing is exit 2, "block".
program='import sys
del sys.argv[0]
try:
    script = open(sys.argv[0])
except OSError:
    sys.exit()
exec(script.read())'

python=$root/environment/bin/python
[ -x "$python" ] || python=$root/environment/Scripts/python.exe  # Windows, with a sh of its own
[ -x "$python" ] || exit 0
# The head of a tool use goes on in the environment, for which both together may be too much.
[ ${#_TIDEGAUGE_STDIN_HEAD} -lt 4096 ] || exec 2>/dev/null
PYTHONEXECUTABLE= __PYVENV_LAUNCHER__= exec "$python" -I -S -c "$program" "$root/bin/monitor.py" "$@" # -I obeys both
