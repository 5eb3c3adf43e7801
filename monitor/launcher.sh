#!/bin/sh
# The launcher of PostToolUse and PostToolUseFailure. Nearly always there is nothing to say, and a shell finds that out
# in half the time that the bare interpreter takes to start: it exits while the conversation's gate (shared/gate.py)
# shows that nothing can be due. In doubt it starts the monitor. As monitor-stop it does the same at the end of a turn,
# which isn't counted as a tool use.

root=${0%/*}/..
gate=$root/run/gate-$CLAUDE_CODE_SESSION_ID
notes=$root/run/uses-$CLAUDE_CODE_SESSION_ID
is_subagent=no
umask 077
_TIDEGAUGE_STDIN_HEAD= # a project's settings may have set it

# When a special built-in fails, as `.` does without free descriptors, dash exits with 2, which means "block".
trap 'exit 0' EXIT
monitor() {
    [ -z "$_TIDEGAUGE_STDIN_HEAD" ] || export _TIDEGAUGE_STDIN_HEAD
    [ ! -f "$root/bin/monitor-event" ] || . "$root/bin/monitor-event"
    exit 0
}

read_head() {
    [ -f "$root/bin/stdin-head.sh" ] && . "$root/bin/stdin-head.sh" || monitor
}

open_gate() {
    {
        read -r start && read -r tokens && read -r limit && read -r model && IFS= read -r config &&
            IFS= read -r transcript && IFS= read -r project && read -r settings && read -r is_long &&
            read -r known && read -r uses && read -r is_at_level && read -r last && read -r turn && IFS= read -r variables
    } 2>/dev/null <"$gate" || monitor
}

[ -f "$gate" ] || monitor
open_gate

# A subagent's event has its parent's environment; only agent_id on stdin tells it apart, and only before
# hook_event_name: what follows is the tool's. Within a value the quotes would be escaped.
if [ -e "$root/run/subagents-$CLAUDE_CODE_SESSION_ID" ] || [ -d "${transcript%.jsonl}/subagents" ]; then
    read_head
    fields=${_TIDEGAUGE_STDIN_HEAD%%'"hook_event_name":'*}
    [ "$fields" != "$_TIDEGAUGE_STDIN_HEAD" ] || monitor
    case $fields in
    *'"agent_id":"'*)
        agent=${fields#*'"agent_id":"'}
        gate=$gate.${agent%%\"*}
        notes=$notes.${agent%%\"*}
        is_subagent=yes
        [ -f "$gate" ] || monitor
        open_gate
        ;;
    *agent_id*) monitor ;;
    esac
fi

# What a tool use adds to the window reaches the transcript some 100 ms later (docs/client.md, "Order and delay"). So
# each use's size and id are noted here, one line per use, for the next use to count; where the number of uses doesn't
# matter, only the last one's. A dash is added once a use has passed in silence: a started monitor counts its own use, in
# whatever order parallel calls come.
if [ "${0##*/}" != monitor-stop ]; then
    [ -n "$_TIDEGAUGE_STDIN_HEAD" ] || read_head
    case $_TIDEGAUGE_STDIN_HEAD in
    *'}') ;; # complete, unless it fills the one block that is read
    *) monitor ;;
    esac
    size=${#_TIDEGAUGE_STDIN_HEAD}
    [ -z "$BASH_VERSION" ] || size=$((size * 4)) # bash counts characters, of up to four bytes
    # The id follows all that the tool was given and returned, except a failure's error. `%` searches from the end, but
    # `##` takes a pass for each byte after the id, so none is looked for far from the end: the size then counts twice.
    rest=${_TIDEGAUGE_STDIN_HEAD%'"tool_use_id":"'*} id=
    behind=$((${#_TIDEGAUGE_STDIN_HEAD} - ${#rest}))
    [ $behind -eq 0 ] || [ $behind -gt 999 ] || id=${_TIDEGAUGE_STDIN_HEAD##*'"tool_use_id":"'}
    own="$size ${id%%\"*}"
    [ "$uses$is_at_level" != -yes ] || uses=50 # only an answer shows that usage fell: look now and then
    # Where the number matters, parallel calls count each other: each writes its line first, then counts those above it.
    [ -n "$id" ] || [ "$uses" = - ] || own="$size $$"
    [ "$uses" = - ] || echo "$own" 2>/dev/null >>"$notes" || monitor
    passed=0
    if [ -f "$notes" ]; then
        while read -r note; do
            [ "$note" != "$own" ] || [ "$uses" = - ] || break
            [ "$note" = - ] || last=$note passed=$((passed + 1))
        done 2>/dev/null <"$notes" || monitor
        [ "$passed$uses" != 0- ] || monitor # a parallel call is writing its line
    fi
    if [ "$uses" = - ]; then
        echo "$own" 2>/dev/null >"$notes" || monitor
    else
        [ "$passed" -lt "$uses" ] || monitor
    fi
    [ $size -lt 65536 ] || monitor # stdin may hold more
fi

# Another run of the client, or other variables that bear on the window (shared/gate.py names them).
[ "$variables" = "$CLAUDE_PID|$ANTHROPIC_MODEL|$ANTHROPIC_BASE_URL|$_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL\
|$CLAUDE_CODE_DISABLE_1M_CONTEXT|$CLAUDE_CODE_MAX_CONTEXT_TOKENS|$CLAUDE_CODE_MAX_OUTPUT_TOKENS\
|$CLAUDE_CODE_USE_BEDROCK|$ANTHROPIC_BETAS|$CLAUDE_CODE_AUTO_COMPACT_WINDOW|$CLAUDE_AUTOCOMPACT_PCT_OVERRIDE|$DISABLE_AUTO_COMPACT|$DISABLE_COMPACT" ] || monitor

# A project may bring settings, ours and the client's, which a checkout may add, change or remove.
theirs=$project/.claude
[ "${CLAUDE_PROJECT_DIR:-$project}" = "$project" ] || monitor
presence=
for brought in "$theirs/tidegauge.toml" "$theirs/settings.json" "$theirs/settings.local.json"; do
    [ -e "$brought" ] || { presence=$presence-; continue; }
    presence=$presence+
    [ "$gate" -nt "$brought" ] || monitor
done
[ "$presence" = "$settings" ] || monitor

# The client's state file, in its directory or beside it, holds the window that the server has set.
for changed in "$config" "${config%/*}" "$root/../settings.json" "$root/../.claude.json" "$root/../../.claude.json" \
    "$root/learned.json" "$theirs"; do
    [ ! -e "$changed" ] || [ "$gate" -nt "$changed" ] || monitor
done
[ -f "$transcript" ] || monitor # reading a pipe in its place would never end
[ "$transcript" -nt "$gate" ] && touched=1 || touched=0

# Byte `start` is the newline before the newest answer that the monitor saw. Each answer says what was in the window
# when it was requested. If the newest one calls this tool, its figure is enough. Otherwise the answer that does isn't
# written yet, and its request adds to that figure: the newest answer's output, including thinking that isn't written;
# what was written for the model since (a token takes at least two bytes) or, if it is missing there, the previous tool
# use's result; and one turn for whatever nobody has noted. The check ends, and the monitor decides, at a tool loaded by
# name (what it adds isn't written), a compaction (it may bring a level forward), a model that the client names (its
# window may differ), an answer that says otherwise or isn't understood, a fall at a level, a request for another
# window, a transcript written without growing, and so many new bytes that the monitor had better note a new `start`.
[ -z "$_TIDEGAUGE_STDIN_HEAD" ] || export _TIDEGAUGE_STDIN_HEAD
case $start in # arithmetic on anything but a number ends dash, and bash may run it
'' | 0?* | *[!0-9]* | ????????????????*) monitor ;;
esac
# Nine blocks at most are read: awk takes the square of a line's length, 80 s for 100 MB.
skip=$(((start - 1) / 65536))
LC_ALL=C command -p dd bs=65536 skip=$skip count=9 if="$transcript" 2>/dev/null | LC_ALL=C command -p awk -v tokens="$tokens" -v limit="$limit" \
    -v model="$model" -v is_long="$is_long" -v touched="$touched" -v known="$known" -v is_subagent="$is_subagent" \
    -v is_at_level="$is_at_level" -v last="$last" -v turn="$turn" -v before="$((start - skip * 65536))" '
    function give_up() { unsure = 1; exit }
    # Bytes of a line that the model is given: neither the copy that the client keeps behind a result, with whole files
    # in it, nor its notes on requests. At a level a fall counts, too, which only an answer shows: there the copy is
    # counted, and what an answer holds besides its output, to look more often.
    function given(copy) {
        if (/^[{]"type":"api-request/) return 0
        if (is_at_level == "yes") return length($0) + 1
        copy = index($0, "\"type\":\"assistant\"") ? 0 : index($0, "\"toolUseResult\":")
        return copy && index(substr($0, 1, copy), "\"message\":{") ? copy : length($0) + 1
    }
    before > 0 { before -= length($0) + 1; if (before < 0) give_up(); next } # the first block before start
    noted != "" && index($0, noted) && /"type":"tool_result"/ { last = 0 }
    { read += length($0) + 1 }
    read > 524288 { give_up() }
    index($0, "\"type\":\"progress\"") && $0 ~ progress { next } # from a running tool, for the person alone
    { pending += size = given() }
    !/"(usage|api-request|tool_reference|modelId)"|_boundary"/ { next }
    /"(tool_reference|modelId)"|_boundary"/ { give_up() } # a compaction, whole or partial (microcompact_boundary)
    /"api-request"/ && (index($0, "context-1m-") > 0) != (is_long == "yes") { give_up() }
    !/"usage"/ || !/"type":"assistant"/ { next }
    {
        # The fields before the message, and its own before the content: plain values, so none can hide another.
        if (!match($0, /^[{]("[A-Za-z_]+":("([^"\\]|\\.)*"|[a-z0-9.]+),)*"message":[{]/)) give_up()
        head = substr($0, 1, RLENGTH); message = substr($0, RLENGTH + 1)
        if (!index(head, "\"isSidechain\":")) give_up()
        if (is_subagent == "no" && index(head, "\"isSidechain\":true")) next
        match(message, /^("[a-z_]+":"[^"\\]*",)*/); fields = substr(message, 1, RLENGTH)
        if (!index(fields, "\"model\":\"" model "\",") || !match(fields, /"id":"[^"]+"/)) give_up()
        id = substr(fields, RSTART, RLENGTH)
        calls_it = called != "" && index(message, called)
        content = index(message, "\"content\":[") ? length(message) - index(message, "\"content\":[") : size

        # The last usage in the line is that of the message: the input of a tool may hold one, too.
        usage = ""
        while (match(message, counts)) { usage = substr(message, RSTART); message = substr(usage, RLENGTH) }
        if (!match(usage, counts)) give_up()
        split(substr(usage, 1, RLENGTH), count, ":")
        if (!(count[4] + 0) && usage ~ /"ephemeral_[15][mh]_input_tokens":[1-9]/) give_up()
        asked = count[3] + count[4] + count[5]
        if (!asked || !match(usage, /"output_tokens":[0-9]+/)) give_up()
        said = substr(usage, RSTART + 16, RLENGTH - 16) + 0
        if (id != newest) { newest = id; pending = size; own = output = is_written = 0 }
        if (is_at_level == "no") { pending -= size; own += content - length(usage) }
        if (calls_it) is_written = 1
        if (said > output) output = said # older clients give it with the last line; until then, own bounds it
        if (asked < tokens && is_at_level == "yes") give_up()
        if (asked > tokens) tokens = asked
    }
    BEGIN {
        if (!before) give_up()
        read = 1
        for (name in ENVIRON) if (name ~ /^TIDEGAUGE_/) give_up() # settings, which the gate does not cover
        # The id of the tool use follows all that the tool was given and returned.
        event = ENVIRON["_TIDEGAUGE_STDIN_HEAD"]
        while (match(event, /"tool_use_id":"[A-Za-z0-9_-]+"/)) {
            called = "\"id\":" substr(event, RSTART + 14, RLENGTH - 14); event = substr(event, RSTART + RLENGTH)
        }
        if (is_at_level == "no" && match(last, / [A-Za-z0-9_-]+$/)) noted = "\"tool_use_id\":\"" substr(last, RSTART + 1) "\""
        progress = "^[{](\"[A-Za-z_]+\":(\"([^\"\\\\]|\\\\.)*\"|[a-z0-9.]+),)*\"type\":\"progress\","
        counts = "\"usage\":[{]\"input_tokens\":[0-9]+,\"cache_creation_input_tokens\":[0-9]+,\"cache_read_input_tokens\":[0-9]+"
    }
    END {
        if (last + 0 > pending) pending = last + 0
        unwritten = is_written ? 0 : (output > own / 2 ? output : own / 2) + pending / 2 + turn
        exit unsure || read < known || touched && read < known + 2 || tokens + unwritten >= limit
    }
' 2>/dev/null || monitor
[ "${0##*/}" = monitor-stop ] || echo - 2>/dev/null >>"$notes" || monitor
