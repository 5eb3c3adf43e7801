#!/bin/sh
root=@ROOT@
[ -d "$root" ] || root=${0%/*}/..
# Of PATH only absolute directories count: another one is the folder, perhaps a repository, that this is run in.
absolute=
set -f
IFS=:
for directory in $PATH; do
    case $directory in /*) absolute=$absolute:$directory ;; esac
done
unset IFS PYTHONEXECUTABLE __PYVENV_LAUNCHER__ # Python obeys the latter two in spite of -I
set +f
PATH=${absolute#:}
PATH=${PATH:-/usr/bin:/bin} # an empty one means that folder, too
# An installation was killed between its two renames.
[ -d "$root/environment" ] || [ ! -d "$root/environment.previous" ] || mv "$root/environment.previous" "$root/environment"
python=$root/environment/bin/python
own=$0
case $own in *[!A-Za-z0-9_./-]*) own="'$(printf %s "$own" | sed "s/'/'\\\\''/g")'" ;; esac
[ $# -gt 0 ] || set -- status
case $1 in
install | update | repair | uninstall | doctor) ;;
*)
    if [ ! -x "$python" ]; then
        echo "tidegauge: its Python is gone, $python; run: $own repair" >&2
        exit 1
    fi
    exec "$python" -I -c 'import sys
own = sys.argv.pop(1)
try:
    import commands.__main__
except ModuleNotFoundError as problem:
    raise SystemExit(f"tidegauge: {problem.name} is missing; run: {own} repair")
except KeyboardInterrupt: # while it is still being loaded
    raise SystemExit(130)' "$own" "$@"
    ;;
esac
# These need the standard library alone, so any Python will do; without the environment, the copy next to it.
program=$root/environment/program
[ -f "$program/install.py" ] || program=$root/program
if [ ! -f "$program/install.py" ]; then
    echo "tidegauge: its program is gone, $program; install it again from a clone: python3 install.py" >&2
    exit 1
fi
for any in "$python" python3 python; do
    if "$any" -I -c '' 2>/dev/null; then
        _TIDEGAUGE_AS_COMMAND=1 exec "$any" -I "$program/install.py" "$@"
    fi
done
echo "tidegauge: there is no Python; install one, 3.11 or newer, then run: $own repair" >&2
exit 1
