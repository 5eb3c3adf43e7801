"""The checks that a command runs, and whether its exit code and output are theirs."""

import os
import re
import shlex

import msgspec

from monitor.activity.checks import programs
from monitor.activity.checks.run import SCRIPT, CheckRun
from monitor.activity.shell.command_line import directories, pipelines, without_documents
from shared.client import client
from shared.secrets.masking import masked_in_time
from shared.text.plain import plain

LONGEST = 160
"""Characters stored of a check."""
_LONGEST_COMMAND, _MOST = 4_000, 20
"""Characters of the longest command that isn't a program of its own; checks read of one command."""
_REDIRECTION = re.compile(r"(?:\d|&)?>{1,2}\s*(?:&\d|\S+)|<\s*\S+")
_TO_FILE = re.compile(r"(?<![\d&])[12&]?>{1,2}\s*[^\s&]")
_VARIABLE = re.compile(r"[A-Za-z_]\w*=\S*\s+")
_OPENING = re.compile(r"(?:(?:do|then|else|if|while) +)+")
"""`!` isn't among them: it turns a failure into a pass."""
_STASHED = re.compile(r"\bgit stash\b.*\bgit stash (?:pop|apply)\b", re.DOTALL)
"""Commands that check the state before the work: a check in between says nothing about the work."""


def checks_in(command: str, directory: str = "", home: str = "") -> tuple[CheckRun, ...]:
    """The checks of a command run in `directory`; the name of one outside `home`, the session's, has its directory."""
    if len(command) > _LONGEST_COMMAND or _STASHED.search(command):
        return ()
    command = without_documents(command.replace("\\\n", " "))
    lines = pipelines(command)
    runs: list[CheckRun] = []
    for number, (where, (first, *filters)) in enumerate(zip(directories(lines, directory), lines, strict=True)):
        if len(runs) < _MOST and (run := _run_of(first.text)):
            is_last = all(line[-1].joint == "&&" for line in lines[number:-1])
            is_known = is_last and (not filters or "pipefail" in command)
            is_filtered = any(programs.HIDING.match(part.bare.strip()) for part in filters)
            is_hidden = is_filtered or any(_TO_FILE.search(part.bare) for part in (first, *filters))
            fields = {"is_status_known": is_known, "is_output_hidden": is_hidden, "directory": where}
            name = run.command if where == home or not home else f"(cd {_short_path(where, home)} && {run.command})"
            runs.append(msgspec.structs.replace(run, command=name, **fields))
    return tuple(runs)


def _short_path(directory: str, home: str) -> str:
    """`directory` relative to `home` if it is below it; within a worktree, such a path would be wrong."""
    is_below = directory.startswith(f"{home}/") and client.WORKTREES not in f"{directory.removeprefix(home)}/"
    return plain(os.path.relpath(directory, home) if is_below else directory, LONGEST)


def is_alone(command: str) -> bool:
    """Whether only one part of `command` can fail."""
    if len(command) > _LONGEST_COMMAND:
        return False
    parts = [line[0].text.strip() for line in pipelines(command)]
    return sum(bool(text) and not programs.TRIVIAL.match(text) for text in parts) == 1


def _run_of(text: str) -> CheckRun | None:
    """The check that a simple command runs; None if it runs none."""
    typed = _OPENING.sub("", " ".join(_REDIRECTION.sub("", text.strip(" \t(){}")).split()))
    run = _check_of(_unwrapped(typed))
    if run is None:
        return None
    text = masked_in_time(typed)
    if text != typed:  # the other stored fields must not hold the secret either
        run = _check_of(_unwrapped(text)) or CheckRun("", run.tool)
    is_changing = programs.CHANGING.search(typed) is not None
    return msgspec.structs.replace(run, command=plain(text, LONGEST), is_changing=is_changing)


def _check_of(words: list[str]) -> CheckRun | None:
    if not words or programs.NO_RUN & set(words):
        return None
    words[0] = os.path.basename(words[0]) if "/" in words[0] and not _is_script(words[0]) else words[0]
    return _subcommand(words) or _script(words) or _program(words) or _file(words)


def _unwrapped(typed: str) -> list[str]:
    """The words of a command without the programs that only start it."""
    while started := _VARIABLE.match(typed) or programs.WRAPPER.match(typed):
        typed = typed[started.end() :].lstrip("'\"")
    try:
        return shlex.split(typed)
    except ValueError:  # an unclosed quotation mark: a part of something else
        return typed.split()


def _subcommand(words: list[str]) -> CheckRun | None:
    match = programs.SUBCOMMANDS.match(" ".join(words))
    if match is None:
        return None
    tool, rest = " ".join(word for word in match[0].split() if word[0] not in "+-"), words[len(match[0].split()) :]
    if tool == "go test" and "-c" in rest:  # compiles the tests
        return _check_run("go build", [word for word in rest if word != "-c"])
    return _check_run(tool, rest)


def _script(words: list[str]) -> CheckRun | None:
    """A project's own script whose name says that it is a check."""
    match = programs.SCRIPT_RUNNERS.match(" ".join(words))
    if match is None or match[0] == "npm ci" or not programs.CHECK_WORD.search(match["script"]):
        return None
    runner = "packages" if match["packages"] else words[0]
    run = _check_run(SCRIPT, words[len(match[0].split()) :])
    return msgspec.structs.replace(run, targets=(f"{runner}:{match['script']}", *run.targets))


def _program(words: list[str]) -> CheckRun | None:
    program, rest = words[0], set(words[1:])
    is_known = program in programs.PROGRAMS or programs.CHECKER.fullmatch(program) is not None
    is_check = is_known and (program not in programs.FORMATTERS or programs.CHECKING & rest)
    if not is_check or (program in {"make", "gmake"} and programs.NO_CHECKS & rest):
        return None
    return _check_run(program, words[1:])


def _file(words: list[str]) -> CheckRun | None:
    """A project's own file whose name says that it is a check."""
    if programs.INLINE.match(" ".join(words)):
        return None
    if words[0] in programs.INTERPRETERS:
        words = [word for word in words[1:] if not word.startswith("-")]
    if not words or not _is_script(words[0]):
        return None
    name = os.path.basename(words[0])
    return _check_run(name, words[1:]) if programs.CHECK_WORD.search(name) else None


def _is_script(word: str) -> bool:
    name = os.path.basename(word)
    return name.endswith((".sh", ".py", ".js", ".ts", ".rb")) or ("/" in word and name not in programs.PROGRAMS)


def _check_run(tool: str, words: list[str]) -> CheckRun:
    """The run of `tool` with `words`, sorted into targets, narrowing options and settings."""
    targets, narrowed, settings = [], [], []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if not word.startswith("-"):
            target = word.removeprefix("./").rstrip("/")
            targets += [target] if target not in {"", ".", "..."} else []
            continue
        if not equals and name in programs.TAKES_VALUE:
            value = next(rest, "")
        if _narrows(tool, name):
            narrowed.append(f"{name} {value}".strip())
        elif name in programs.SETS:
            settings.append(f"{name} {value}")
    return CheckRun("", tool, tuple(targets), tuple(sorted(narrowed)), tuple(sorted(settings)))


def _narrows(tool: str, name: str) -> bool:
    """Whether an option selects a part; `-p` is a package only to cargo, and `-m` a mark only to pytest."""
    if name in {"-p", "-m"}:
        return tool.startswith("cargo") if name == "-p" else tool in {"pytest", "py.test"}
    return name in programs.NARROWS or name.startswith("-Dtest")
