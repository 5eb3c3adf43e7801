#!/bin/sh
# PostToolUse of the tools that write files starts here. All but a few of those files are no business of ours, and a
# shell can tell them in a third of the time that Python takes: it leaves unless the file is an ORCHESTRATION.yaml.
# In any doubt the monitor decides.

root=${0%/*}/..

# The path stands before the contents, in the first kilobyte or two, unless the model has put them the other way
# round. Quotes within the contents are escaped, so they are never taken for the field.
if [ -f "$root/bin/stdin-head.sh" ] && . "$root/bin/stdin-head.sh"; then
    case $_TIDEGAUGE_STDIN_HEAD in
    *ORCHESTRATION.yaml*) ;;
    *'"file_path":"'*'"'* | *'"notebook_path":"'*'"'*) exit 0 ;;
    esac
fi

# Silence where we are gone, or half gone: to the client a script that is missing is exit 2, "block".
program='import sys
del sys.argv[0]
try:
    script = open(sys.argv[0])
except OSError:
    sys.exit()
exec(script.read())'

[ -x "$root/environment/bin/python" ] || exit 0
exec "$root/environment/bin/python" -I -S -c "$program" "$root/bin/monitor.py" staleness
