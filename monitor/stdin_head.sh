# The launchers' common part: the beginning of stdin, in _TIDEGAUGE_STDIN_HEAD, which hands it on to the monitor
# (shared/stdin.py). The client may leave stdin open and empty, and no tool that every system has reads for a bounded
# time: a timer ends the reader, which ends the timer.

first_read_of_stdin() {
    exec 3<&0 # what runs in the background has no stdin of its own
    dd bs=4096 count=1 <&3 2>/dev/null &
    reader=$!
    {
        trap 'kill $timer; exit' TERM
        sleep 2 &
        timer=$!
        wait $timer
        kill $reader
    } >/dev/null 2>&1 3<&- &
    wait $reader
    kill $!
}

_TIDEGAUGE_STDIN_HEAD=$(first_read_of_stdin 2>/dev/null)
export _TIDEGAUGE_STDIN_HEAD
