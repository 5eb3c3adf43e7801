"""`tidegauge audit`: the instructions that load here, what they cost, and what could go. It changes nothing."""

import argparse
import os

import msgspec

from commands.audit import report
from commands.audit.budget import IN_ALL, PER_FILE, advice, within_budget
from commands.audit.instruction_file import tokens_of
from commands.audit.instructions import instructions
from commands.audit.recorded import recorded
from commands.audit.report import Audit
from commands.command import ALL_RIGHT, add_json
from commands.environment.environment import environment_here
from commands.session import projects
from commands.terminal import print_result, width
from shared import effort

SUMMARY = "show which instructions load here, what they cost, and what to shorten"
EXAMPLES = (
    ("tidegauge audit", "what loads for a client started in this directory"),
    ("tidegauge audit --json | jq .at_start", "the figures, for a script"),
)
FAILURE = "this directory can't be read"
NOTE = "It changes nothing. Tokens are estimates: characters / 4."


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(options: argparse.Namespace, root: str) -> int:
    environment = environment_here(root)
    _, transcripts = projects.sessions(environment.client_directory, environment.directory)
    with effort.limited():
        result = instructions(environment)
        record = recorded(transcripts[0]) if transcripts else None
    result = msgspec.structs.replace(result, files=within_budget(result.files))
    audit = Audit(environment.directory, os.path.expanduser("~"), result, record, advice(result.files, record))
    print_result(_document(audit), report.lines(audit, width()), as_json=options.json)
    return ALL_RIGHT


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
        "is_complete": audit.instructions.is_complete,
        "recorded": audit.recorded,
        "advice": audit.advice,
    }
