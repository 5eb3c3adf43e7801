#!/bin/sh
# Run as a PostToolUse hook: adds to the file $1 the milliseconds until the transcript holds the call, 0 if it is there.
# A shell, because an interpreter takes about as long to start as the client to write. It needs GNU date.
start=$(date +%s%N)
payload=$(cat)
path=${payload#*\"transcript_path\":\"}
path=${path%%\"*}
call=${payload##*\"tool_use_id\":\"}
call=${call%%\"*}
tries=0
until grep -q "\"id\":\"$call\"" "$path" || [ "$tries" -ge 300 ]; do
    tries=$((tries + 1))
    sleep 0.003
done
if [ "$tries" -eq 0 ]; then echo 0; else echo $((($(date +%s%N) - start) / 1000000)); fi >>"$1"
