"""The status line of a recorded client: `snapshot.py FOLDER` saves its standard input, and the transcripts as they are.

It runs as a separate program and imports only the standard library.
"""

import json
import os
import sys
import time


def main() -> int:
    payload = json.loads(sys.stdin.buffer.read())
    transcript = payload["transcript_path"]
    agents = os.path.join(transcript.removesuffix(".jsonl"), "subagents")
    names = sorted(os.listdir(agents)) if os.path.isdir(agents) else []
    files = {name: _text(os.path.join(agents, name)) for name in names if name.endswith(".jsonl")}
    path = os.path.join(sys.argv[1], f"{time.time_ns()}-{os.getpid()}")
    with open(f"{path}.tmp", "w", encoding="utf-8") as file:
        json.dump({"payload": payload, "transcript": _text(transcript), "agents": files}, file)
    os.replace(f"{path}.tmp", f"{path}.json")
    print("recorded")  # noqa: T201  what the client shows
    return 0


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
