"""The status line and every hook of a measured client: `recorder.py FOLDER EVENT [--speaking]`.

It writes its standard input into FOLDER. With `--speaking` it gives the model the event's name and the session's
source. It runs as a separate program and imports only the standard library.
"""

import json
import os
import sys
import time


def main() -> int:
    folder, event, *flags = sys.argv[1:]
    payload = json.loads(sys.stdin.buffer.read())
    name = os.path.join(folder, f"{time.time_ns()}-{os.getpid()}")
    with open(f"{name}.tmp", "w", encoding="utf-8") as file:
        json.dump({"event": event, "payload": payload}, file)
    os.replace(f"{name}.tmp", f"{name}.json")
    if flags:
        context = f"<<{event} {payload.get('source', '')}>>"
        answer = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
        print(json.dumps(answer))  # noqa: T201  a hook answers on its standard output
    return 0


if __name__ == "__main__":
    sys.exit(main())
