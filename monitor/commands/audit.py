"""`tidegauge audit`: the instructions that load here, what they cost, and what could go. It changes nothing."""

import argparse
import os
import time

import msgspec

from monitor.commands.auditing import report
from monitor.commands.auditing.budget import IN_ALL, PER_FILE, advice, within_budget
from monitor.commands.auditing.instruction_file import tokens_of
from monitor.commands.auditing.instructions import instructions
from monitor.commands.auditing.recorded import recorded
from monitor.commands.auditing.report import Audit
from monitor.commands.command import ALL_RIGHT
from monitor.commands.diagnosis import surroundings
from monitor.commands.diagnosis.surroundings import Surroundings
from monitor.commands.overview import projects
from shared import client

SUMMARY = "show which instructions load here, what they cost, and what to shorten"

_EPILOG = (
    "For a client that is started in this directory. It changes nothing. Tokens are estimates: "
    "characters / 4. Exit code: 0 success, 2 the command line is not understood."
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--add-dir",
        nargs="+",
        action="extend",
        default=[],
        metavar="DIRECTORY",
        help=f"as given to the client, which reads instructions there only with {client.ADDED_INSTRUCTIONS_VARIABLE}=1",
    )


def run(options: argparse.Namespace, root: str) -> int:
    place = surroundings.look(root, os.getcwd(), os.environ, time.time())
    found = _audit(place, options.add_dir)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(_document(found))).decode())
    else:
        report.show(found, os.path.expanduser("~"))
    return ALL_RIGHT


def _audit(place: Surroundings, added: list[str]) -> Audit:
    found = instructions(place, added)
    found = msgspec.structs.replace(found, files=within_budget(found.files))
    _, transcripts = projects.sessions(place.client_directory, place.directory)
    shown = recorded(transcripts[0]) if transcripts else None
    return Audit(place.directory, found, shown, advice(found.files, shown))


def _document(audit: Audit) -> dict[str, object]:
    start = audit.start
    characters = sum(file.characters for file in start)
    files = [
        msgspec.to_builtins(file) | {"tokens": file.tokens, "truncated": file.cut} for file in audit.instructions.files
    ]
    return {
        "directory": audit.directory,
        "budget": {"characters_per_file": PER_FILE, "characters": IN_ALL},
        "at_start": {
            "files": len(start),
            "characters": characters,
            "tokens": tokens_of(characters),
            "truncated": sum(file.cut for file in start),
        },
        "files": files,
        "not_loaded": audit.instructions.missing,
        "not_read": audit.instructions.unread,
        "is_complete": audit.instructions.is_complete,
        "recorded": audit.recorded,
        "advice": audit.advice,
    }
