"""`tidegauge history`: the numbers stored over sessions, and questions about them."""

import argparse
import importlib
import os
import sqlite3
import sys

from commands.asking import add_since, store_problems, tokens
from commands.command import ALL_RIGHT, SOMETHING_WRONG, add_command, add_json
from commands.history import drawing
from commands.terminal import print_result, safe, width
from history import sync
from history.bill.calls import Bill, load
from history.bill.replay import Policy
from history.questions import QUESTIONS
from history.questions.answer import replay_answer
from history.questions.answer.advice import advised
from history.questions.answer.question import QuestionAnswer
from history.store import store
from shared import paths
from shared.settings import settings
from shared.settings.config import TelemetrySettings
from shared.text.quantities import counted

SUMMARY = "show what filled the windows of all sessions, and what it cost"
_NOT_ERASED = "still holds plain paths, because another program is reading it: run `tidegauge history sync` again"
EXAMPLES = (
    ("tidegauge history sync", "read what is new; the others answer from that"),
    ("tidegauge history top --since 7d", "what filled the windows of the last seven days"),
    ("tidegauge history totals --json", "the figures, for a script"),
)
FAILURE = "the history or a transcript cannot be read or written"
NOTE = "Nothing is stored before the first `tidegauge history sync`."


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    summary = "read what is new in the transcripts of all sessions"
    add_command(actions, "sync", summary, EXAMPLES[:1], FAILURE).set_defaults(act=_sync)
    for name, module in QUESTIONS.items():
        question = importlib.import_module(module)
        line = f"tidegauge history {name}"
        examples = ((line, "of all that is stored"), (f"{line} --since 7d --json", "of a week, for a script"))
        action = add_command(actions, name, question.SUMMARY, examples, FAILURE, note=NOTE)
        add_json(action)
        add_since(action)
        action.set_defaults(act=_ask, question=question)
    examples = (
        ("tidegauge history replay", "with the best restarts"),
        ("tidegauge history replay --restart-at 200k --since 30d", "past 200,000 tokens"),
    )
    action = add_command(actions, "replay", replay_answer.SUMMARY, examples, FAILURE, note=NOTE)
    add_json(action)
    restart_help = "begin a new session at the first prompt past so many tokens: 200k (default: what would save most)"
    action.add_argument("--restart-at", type=tokens, metavar="TOKENS", help=restart_help)
    action.add_argument("--results-at-most", type=tokens, metavar="TOKENS", help="cut results of tools to this")
    add_since(action)
    action.set_defaults(act=_replay)


def run(options: argparse.Namespace, root: str) -> int:
    with store_problems(root):
        code: int = options.act(options, root)
    return code


def _sync(options: argparse.Namespace, root: str) -> int:  # noqa: ARG001  every action's arguments
    loaded = settings.own(root)
    for wrong in loaded.problems:  # else paths that should be hashed would be stored as they are, silently
        print(f"tidegauge: {safe(wrong)}", file=sys.stderr)
    config = loaded.config
    if sys.stderr.isatty():
        print("Reading transcripts …", end="\r", file=sys.stderr, flush=True)  # until the result is written over it
    result = sync.everything(root, os.path.dirname(os.path.abspath(root)), config)
    print(f"{counted(result.files, 'transcript')}, {result.read:,} with something new ({result.seconds:.1f} s).")
    _send(root, config.telemetry)
    for problem in result.unreadable:
        print(f"tidegauge: {safe(problem.path)}: {safe(problem.reason)}", file=sys.stderr)
    if not result.is_erased:
        print(f"tidegauge: {safe(paths.history_store(root))} {_NOT_ERASED}", file=sys.stderr)
    return ALL_RIGHT if result.is_erased and not result.unreadable else SOMETHING_WRONG


def _send(root: str, chosen: TelemetrySettings) -> None:
    """Send new figures to a team's collector; a failure there is one line on stderr, and doesn't fail the sync."""
    if chosen.endpoint is None:
        return
    from history.telemetry.sending import send  # noqa: PLC0415  slow to import, and needed only with an endpoint

    with store.for_writing(root) as opened:
        text = send(opened, chosen, paths.config_file(root))
    if text:
        print(f"tidegauge: {safe(text)}", file=sys.stderr)


def _ask(options: argparse.Namespace, root: str) -> int:
    question = options.question
    with store.for_reading(root) as opened:
        answer = question.presentation(question.figures(opened, options.since))
        if question.LEVERS:
            answer = advised(answer, _bill(opened, options, root), question.LEVERS)
    return _print(answer, options)


def _replay(options: argparse.Namespace, root: str) -> int:
    with store.for_reading(root) as opened:
        bill = _bill(opened, options, root)
    policy = Policy(restart_at=options.restart_at, results_at_most=options.results_at_most)
    return _print(replay_answer.ask(bill, policy), options)


def _bill(opened: sqlite3.Connection, options: argparse.Namespace, root: str) -> Bill:
    return load(opened, options.since, settings.own(root).config.history.prices)


def _print(answer: QuestionAnswer, options: argparse.Namespace) -> int:
    answer = answer.since(options.since)
    print_result(answer.document, drawing.lines(answer, width()), as_json=options.json)
    return ALL_RIGHT
