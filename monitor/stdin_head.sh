# Sourced by the launchers: reads the head of stdin into _TIDEGAUGE_STDIN_HEAD, which they pass on to the monitor
# (shared/process/stdin.py). GNU dd reads what is there without waiting, and leaves our end of stdin non-blocking, which
# the monitor, waiting by select(), doesn't mind. Elsewhere a timer kills the reader, since the client may leave stdin
# open and empty, and no tool that every system has reads for a bounded time. Each tool runs in the C locale: loading
# another takes longer than the tool's work.

first_read_of_stdin() {
    exec 3<&0 # a background job has no stdin of its own
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
