"""Failed tests in the output of `go test`. Their logs, below them or with `-v` above, hold more than the failures."""

import re

_TEST = re.compile(r" *(?:=== (?:RUN|CONT|NAME)|--- (FAIL|PASS|SKIP):) +(\S+)")
_LOG = re.compile(r"[ \t]+\S+\.go:\d+:|panic: ")
_TESTIFY = re.compile(r"[ \t]+(?:Error|expected|actual|Messages) *:")
"""Further lines of a log that testify wrote."""
_ASSERTIONS = (
    re.compile(
        r"(?i)(?:\s+\S*_test\.go:\d+|panic): .*\b(?:want(?:ed)?|got|(?:un)?expected|mismatch|fail(?:ed|ure)?)\b"
    ),
    re.compile(r"(?i)\s+\S*_test\.go:\d+: .*\b(?:should|must|error|cannot|missing|not)\b"),
)
"""The words of an assertion, the surest first; other logs have such words now and then."""


def failures_in(text: str) -> dict[str, str]:
    """The failed tests' assertions by name, empty ones last; without tests that failed only by a subtest."""
    logs: dict[str, list[str]] = {"": []}
    failed: list[str] = []
    first = current = ""
    for line in text.splitlines():
        if test := _TEST.match(line):
            current = test[2]
            first = first or current
            logs.setdefault(current, [])
            failed += [current] if test[1] == "FAIL" else []
        elif _LOG.match(line):
            logs[current].append(line.partition(" [recovered")[0])
        elif _TESTIFY.match(line) and logs[current]:
            logs[current][-1] += line
    logs[first] = logs[first] or logs[""]  # with -v, and without the line at which it began
    groups = {name.rpartition("/")[0] for name in failed}
    own = [name for name in dict.fromkeys(failed) if logs[name] or name not in groups]
    return dict(sorted(((name, _assertion(logs[name])) for name in own), key=lambda item: not item[1]))


def _assertion(logs: list[str]) -> str:
    """The first log that reads like an assertion, else the last."""
    assertions = (log for assertion in _ASSERTIONS for log in logs if assertion.match(log))
    return " ".join(next(assertions, logs[-1] if logs else "").split())
