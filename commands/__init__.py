"""The `tidegauge` command: a table of commands, each one file here (commands/command.py)."""

import importlib
import os
import sys

from commands.command import INSTALLING, SOMETHING_WRONG, CommandError, Parser, add_command, epilog
from commands.terminal import safe
from installer.messages.output import print_no_more
from shared.files import search_path

COMMANDS = {
    "status": "commands.status.command",
    "watch": "commands.watch.command",
    "resume": "commands.resume",
    "doctor": "commands.doctor.command",
    "audit": "commands.audit.command",
    "history": "commands.history.command",
    "report": "commands.report",
    "config": "commands.config.command",
    "conformance": "commands.conformance.command",
    "demo": "commands.demo.command",
    "completion": "commands.completion",
}
"""Each command's module, in the order of --help."""

_PROGRAM = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_VERSION = {"-V", "--version"}
_OWN_OPTIONS = {"-h", "--help"} | _VERSION
_EXAMPLES = (
    ("tidegauge", "where this project's newest session stands (status)"),
    ("tidegauge doctor", "whether everything works, and what to do if it doesn't"),
    ("tidegauge COMMAND --help", "a command's options, examples and exit codes"),
)


def run(argv: list[str], root: str) -> int:
    """Run the command that `argv` names for the Tidegauge in `root`, and return its exit code."""
    _open_streams()
    search_path.restrict()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="tidegauge")  # type: ignore[union-attr]  # all are text streams; see terminal.py
    if argv and argv[0] in INSTALLING:
        return _install(argv)
    if argv and argv[0] in COMMANDS and argv[-1] in _VERSION:
        argv = argv[-1:]
    is_bare = not argv or (argv[0].startswith("-") and argv[0] not in _OWN_OPTIONS)
    words = ["status", *argv] if is_bare else argv
    whole = parser(words)
    try:
        try:
            options = whole.parse_args(words)
            code: int = options.run(options, root)
        finally:  # a flush that fails only at interpreter exit gives exit code 120 and three lines
            sys.stdout.flush()
    except CommandError as problem:
        more = "" if argv else " (tidegauge --help lists the commands)"
        print(f"tidegauge: {safe(str(problem))}{more}", file=sys.stderr)
        return problem.code
    except BrokenPipeError:  # the reader has seen enough: `tidegauge doctor | head`
        print_no_more()
        return 0
    except OSError as problem:
        print_no_more()
        is_nowhere = isinstance(problem, FileNotFoundError) and problem.filename is None  # os.getcwd
        place = ": ".join(str(part) for part in (problem.filename, problem.strerror) if part) or str(problem)
        reason = "the current directory no longer exists: change to another one" if is_nowhere else place
        print(f"tidegauge: {safe(reason)}", file=sys.stderr)
        return SOMETHING_WRONG
    except KeyboardInterrupt:
        return 130
    return code


def _open_streams() -> None:
    """Open all three standard streams: Python sets a stream that was closed (`tidegauge status >&-`) to None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  open until the process exits


def parser(argv: list[str]) -> Parser:
    """Return the parser for `argv`, with that command alone: loading all of them takes a tenth of a second."""
    summary = "How full Claude Code's context window is, and whether its messages reach the agent."
    whole = Parser("tidegauge", summary, epilog(_EXAMPLES, "something is wrong", "Without a command: status."))
    version = ""
    if _VERSION & set(argv):
        from installer.program import source  # noqa: PLC0415  tomllib, which only this option needs

        version = source.version(_PROGRAM)
    whole.add_argument("-V", "--version", action="version", version=f"tidegauge {version}")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        command = importlib.import_module(COMMANDS[name])
        note = getattr(command, "NOTE", "")
        own = add_command(commands, name, command.SUMMARY, command.EXAMPLES, command.FAILURE, note=note)
        command.arguments(own)
        own.set_defaults(run=command.run, parser=parser)  # completion covers all of them
    for name, summary in INSTALLING.items():
        commands.add_parser(name, help=summary, summary=summary, epilog="")
    return whole


def _install(argv: list[str]) -> int:
    import subprocess  # noqa: PLC0415  only this flag needs it

    environ = os.environ | {"_TIDEGAUGE_AS_COMMAND": "1"}
    command = [sys.executable, "-I", os.path.join(_PROGRAM, "install.py"), *argv]
    return subprocess.run(command, env=environ, check=False).returncode
