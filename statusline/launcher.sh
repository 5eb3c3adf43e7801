#!/bin/sh
# Start the status line. Without an interpreter or a program, print one line with the remedy.

root=${0%/*}/..
python=$root/environment/bin/python
[ -x "$python" ] || python=$root/environment/Scripts/python.exe  # Windows, with a sh of its own
if [ -x "$python" ] && [ -f "$root/bin/statusline.py" ]; then
    PYTHONEXECUTABLE= __PYVENV_LAUNCHER__= exec "$python" -I -S "$root/bin/statusline.py" # -I obeys both
fi
[ -x "$python" ] && missing=program || missing=Python
if [ ! -f "$root/environment/program/install.py" ] && [ ! -f "$root/program/install.py" ]; then
    echo "Tidegauge: its $missing is gone. Install it again from a clone: python3 install.py"
    exit
fi
if command -v tidegauge >/dev/null; then
    command=tidegauge
else
    command=${0%/*}/tidegauge
    case $command in *[!A-Za-z0-9_./-]*) command="'$(printf %s "$command" | sed "s/'/'\\\\''/g")'" ;; esac
fi
echo "Tidegauge: its $missing is gone. Run: $command repair"
