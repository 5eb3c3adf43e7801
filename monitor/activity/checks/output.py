"""Whether a test run, a build or a linter passed, by what it printed.

An exit code is lost behind a pipe, `|| true` or `;`, and in the background. What runners print at the end isn't: the
tables below hold the forms of the usual ones, each tried on real outputs (tests/monitor/activity/checks/outputs).
"""

import re
from typing import Literal

from shared.client import client

Outcome = Literal["passed", "failed", "unknown"]
_MOST = 200_000
"""Characters parsed of an output: a quarter at its start, the rest at its end."""
_LONGEST_LINE = 400
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NOTE = "Shell cwd was reset to "
"""The client's text after the output of a command that changed the directory."""
_PREFIX = re.compile(
    r"^(?:\[(?!INFO|ERROR|WARN|error|warn|info)[\w:./@ -]{1,40}\]|[\w@/-]{1,30}:[A-Za-z][\w:-]{0,30}:) (?=\S)"
)
"""The prefix of each line by a runner of several tasks: `[lint] `, `web:test: `."""

_FAILING_FORMS = (
    # Python
    r"=* ?(?:[\w ]+, )*[1-9]\d* (?:failed|errors?)(?:, [\w ]+)* in [\d.]+ ?s",
    r"(?:FAILED|ERROR) \S+\.py(?:::.*| - .*)?$",
    r"FAILED \((?:failures|errors|unexpected successes)=",
    r"Found (?:\d+ warnings? and )?[1-9]\d* (?:errors?|diagnostics?|issues?|problems?)\b(?! \(\d+ fixed, 0 remaining)",
    r"(?i:would reformat):? \S|[1-9]\d* files? would be reformatted",
    r"\S+\.pyi?:\d+(?::\d+)?: error: |\S+\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,5}\b",
    r"[1-9]\d* errors?, \d+ warnings?",
    r"E {3,}\S|error\[[\w-]+\]: ",
    r" *\S+: FAIL (?:code|\u2716)| *evaluation failed :\(|\S.*\.{3,}Failed$",
    r"nox > (?:Command|Session) .* failed|\*\*\* Error compiling |ERROR: \S+ Imports are incorrectly sorted",
    r" +\d+:\d+ +error +\S|\S+:\d+: \w+ ==> \w+",
    # JavaScript
    r" *Test(?:s| Suites| Files)?:? +(?:[1-9]\d* \w+(?: \| |, ))*[1-9]\d* failed",
    r" {1,4}[1-9]\d* (?:tests? )?(?:failing|failed|fail)$|[1-9]\d* fail$|\(fail\) ",
    r"not ok \d|[#\u2139] fail [1-9]|FAILED \| | *\u2716 .+ \([\d.]+ms\)$",
    r".{0,300}\berror TS\d{3,5}: ",
    r"\u2716 \d+ problems? \([1-9]|\[warn\] Code style issues|Lint: [1-9]\d* errors?",
    r".{0,4}(?:Formatter would have printed|Some errors were emitted while running checks)",
    r"npm (?:ERR!|error) (?:code ELIFECYCLE|Exit status|Test failed|Lifecycle script)|error Command failed with exit",
    r'error: script "[^"]+" (?:exited with code|was terminated)|.*\bERR_PNPM_| ?ELIFECYCLE ',
    r"ERROR in \S|.{0,80}compiled with [1-9]\d* errors?|error during build:|Failed to compile|Type error: ",
    r"Could not resolve ['\"]| +errors: \[Getter/Setter\]",
    # Go
    r" *--- FAIL: |FAIL(?:$|[\t ]+\S+)|(?:vet: )?\S+\.go:\d+:\d+: |[1-9]\d* issues[:.]",
    # Rust
    r"test result: FAILED|error: (?:could not compile|test failed|aborting)|error\[E\d{4}\]|Diff in \S+:\d+:$",
    # C, and what builds it
    r"\S+:\d+(?::\d+)?: (?:fatal )?error: |.*: undefined reference to |collect2: error|\S*ld: (?:error|symbol)",
    r"\S*make(?:\[\d+\])?: \*\*\* |ninja: build stopped|FAILED: \S|CMake Error|\d+% tests passed, [1-9]",
    # Java, .NET
    r"\[ERROR\] (?:Tests run:|COMPILATION ERROR)|\[INFO\] BUILD FAILURE|\[error\] ",
    r"BUILD FAILED|> Task \S+ FAILED|FAILURE: Build failed|\d+ tests completed, [1-9]\d* failed",
    r"Failed! +- Failed:|.{0,200}: error (?:CS|MSB|NU|FS|BC|NETSDK|CA)\d{3,5}\b|Build FAILED",
    # Ruby, PHP, Elixir, Swift, Dart
    r"\d+ (?:examples?|tests?|doctests?, \d+ tests?), [1-9]\d* failures?",
    r"\d+ (?:runs|tests), \d+ assertions, (?:[1-9]\d* failures|0 failures, [1-9]\d* errors)",
    r"\d+ files? inspected, [1-9]\d* offenses? detected",
    r"(?:FAILURES|ERRORS)!$|Tests: \d+, Assertions: \d+.*(?:Failures|Errors): [1-9]| *\[ERROR\] Found [1-9]",
    r"\s*Executed \d+ tests?, with [1-9]|.{0,20}Some tests failed\.",
    # Anything
    r"In \S+ line \d+:$|[\u2502|] Error: |error: [Rr]ecipe .* failed|task: Failed to run task|.{0,60}\btask failed\b",
    r"(?i:exit(?:ed)?(?: with)?(?: ?code| status)?)[:= ]+(?:code )?[1-9]\d{0,2}\b",
)
"""The start of a line by which a runner reports a failure."""
_END = re.compile(r"Found [1-9]|=* ?(?:[\w ]+, )*[1-9]\d* (?:failed|errors?)(?:, [\w ]+)* in [\d.]+ ?s")
"""The start of the last line of a runner that ends with a total: a failure after it is another run's."""

