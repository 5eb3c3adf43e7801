"""The `tidegauge` command: a table of commands, each one file here (monitor/commands/command.py)."""

import importlib
import os
import sys

from monitor.commands.command import INSTALLING, SOMETHING_WRONG, CommandError, CommandModule, Parser
from monitor.commands.terminal import safe

COMMANDS = {
    "status": "monitor.commands.status",
    "watch": "monitor.commands.watch",
    "resume": "monitor.commands.resume",
    "doctor": "monitor.commands.doctor",
    "audit": "monitor.commands.audit",
    "history": "monitor.commands.history",
    "report": "monitor.commands.report",
    "config": "monitor.commands.config",
    "demo": "monitor.commands.demo",
    "completion": "monitor.commands.completion",
}
"""The file of each command, in the order in which --help lists them."""

_DEFAULT = "status"
_MORE = " (tidegauge --help lists the commands)"
_PROGRAM = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_ALONE = "Without a command: status. "
_EPILOG = "Exit code: 0 success, 1 something is wrong, 2 the command line is not understood."


def run(argv: list[str], root: str) -> int:
    """Run the command that `argv` names, for the Tidegauge that lies in `root`; returns the exit code."""
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal that lacks a character
    if argv and argv[0] in INSTALLING:
        return _install(argv)
    asked = argv or [_DEFAULT]
    understood = parser(asked)
    try:
        options = understood.parse_args(asked)
        code: int = options.run(options, root)
        sys.stdout.flush()
    except CommandError as problem:
        print(f"tidegauge: {safe(str(problem))}{'' if argv else _MORE}", file=sys.stderr)
        return problem.code
    except BrokenPipeError:  # the reader has seen enough: `tidegauge doctor | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        is_nowhere = isinstance(problem, FileNotFoundError) and problem.filename is None  # os.getcwd
        said = "the current directory no longer exists: change to another one" if is_nowhere else str(problem)
        print(f"tidegauge: {safe(said)}", file=sys.stderr)
        return SOMETHING_WRONG
    except KeyboardInterrupt:
        return 130
    return code


def _open_streams() -> None:
    """Have all three standard streams: Python has None for one that was closed before (`tidegauge status >&-`)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  as long as the process lives


def parser(argv: list[str]) -> Parser:
    """The parser of what `argv` names: its command alone, or all of them; the version only when it asks for that.

    Loading all commands takes a tenth of a second.
    """
    summary = "How full Claude Code's context window is, and whether the agent is told."
    whole = Parser("tidegauge", summary, _ALONE + _EPILOG)
    version = _version() if "--version" in argv else ""
    whole.add_argument("--version", action="version", version=f"tidegauge {version}")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in argv[:1] if argv and argv[0] in COMMANDS else COMMANDS:
        module = importlib.import_module(COMMANDS[name])
        command: CommandModule = module  # type: ignore[assignment]  # a module is its command
        own = commands.add_parser(name, help=command.SUMMARY, summary=command.SUMMARY, epilog=_EPILOG)
        command.arguments(own)
        own.set_defaults(run=command.run, parser=parser)  # completion is about all of them
    for name, summary in INSTALLING.items():
        commands.add_parser(name, help=summary, summary=summary, epilog=_EPILOG)
    return whole


def _install(argv: list[str]) -> int:
    import subprocess  # noqa: PLC0415  for whom asks

    environ = os.environ | {"_TIDEGAUGE_AS_COMMAND": "1"}
    command = [sys.executable, "-I", os.path.join(_PROGRAM, "install.py"), *argv]
    return subprocess.run(command, env=environ, check=False).returncode


def _version() -> str:
    from installer import source  # noqa: PLC0415  tomllib, for whom asks

    return source.version(_PROGRAM)
