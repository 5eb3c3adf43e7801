"""What `go test` says of failed tests: their logs stand below them, with `-v` above, and tell more than what failed."""

import re

_RUN = re.compile(r" *=== (?:RUN|CONT|NAME) +(\S+)")
_END = re.compile(r" *--- (FAIL|PASS|SKIP): (\S+)")
_LOG = re.compile(r" +\S+\.go:\d+:")
_TRACE = re.compile(r"[ \t]+Error(?: Trace)?:")
_PANIC = re.compile(r"panic: (.+?)(?: \[recovered.*)?$")
_TESTIFY = re.compile(
    r"\n[ \t]+Error: +\t?(.+(?:\n\s+expected *: .+\n\s+actual *: .+)?)(?:(?:\n.*){0,20}?\n[ \t]+Messages: +\t?(.+))?"
)
_ASSERTIONS = (
    re.compile(r"(?i)\b(?:want(?:ed)?|got|expected|unexpected|mismatch)\b|\bfail(?:ed|ure)?\b|^panic"),
    re.compile(r"(?i)\b(?:should|must|error|cannot|missing|not)\b"),
)
"""What an assertion says, the surest first; what a test logs on its way has these words now and then."""
_MOST_LINES = 4
"""Of one log, which may go on with all that a program printed."""


def failures_in(text: str) -> dict[str, str]:
    """The failed tests by name, each with its assertion, those without one last; none that failed by its subtests."""
    logs: dict[str, list[str]] = {}
    unnamed: dict[str, list[str]] = {}  # what stands above a test's end, where the beginning was cut off
    failed: list[str] = []
    current = ""
    for line in text.splitlines():
        if run := _RUN.match(line):
            current = run[1]
        elif end := _END.match(line):
            unnamed.setdefault(end[2], logs.pop("", []))
            failed += [end[2]] if end[1] == "FAIL" else []
            current = end[2]
        elif panic := _PANIC.match(line):
            logs.setdefault(current, []).append(panic[0])
        elif _LOG.match(line):
            logs.setdefault(current, []).append(line.strip())
        elif _TRACE.match(line) and not logs.get(current):  # the log's own first line was cut off
            logs[current] = [f"\n{line}"]
        elif line.startswith((" ", "\t")) and logs.get(current):
            logs[current][-1] += f"\n{line}"
        elif line.startswith(("FAIL", "ok ")):
            current = ""
    groups = {name.rpartition("/")[0] for name in failed}
    own = [name for name in dict.fromkeys(failed) if logs.get(name) or name not in groups]
    failures = {name: _assertion(logs.get(name) or unnamed.get(name, [])) for name in own}
    return dict(sorted(failures.items(), key=lambda item: not item[1]))


def _assertion(logs: list[str]) -> str:
    """What a failed test says: the first log that reads like an assertion, in a test's file before one elsewhere."""
    for log in logs:
        if testify := _TESTIFY.search(log):
            return " ".join(": ".join(part for part in testify.groups() if part).split())
    heads = ["\n".join(log.split("\n")[:_MOST_LINES]) for log in logs]
    in_tests = [log for log in heads if "_test.go:" in log.partition(": ")[0] + ":"]
    for assertion in _ASSERTIONS:
        for one in (*in_tests, *heads):
            if assertion.search(one.partition("\n")[0].partition(": ")[2] or one):
                return " ".join(one.split())
    return " ".join((in_tests or [""])[-1].split())
