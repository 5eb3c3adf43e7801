"""`tidegauge history`: the numbers that are kept over sessions, brought up to date and asked."""

import argparse
import functools
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import msgspec

from history import store, sync
from history.questions import QUESTIONS
from monitor.commands.asking import add_since, store_problems
from monitor.commands.command import ALL_RIGHT, SOMETHING_WRONG
from monitor.commands.terminal import safe
from shared import paths, settings
from shared.config import TelemetrySettings
from shared.quantities import counted

if TYPE_CHECKING:
    from history.questions.question import QuestionModule

SUMMARY = "show what filled the windows of all sessions, and what it cost"

_EPILOG = (
    "Nothing is kept before the first `tidegauge history sync`. "
    "Exit code: 0 success; 1 the history or a transcript cannot be read or written; "
    "2 the command line is not understood."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    summary = "read what is new in the transcripts of all sessions"
    action = actions.add_parser("sync", help=summary, summary=summary, epilog=_EPILOG)
    action.set_defaults(act=_sync)
    for name, module in QUESTIONS.items():
        question: QuestionModule = importlib.import_module(module)  # type: ignore[assignment]  # a module is its question
        action = actions.add_parser(name, help=question.SUMMARY, summary=question.SUMMARY, epilog=_EPILOG)
        action.add_argument("--json", action="store_true", help="print one JSON object")
        add_since(action)
        action.set_defaults(act=_ask, question=question)


def run(options: argparse.Namespace, root: str) -> int:
    with store_problems(root):
        code: int = options.act(options, root)
    return code


def _sync(options: argparse.Namespace, root: str) -> int:  # noqa: ARG001  every action's arguments
    loaded = settings.own(root)
    for wrong in loaded.problems:  # paths that were to be hashed would be kept as they are without a word
        print(f"tidegauge: {safe(wrong)}", file=sys.stderr)
    config = loaded.config
    with _progress() as (progress, on_wait):
        done = sync.everything(root, os.path.dirname(os.path.abspath(root)), config, progress, on_wait)
    print(f"{counted(done.files, 'transcript')}, {done.read:,} with something new ({done.seconds:.1f} s).")
    _send(root, config.telemetry)
    for problem in done.unreadable:
        print(f"tidegauge: {safe(problem.path)}: {safe(problem.reason)}", file=sys.stderr)
    return SOMETHING_WRONG if done.unreadable else ALL_RIGHT


def _send(root: str, chosen: TelemetrySettings) -> None:
    """Tell a team's collector what is new; a collector in trouble is one line, and no fault of the sync's."""
    if chosen.endpoint is None:
        return
    from history.telemetry.sending import send  # noqa: PLC0415  only who has named an endpoint pays for it

    with closing(store.for_writing(root)) as opened:
        said = send(opened, chosen, paths.config_file(root))
    if said:
        print(f"tidegauge: {safe(said)}", file=sys.stderr)


def _ask(options: argparse.Namespace, root: str) -> int:
    with store.for_reading(root) as opened:
        answer = options.question.ask(opened, options.since)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(answer.document)).decode())
    else:
        from history.questions.drawing import draw  # noqa: PLC0415  rich: 60 ms that --json doesn't pay

        draw(answer)
    return ALL_RIGHT


@contextmanager
def _progress() -> Iterator[tuple[sync.Progress | None, sync.OnWait | None]]:
    """What shows on a terminal how far a sync is, and once that it waits."""
    if not sys.stderr.isatty():
        yield None, None
        return
    from rich.console import Console  # noqa: PLC0415  60 ms that only a terminal pays
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn  # noqa: PLC0415  see above

    bar = Progress(
        "Reading transcripts", BarColumn(), DownloadColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, auto_refresh=False,
    )  # fmt: skip  # no thread of its own: the sync forks
    task = bar.add_task("")

    def show(done: int, size: int) -> None:
        bar.update(task, completed=done, total=size, refresh=True)

    @functools.cache
    def say_waiting() -> None:
        bar.console.print("Another sync is running; waiting.")

    with bar:
        yield show, say_waiting
