#!/bin/sh
# Every hook starts here for which a shell can tell nothing beforehand.

root=${0%/*}/..

# Silence where we are gone, or half gone: to the client a script that is missing is exit 2, "block".
program='import sys
del sys.argv[0]
try:
    script = open(sys.argv[0])
except OSError:
    sys.exit()
exec(script.read())'

[ -x "$root/environment/bin/python" ] || exit 0
exec "$root/environment/bin/python" -I -S -c "$program" "$root/bin/monitor.py" "$@"
