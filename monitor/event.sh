#!/bin/sh
# The launcher of every hook that a shell can't decide beforehand; the other launchers source this file, too.

root=${0%/*}/..
[ "${0##*/}" != monitor-event ] || unset _TIDEGAUGE_STDIN_HEAD # a project's settings may have set it

# Stay silent if we are gone or half gone: a missing script would exit with 2, which the client takes as "block".
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
# The head of stdin is passed on in the environment, which it may make too large for exec: hide that error.
[ ${#_TIDEGAUGE_STDIN_HEAD} -lt 4096 ] || exec 2>/dev/null
PYTHONEXECUTABLE= __PYVENV_LAUNCHER__= exec "$python" -I -S -c "$program" "$root/bin/monitor.py" "$@" # even with -I
