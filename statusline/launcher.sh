#!/bin/sh
# The status line starts here. Without an interpreter or a program it says so, in one line with what to do.

root=${0%/*}/..
python=$root/environment/bin/python
[ -x "$python" ] || python=$root/environment/Scripts/python.exe  # Windows, with a sh of its own
if [ -x "$python" ] && [ -f "$root/bin/statusline.py" ]; then
    exec "$python" -I -S "$root/bin/statusline.py"
fi
[ -x "$python" ] && missing=program || missing=Python
command -v tidegauge >/dev/null && repair=tidegauge || repair=${0%/*}/tidegauge
echo "Tidegauge: its $missing is gone. Run: $repair repair"
