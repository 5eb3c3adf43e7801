#!/bin/sh
# PostToolUse and PostToolUseFailure start here. Nearly always there is nothing to say, and a shell can tell in
# half the time that the bare interpreter takes to start: it leaves at once while the conversation's gate
# (monitor/warnings/gate.py) shows that no level can have been reached. In any doubt the monitor decides.

root=${0%/*}/..
gate=$root/run/gate-$CLAUDE_CODE_SESSION_ID
is_subagent=no

# Silence where we are gone, or half gone: to the client a script that is missing is exit 2, "block".
program='import sys
del sys.argv[0]
try:
    script = open(sys.argv[0])
except OSError:
    sys.exit()
exec(script.read())'

monitor() {
    [ -x "$root/environment/bin/python" ] || exit 0
    exec "$root/environment/bin/python" -I -S -c "$program" "$root/bin/monitor.py"
}

open_gate() {
    {
        read -r start && read -r tokens && read -r limit && read -r model && IFS= read -r config &&
            IFS= read -r transcript && IFS= read -r project && read -r settings && read -r is_long &&
            read -r known && IFS= read -r variables
    } 2>/dev/null <"$gate" || monitor
}

[ -f "$gate" ] || monitor
case $(set) in *TIDEGAUGE_*) monitor ;; esac # settings from the environment, which no gate knows
open_gate

# A subagent's event has its parent's environment; only agent_id on stdin tells it apart. It counts before
# hook_event_name alone: what comes later is the tool's. Within a value its quotes would be escaped.
if [ -e "$root/run/subagents-$CLAUDE_CODE_SESSION_ID" ] || [ -d "${transcript%.jsonl}/subagents" ]; then
    [ -f "$root/bin/stdin-head.sh" ] && . "$root/bin/stdin-head.sh" || monitor
    fields=${_TIDEGAUGE_STDIN_HEAD%%'"hook_event_name":'*}
    [ "$fields" != "$_TIDEGAUGE_STDIN_HEAD" ] || monitor
    case $fields in
    *'"agent_id":"'*)
        agent=${fields#*'"agent_id":"'}
        gate=$gate.${agent%%\"*}
        is_subagent=yes
        [ -f "$gate" ] || monitor
        open_gate
        ;;
    *agent_id*) monitor ;;
    esac
fi

# Another run of the client, or other variables that bear on the window (monitor/warnings/gate.py names them).
[ "$variables" = "$CLAUDE_PID|$ANTHROPIC_MODEL|$CLAUDE_CODE_DISABLE_1M_CONTEXT|$CLAUDE_CODE_MAX_CONTEXT_TOKENS\
|$CLAUDE_CODE_MAX_OUTPUT_TOKENS|$CLAUDE_CODE_USE_BEDROCK|$CLAUDE_CODE_AUTO_COMPACT_WINDOW\
|$CLAUDE_AUTOCOMPACT_PCT_OVERRIDE|$DISABLE_AUTO_COMPACT|$DISABLE_COMPACT" ] || monitor

# A project may bring settings along, ours and the client's, which come, change and go with a checkout.
theirs=$project/.claude
[ "${CLAUDE_PROJECT_DIR:-$project}" = "$project" ] || monitor
found=
for brought in "$theirs/tidegauge.toml" "$theirs/settings.json" "$theirs/settings.local.json"; do
    [ -e "$brought" ] || { found=$found-; continue; }
    found=$found+
    [ "$gate" -nt "$brought" ] || monitor
done
[ "$found" = "$settings" ] || monitor

# The client's own state is in its directory or beside it: there it keeps the window that the server has set.
for changed in "$config" "${config%/*}" "$root/../settings.json" "$root/../.claude.json" "$root/../../.claude.json" \
    "$root/learned.json" "$theirs"; do
    [ ! -e "$changed" ] || [ "$gate" -nt "$changed" ] || monitor
done
[ "$transcript" -nt "$gate" ] && touched=1 || touched=0

# Byte `start` is the newline before the newest answer that the monitor saw. Each answer says what was in the window
# when it was asked for. To the newest comes what will be with the next: its output, thinking that is nowhere
# to be seen included, and what was written since its first line, in which every token takes more than a byte.
# Tools that are loaded by name bring in what isn't written, and a compaction may bring a level forward. Those, an
# answer that says otherwise or isn't understood, a request for another window, a transcript that was written without
# growing, and so much of it that the monitor had better look again (and note how far it is) end the check.
tail -c "+$start" "$transcript" 2>/dev/null | LC_ALL=C awk -v tokens="$tokens" -v limit="$limit" -v model="$model" \
    -v is_long="$is_long" -v touched="$touched" -v known="$known" -v is_subagent="$is_subagent" '
    function give_up() { unsure = 1; exit }
    NR == 1 && $0 != "" { give_up() }
    { size = length($0) + 1; read += size; pending += size }
    read > 262144 { give_up() }
    !/"(usage|api-request|tool_reference|compact_boundary)"/ { next }
    /"(tool_reference|compact_boundary)"/ { give_up() }
    /"api-request"/ && (index($0, "context-1m-") > 0) != (is_long == "yes") { give_up() }
    !/"usage"/ || !/"type":"assistant"/ { next }
    {
        # The fields before the message and its own before the content: plain values, of which none hides another.
        if (!match($0, /^[{]("[A-Za-z_]+":("([^"\\]|\\.)*"|[a-z0-9.]+),)*"message":[{]/)) give_up()
        head = substr($0, 1, RLENGTH); message = substr($0, RLENGTH + 1)
        if (!index(head, "\"isSidechain\":")) give_up()
        if (is_subagent == "no" && index(head, "\"isSidechain\":true")) next
        match(message, /^("[a-z_]+":"[^"\\]*",)*/); fields = substr(message, 1, RLENGTH)
        if (!index(fields, "\"model\":\"" model "\",") || !match(fields, /"id":"[^"]+"/)) give_up()
        id = substr(fields, RSTART, RLENGTH)

        # The last usage in the line is the message: a tool may be called with one of its own.
        usage = ""
        while (match(message, counts)) { usage = substr(message, RSTART); message = substr(usage, RLENGTH) }
        if (!match(usage, counts)) give_up()
        split(substr(usage, 1, RLENGTH), count, ":")
        if (!(count[4] + 0) && usage ~ /"ephemeral_[15][mh]_input_tokens":[1-9]/) give_up()
        asked = count[3] + count[4] + count[5]
        if (!asked || !match(usage, /"output_tokens":[0-9]+/)) give_up()
        said = substr(usage, RSTART + 16, RLENGTH - 16) + 0
        if (id != newest) { newest = id; pending = size; output = 0 }
        if (said > output) output = said # older clients know it with the last line
        if (asked > tokens) tokens = asked
    }
    BEGIN { counts = "\"usage\":[{]\"input_tokens\":[0-9]+,\"cache_creation_input_tokens\":[0-9]+,\"cache_read_input_tokens\":[0-9]+" }
    END { exit unsure || read < known || touched && read < known + 2 || tokens + output + pending >= limit }
' 2>/dev/null || monitor
