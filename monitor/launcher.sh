#!/bin/sh
# PostToolUse and PostToolUseFailure start here. Nearly always there is nothing to say, and a shell can tell in
# half the time that the bare interpreter takes to start: it leaves at once while the conversation's gate
# (shared/gate.py) shows that nothing can be due. In any doubt the monitor decides. As monitor-stop it does the same at
# the end of a turn, which is no tool use and isn't counted.

root=${0%/*}/..
gate=$root/run/gate-$CLAUDE_CODE_SESSION_ID
notes=$root/run/uses-$CLAUDE_CODE_SESSION_ID
is_subagent=no
umask 077
_TIDEGAUGE_STDIN_HEAD= # a project's settings may have set it

# A special built-in that fails, as `.` does where descriptors are short, ends dash with exit 2, "block".
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

# A subagent's event has its parent's environment; only agent_id on stdin tells it apart. It counts before
# hook_event_name alone: what comes later is the tool's. Within a value its quotes would be escaped.
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

# What a tool use brings into the window stands in the transcript some 100 ms later (docs/client.md, "Order and delay").
# So each one's size and id are noted here, a line a tool use, for the next one to count with; where their number doesn't
# matter, only the last one's. A dash follows once it has passed in silence: a monitor that is started counts its own tool
# use itself, in whatever order parallel calls come.
if [ "${0##*/}" != monitor-stop ]; then
    [ -n "$_TIDEGAUGE_STDIN_HEAD" ] || read_head
    case $_TIDEGAUGE_STDIN_HEAD in
    *'}') ;; # whole, unless it is as much as is read at once
    *) monitor ;;
    esac
    size=${#_TIDEGAUGE_STDIN_HEAD}
    [ -z "$BASH_VERSION" ] || size=$((size * 4)) # which counts characters, of up to four bytes
    # The id stands behind all that the tool was given and returned, but for a failure's words. A shell looks for the last
    # `"` from the end, and for a beginning as often as there are bytes behind it: without an id the size counts twice.
    rest=${_TIDEGAUGE_STDIN_HEAD%'"tool_use_id":"'*} id=
    behind=$((${#_TIDEGAUGE_STDIN_HEAD} - ${#rest}))
    [ $behind -eq 0 ] || [ $behind -gt 999 ] || id=${_TIDEGAUGE_STDIN_HEAD##*'"tool_use_id":"'}
    own="$size ${id%%\"*}"
    [ "$uses$is_at_level" != -yes ] || uses=50 # only an answer tells of a fall: to look now and then
    # Where the number matters, parallel calls count one another: each first writes its line, and then looks what is above.
    [ -n "$id" ] || [ "$uses" = - ] || own="$size $$"
    [ "$uses" = - ] || echo "$own" 2>/dev/null >>"$notes" || monitor
    passed=0
    if [ -f "$notes" ]; then
        while read -r note; do
            [ "$note" != "$own" ] || [ "$uses" = - ] || break
            [ "$note" = - ] || last=$note passed=$((passed + 1))
        done 2>/dev/null <"$notes" || monitor
        [ "$passed$uses" != 0- ] || monitor # a parallel call is just writing its line
    fi
    if [ "$uses" = - ]; then
        echo "$own" 2>/dev/null >"$notes" || monitor
    else
        [ "$passed" -lt "$uses" ] || monitor
    fi
    [ $size -lt 65536 ] || monitor # there may be more
fi

# Another run of the client, or other variables that bear on the window (shared/gate.py names them).
[ "$variables" = "$CLAUDE_PID|$ANTHROPIC_MODEL|$ANTHROPIC_BASE_URL|$_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL\
|$CLAUDE_CODE_DISABLE_1M_CONTEXT|$CLAUDE_CODE_MAX_CONTEXT_TOKENS|$CLAUDE_CODE_MAX_OUTPUT_TOKENS\
|$CLAUDE_CODE_USE_BEDROCK|$ANTHROPIC_BETAS|$CLAUDE_CODE_AUTO_COMPACT_WINDOW|$CLAUDE_AUTOCOMPACT_PCT_OVERRIDE|$DISABLE_AUTO_COMPACT|$DISABLE_COMPACT" ] || monitor

# A project may bring settings along, ours and the client's, which come, change and go with a checkout.
theirs=$project/.claude
[ "${CLAUDE_PROJECT_DIR:-$project}" = "$project" ] || monitor
presence=
for brought in "$theirs/tidegauge.toml" "$theirs/settings.json" "$theirs/settings.local.json"; do
    [ -e "$brought" ] || { presence=$presence-; continue; }
    presence=$presence+
    [ "$gate" -nt "$brought" ] || monitor
done
[ "$presence" = "$settings" ] || monitor

# The client's own state is in its directory or beside it: there it keeps the window that the server has set.
for changed in "$config" "${config%/*}" "$root/../settings.json" "$root/../.claude.json" "$root/../../.claude.json" \
    "$root/learned.json" "$theirs"; do
    [ ! -e "$changed" ] || [ "$gate" -nt "$changed" ] || monitor
done
[ -f "$transcript" ] || monitor # to read a pipe in its place would never end
[ "$transcript" -nt "$gate" ] && touched=1 || touched=0

# Byte `start` is the newline before the newest answer that the monitor saw. Each answer says what was in the window
# when it was asked for. If the newest one calls the tool in hand, that is all there is to know. Otherwise the answer
# that does isn't written yet, and to the newest comes what will be with the next: its output, thinking that is nowhere
# to be seen included, what was written for the model since, in which a token takes two bytes and more, or the result of
# the tool use before this one, where that isn't written yet, and a turn for all that nobody has noted.
# Tools that are loaded by name bring in what isn't written, a compaction may bring a level forward, and a model that the
# client names may have another window. Those, an answer that says otherwise or isn't understood, a fall at a level, a request for another window, a transcript that was written without
# growing, and so much of it that the monitor had better look again (and note how far it is) end the check.
[ -z "$_TIDEGAUGE_STDIN_HEAD" ] || export _TIDEGAUGE_STDIN_HEAD
case $start in # to calculate with what is no number ends a dash, and a bash may run it
'' | 0?* | *[!0-9]* | ????????????????*) monitor ;;
esac
# No more than that is read: a long line takes an awk the square of its length, 80 s for 100 MB.
skip=$(((start - 1) / 65536))
LC_ALL=C command -p dd bs=65536 skip=$skip count=9 if="$transcript" 2>/dev/null | LC_ALL=C command -p awk -v tokens="$tokens" -v limit="$limit" \
    -v model="$model" -v is_long="$is_long" -v touched="$touched" -v known="$known" -v is_subagent="$is_subagent" \
    -v is_at_level="$is_at_level" -v last="$last" -v turn="$turn" -v before="$((start - skip * 65536))" '
    function give_up() { unsure = 1; exit }
    # Bytes of a line that the model is given: behind a result the client keeps a copy for itself, with whole files in it,
    # and what it notes of its requests is none of it. At a level a fall counts, too, of which only an answer tells: there
    # the copy is counted, and what an answer says beside its output, to look more often.
    function given(copy) {
        if (/^[{]"type":"api-request/) return 0
        if (is_at_level == "yes") return length($0) + 1
        copy = index($0, "\"type\":\"assistant\"") ? 0 : index($0, "\"toolUseResult\":")
        return copy && index(substr($0, 1, copy), "\"message\":{") ? copy : length($0) + 1
    }
    before > 0 { before -= length($0) + 1; if (before < 0) give_up(); next } # the rest of the first block
    noted != "" && index($0, noted) && /"type":"tool_result"/ { last = 0 }
    { read += length($0) + 1 }
    read > 524288 { give_up() }
    index($0, "\"type\":\"progress\"") && $0 ~ progress { next } # of a tool that still runs, for the person alone
    { pending += size = given() }
    !/"(usage|api-request|tool_reference|modelId)"|_boundary"/ { next }
    /"(tool_reference|modelId)"|_boundary"/ { give_up() } # a compaction, in whole or (microcompact_boundary) in part
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
        calls_it = called != "" && index(message, called)
        content = index(message, "\"content\":[") ? length(message) - index(message, "\"content\":[") : size

        # The last usage in the line is the message: a tool may be called with one of its own.
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
        if (said > output) output = said # older clients know it with the last line, and until then by what it says
        if (asked < tokens && is_at_level == "yes") give_up()
        if (asked > tokens) tokens = asked
    }
    BEGIN {
        if (!before) give_up()
        read = 1
        for (name in ENVIRON) if (name ~ /^TIDEGAUGE_/) give_up() # settings, which no gate knows
        # The event names its tool use after all that the tool was given and returned.
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
