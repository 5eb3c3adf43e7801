# The launchers' common part: the beginning of stdin, in _TIDEGAUGE_STDIN_HEAD, which a launcher hands on to the monitor
# (shared/process/stdin.py). GNU's dd takes what is there without waiting, and leaves our end of stdin non-blocking, which
# the monitor, who waits by select(), doesn't mind. Elsewhere, since the client may leave stdin open and empty, a timer
# ends the reader, which ends the timer: no tool that every system has reads for a bounded time. Each tool runs in the
# locale C: to load another takes longer than its work.

first_read_of_stdin() {
    exec 3<&0 # what runs in the background has no stdin of its own
    command -p dd bs=65536 count=1 <&3 2>/dev/null &
    reader=$!
    {
        trap 'kill $timer; exit' TERM
        command -p sleep 2 &
        timer=$!
        wait $timer
        kill $reader
    } >/dev/null 2>&1 3<&- &
    wait $reader
    kill $!
}

_TIDEGAUGE_STDIN_HEAD=$(LC_ALL=C command -p dd bs=65536 count=1 iflag=nonblock 2>/dev/null) ||
    _TIDEGAUGE_STDIN_HEAD=$(first_read_of_stdin 2>/dev/null)
