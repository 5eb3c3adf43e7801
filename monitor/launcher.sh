#!/bin/sh
# PostToolUse and PostToolUseFailure start here. Nearly always there is nothing to say, and a shell can tell in
# half the time that the bare interpreter takes to start: it leaves at once while the conversation's gate
# (monitor/warnings/gate.py) shows that no level can have been reached. In any doubt the monitor decides.

root=${0%/*}/..
gate=$root/run/gate-$CLAUDE_CODE_SESSION_ID

# Silence where we are gone, or half gone: to the client a script that is missing is exit 2, "block".
start='import sys
del sys.argv[0]
try:
    script = open(sys.argv[0])
except OSError:
    sys.exit()
exec(script.read())'

monitor() {
    [ -x "$root/environment/bin/python" ] || exit 0
    exec "$root/environment/bin/python" -I -S -c "$start" "$root/bin/monitor.py"
}

open_gate() {
    {
        read -r seen && read -r tokens && read -r limit && read -r model && IFS= read -r config &&
            IFS= read -r transcript && IFS= read -r project && read -r has_settings && read -r is_long
    } 2>/dev/null <"$gate" || monitor
}

[ -f "$gate" ] || monitor
case $(set) in *TIDEGAUGE_*) monitor ;; esac # settings from the environment, which no gate knows
open_gate

# A subagent's event has its parent's environment; only agent_id on stdin tells it apart. It stands before
# hook_event_name, in the first kilobyte or so; what is read of stdin here is handed on.
if [ -e "$root/run/subagents-$CLAUDE_CODE_SESSION_ID" ] || [ -d "${transcript%.jsonl}/subagents" ]; then
    _TIDEGAUGE_STDIN_HEAD=$(dd bs=4096 count=1 2>/dev/null)
    export _TIDEGAUGE_STDIN_HEAD
    case $_TIDEGAUGE_STDIN_HEAD in
    *\"agent_id\"*)
        agent=${_TIDEGAUGE_STDIN_HEAD#*\"agent_id\":\"}
        gate=$gate.${agent%%\"*}
        [ -f "$gate" ] || monitor
        open_gate
        ;;
    *\"hook_event_name\"*) ;;
    *) monitor ;;
    esac
fi

# A project may bring settings along, which come, change and go with a checkout.
settings=$project/.claude/tidegauge.toml
[ "${CLAUDE_PROJECT_DIR:-$project}" = "$project" ] || monitor
[ -e "$settings" ] && found=yes || found=no
[ "$found" = "$has_settings" ] || monitor

for changed in "$config" "${config%/*}" "$root/../settings.json" "$root/learned.json" "$settings" "${settings%/*}"; do
    [ ! -e "$changed" ] || [ "$gate" -nt "$changed" ] || monitor
done
[ "$transcript" -nt "$gate" ] && touched=1 || touched=0

# Byte `seen` is the newline that ended the part already read. Every token takes more than a byte of transcript, so
# what was appended bounds what is not yet counted. An answer that says otherwise or isn't understood, a request for
# another window, or a transcript that was written without growing end the check.
tail -c "+$seen" "$transcript" 2>/dev/null | LC_ALL=C awk -v tokens="$tokens" -v limit="$limit" -v model="$model" \
    -v is_long="$is_long" -v touched="$touched" '
    NR == 1 && $0 != "" { unsure = 1; exit }
    { appended += length($0) + 1 }
    /"usage"/ {
        if (!index($0, model) || !match($0, usage)) { unsure = 1; exit }
        split(substr($0, RSTART, RLENGTH), count, ":")
        if (!(count[4] + 0) && /"ephemeral_[15][mh]_input_tokens":[1-9]/) { unsure = 1; exit }
        if (count[3] + count[4] + count[5] > tokens) tokens = count[3] + count[4] + count[5]
    }
    /"api-request"/ && (index($0, "context-1m-") > 0) != (is_long == "yes") { unsure = 1; exit }
    BEGIN { usage = "\"usage\":[{]\"input_tokens\":[0-9]+,\"cache_creation_input_tokens\":[0-9]+,\"cache_read_input_tokens\":[0-9]+" }
    END { exit unsure || !NR || touched && appended < 2 || tokens + appended >= limit }
' 2>/dev/null || monitor
