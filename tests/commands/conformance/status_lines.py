"""Status-line commands for the conformance suite: right ones, and ones that are wrong on purpose."""

import shlex
import sys
from pathlib import Path

_HEAD = "import json, os, sys, time\npayload = json.load(sys.stdin)\nwindow = payload.get('context_window') or {}\n"
_TOKENS = "sum(usage.get(k) or 0 for k in ('input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'))"

REMAINING = "left = window.get('remaining_percentage')\nprint('-' if left is None else f'5h 12%, {left}% left')\n"
"""Right, but it prints what is left, behind another percentage."""
OF_200K = f"""
usage = window.get('current_usage') or {{}}
tokens = {_TOKENS}
print(f'{{min(100, round(tokens * 100 / 200_000))}}%')
"""
"""Wrong: every window has 200,000 tokens."""
LAST_USAGE = f"""
size, tokens = window.get('context_window_size') or 200_000, 0
for line in open(payload['transcript_path']) if os.path.exists(payload['transcript_path']) else ():
    try:
        usage = json.loads(line).get('message', {{}}).get('usage') or {{}}
    except ValueError:
        continue
    tokens = {_TOKENS} or tokens
print(f'{{tokens * 100 // size}}%' if tokens else '-')
"""
"""Wrong: the last usage in the transcript counts, whoever's it is and whatever happened since."""
HANGING = "os.system('sleep 60 & echo $! >>' + sys.argv[1])\ntime.sleep(60)\n"
"""Wrong: it never ends, and neither does what it has started; that process's id goes to the file that it is given."""
BRIDGE = """
path = os.path.join(os.environ['TMPDIR'], f"claude-ctx-{payload['session_id']}.json")
remaining = window.get('remaining_percentage')
bridge = {'session_id': payload['session_id'], 'remaining_percentage': remaining,
          'used_pct': 100 - (remaining or 0), 'timestamp': int(time.time())}
bridge.update(eval(sys.argv[1]))
if remaining is not None:
    json.dump(bridge, open(path, 'w'))
print('12%')
"""
"""Prints nonsense and writes a bridge, with the changes that it is given as a Python expression."""
CLIENTS_OWN = "used = window.get('used_percentage')\nprint('-' if used is None else f'\\033[32m{used}%\\033[0m')\n"
"""Right: the client's own figure."""


def status_line(directory: Path, text: str, *arguments: str) -> str:
    """The command that runs a status line with this text."""
    script = directory / "status_line.py"
    script.write_text(_HEAD + text)
    return shlex.join([sys.executable, "-I", "-S", str(script), *arguments])