_PASSING_FORMS = (
    r"=* ?(?:[\w ]+, )*[1-9]\d* passed(?:, [\w ]+)* in [\d.]+ ?s|OK(?: \(.*)?$|All checks passed|Success: no issues",
    r"\d+ files? (?:already formatted|left unchanged|reformatted)|All done!|0 errors\b|Found 0 errors",
    r" *Test(?:s| Suites| Files)?:? +[1-9]\d* passed| *[1-9]\d* (?:tests? )?pass(?:ed|ing)?\b| *0 fail$",
    r"All matched files use Prettier|.{0,80}compiled successfully|Checked \d+ files? in .*(?:No fixes|Fixed \d)",
    r"[#\u2139] pass [1-9]|\u2713 built in ",
    r"ok +(?:\t|\S+\s+[\d.]+s)|ok \t|PASS$|0 issues\.|test result: ok| *Finished `?\w+",
    r"100% tests passed|-- Build files have been written|\[INFO\] BUILD SUCCESS|BUILD SUCCESSFUL|Build succeeded",
    r"Passed! +- Failed: +0|\d+ (?:examples?|runs|tests), (?:\d+ assertions, )?0 failures|.*no offenses detected",
    r"(?i:exit(?:ed)?(?: with)?(?: ?code| status)?)[:= ]+0\b",
)
"""The start of a line by which a runner reports success."""

# The longest patterns are compiled only when first needed: 3 ms, which most processes can do without.
_FAILING, _PASSING = "|".join(_FAILING_FORMS), "|".join(_PASSING_FORMS)
_UNAVAILABLE = (
    r"(?m)^.{0,200}(?:command not found|: not found$|[Nn]o such file or directory|is not recognized as"
    r"|Permission denied|[Mm]issing script|Script not found"
    r"|: No module named [\w.]+$|no such (?:task|command)"
    r"|[Uu]nknown (?:command|option|flag)|no task \S+ found|could not determine executable"
    r"|[Uu]nrecognized (?:subcommand|arguments?|option)"
    r"|Failed to spawn|error: Cannot (?:read|find) "
    r"|Sibling tool call errored)"
)
"""The output if the check itself couldn't be started, which says nothing about the work."""
_NOTHING_RAN = re.compile(r"(?m): build constraints exclude all Go files|^stat .*: directory not found$")
"""Go's failure when called with the wrong directory or without the tags."""
_NO_TESTS = re.compile(r"(?m)^=* ?no tests (?:ran|collected)\b")
"""Pytest's last line when it has no tests, after any number of warnings."""


def outcome_of(output: str, *, by_end: bool = False) -> Outcome:
    """The outcome of a run by its `output`, or only by the last telling line (`by_end`); unknown without any."""
    outcomes = outcomes_of(output)[-1:] if by_end else outcomes_of(output)
    if "failed" in outcomes:
        return "unknown" if _NOTHING_RAN.search(output) else "failed"
    return "passed" if outcomes else "unknown"


def outcomes_of(output: str) -> list[Outcome]:
    """The outcomes of several runs, in order: failing lines up to a total are one run, as is each passing line."""
    failing, passing = re.compile(_FAILING), re.compile(_PASSING)
    result: list[Outcome] = []
    is_under_way = False
    for line in lines_of(output):
        if failing.match(line):
            result += [] if is_under_way else ["failed"]
            is_under_way = not _END.match(line)
        elif passing.match(line):
            result.append("passed")
            is_under_way = False
    return result


def could_not_start(output: str) -> bool:
    """Whether the check itself was missing, or rejected its arguments, or had nothing to run."""
    lines = lines_of(output)
    is_unavailable = re.search(_UNAVAILABLE, "\n".join(lines[:8])) or _NOTHING_RAN.search(output)
    is_unavailable = is_unavailable or _NO_TESTS.search("\n".join(lines))
    return is_unavailable is not None and outcome_of(output) != "failed"


def is_failing(line: str) -> bool:
    """Whether a line begins like a runner's report of a failure."""
    return re.match(_FAILING, line) is not None


def is_pending(output: str) -> bool:
    """Whether `gh pr checks` says, by an exit code of its own, that checks still run and none has failed."""
    return output.startswith(f"{client.EXIT_CODE}8\n") and "\tpending\t" in output


def lines_of(output: str) -> list[str]:
    """The lines of an output, bounded, without colours and without the prefixes of a task runner."""
    if len(output) > _MOST:
        output = f"{output[: _MOST // 4]}\n{output[-(_MOST - _MOST // 4) :]}"
    plain = _COLOURS.sub("", output) if "\x1b" in output else output
    lines = (line for line in plain.splitlines() if not line.startswith(_NOTE))
    return [_PREFIX.sub("", line[:_LONGEST_LINE].rstrip()) for line in lines]
