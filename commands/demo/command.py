"""`tidegauge demo`: a session that fills up, with the line that the person sees and each message to the agent."""

import argparse
import os
import shutil
import sys
import time

from commands.command import ALL_RIGHT, USAGE, CommandError
from commands.demo import playback
from commands.demo.stage import stage
from commands.terminal import is_coloured, painted
from shared.client.models import STANDARD
from shared.gauge.window import LARGEST
from shared.settings import settings

SUMMARY = "play a session that fills up: the line, and what the agent is told"
EXAMPLES = (
    ("tidegauge demo", "a session of 50 tool uses"),
    ("tidegauge demo --fast --window 1000000", "a window of a million tokens, without pauses"),
)
FAILURE = "one of the processes failed"
_MARGIN = 6
_PAUSE = 0.3
"""Seconds between tool uses."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fast", action="store_true", help="without pauses, as when the output isn't a terminal")
    parser.add_argument(
        "--tool-uses", metavar="N", type=int, default=50, help="until the limit is reached (default: 50)"
    )
    parser.add_argument(
        "--window", metavar="TOKENS", type=int, help="the window's size (default: as configured, else 200000)"
    )


def run(options: argparse.Namespace, root: str) -> int:
    _check("--tool-uses", options.tool_uses, 1, 1_000)
    _check("--window", options.window, 1_000, LARGEST)
    window = options.window or settings.load(root).config.window.size or STANDARD
    columns = shutil.get_terminal_size((100, 24)).columns
    pause = 0.0 if options.fast or not sys.stdout.isatty() else _PAUSE
    environ = {**os.environ, "COLUMNS": str(columns - _MARGIN), "CLAUDECODE": "1"}
    if options.window:
        environ["TIDEGAUGE_WINDOW__SIZE"] = str(options.window)
    if not is_coloured():
        environ |= {"NO_COLOR": "1", "TIDEGAUGE_STATUSLINE__COLOR": "none"}
    print(f"A made-up session of {window:,} tokens, played in a temporary directory. Next to each tool use's number")
    print("is the status line after it; below, behind bars, is what the agent reads with the tool's result.\n")
    with stage(root, environ) as played:
        _show("", played.draw(None, window))
        limit = played.limit(window)
        for step in playback.steps(options.tool_uses, window, limit.tokens):
            time.sleep(pause)
            message = played.use_tool(step)
            _show(str(step.number), played.draw(step, window))
            for row in message.splitlines():
                print(f"{' ' * _MARGIN}{painted('│', 'notice')} {row}".rstrip())
            sys.stdout.flush()
    print(f"\nAt {limit.tokens:,} tokens {'the client compacts' if limit.is_compacted else 'the window ends'}.")
    return ALL_RIGHT


def _check(option: str, value: int | None, least: int, most: int) -> None:
    if value is not None and not least <= value <= most:
        raise CommandError(f"{option} {value}: it must be between {least:,} and {most:,}", USAGE)


def _show(number: str, line: str) -> None:
    for row in line.splitlines() or [""]:
        print(f"{painted(number.rjust(_MARGIN - 2), 'quiet')}  {row}")
        number = ""
