"""The reason why a test run, a build or a linter failed: its first failures, and how many there are."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from monitor.activity.checks import go_tests
from monitor.activity.checks.failures import FailedAttempt, Failure
from monitor.activity.checks.output import is_failing, lines_of
from monitor.activity.shell.bash_mode import printed_in
from shared.client import client
from shared.secrets.masking import masked_in_time
from shared.text.plain import one_line
from shared.transcript import jsonl
from shared.transcript.line import line_in

_LONGEST_REASON = 260
_MOST_BYTES = 64_000
"""Bytes read at an output's end: twice what the client gives its agent."""
_LONGEST, _LONGEST_NEXT = 200, 90
"""Characters for one failure, and for each further one."""
_MOST, _MOST_COUNTED = 3, 200
"""Failures named, and names counted."""


class Reason(NamedTuple):
    """A form in which a runner names a failure: patterns of the name, and of the message below it."""

    name: str
    """Its group is the name; if the reason precedes the name, the groups are `why` and `name`."""
    message: str = ""
    best: str = ""
    """A message that is preferred to `message`, if it comes before the next name."""
    each: str = ""
    """Matches every failure if `name` matches only some; `-` if `name` matches the same failure several times."""


_COMPARED = r"^ +(Expected[^\n]{0,60}: .+\n(?:\s*\n)? +Received[^\n]{0,60}: .+)$"
"""The expected and received values of Jest and similar runners."""
_BIOME = r"^(?: ?at )?(\S+(?::\d+:\d+)? (?:lint|parse|assist|suppressions|organizeImports)\S*) .*\n\s*"
_UNFORMATTED = (
    r"^(?:(?i:would reformat:?) |unformatted: File would be reformatted\n *--> |Diff in |\[warn\] (?!Code style)"
    r"|(?: ?at )?(?=\S+ format \u2501))(\S+?)(?::\d+:)?(?: format .*)?$|^.{0,4}Formatter would have printed"
)
"""A formatter's line about a file that it would change."""
_REASONS = (
    Reason(r"^FAILED (\S+\.py::.* - .+)$", each=r"^FAILED (\S+\.py::.*?)(?: - .*)?$"),
    Reason(r"^FAILED (\S+\.py::\S+)", r"^E +(.+)$"),
    Reason(r"^E +((?:\w+\.)*\w*(?:Error|Exception|Failed)\b.*)$", each="-"),
    Reason(r"^(?:FAIL|ERROR): (\w+ \(.+\))$", r"^((?:\w+\.)*\w+(?:Error|Exception|Failure)\b.*)$"),
    Reason(r"^---- (\S+) stdout ----", r"panicked at [^\n]*\n(.+(?:\n +left: .+\n +right: .+)?)$"),
    Reason(r"^failures:\n    (\S+)$", each=r"^    (\S+)$"),
    Reason(r"^(?:vet: )?(\S+\.go:\d+:\d+: (?!too many errors).+)$"),
    Reason(r"^ *\u25cf (?!Console$)(.+)$", r"^ +(\S.+)$", _COMPARED),
    Reason(r"^ *FAIL +(\S+ > .+)$", r"^(\w*Error: .+)$"),
    Reason(r"^  \d+\) (\[\w+\] .*[^ \u2500\n])[ \u2500]*$", r"^ +(\S.+)$", _COMPARED),
    Reason(r"^  \d+\) (.+\n(?: {7,}\S.*\n){0,20}? {7,}\S.*):$", r"^ +(\S.+)$"),
    Reason(r"^  \d+\) (?:Failure|Error):\n(\S+)", r":\n(.+)$"),
    Reason(r"^  \d+\) (.+)$", r"^ +(\S*(?:Failure|Assert|expect).+)$"),
    Reason(r"^\d+\) (\S+::\S+)", r"\n(.+)$"),
    Reason(r"^not ok \d+ -? ?(.+)$", r"^ +error: (?:\|-\n +)?(.+)$"),
    Reason(r"^ *\u2716 (.+) \([\d.]+ms\)$", r"^ +(\S.+)$"),
    Reason(r"^ +\u2718 \[fail\]: (.+)$"),
    Reason(
        r"^error: (?P<why>.+(?:\n\n(?:Expected|Received).*(?:\n(?:Expected|Received).*)?)?)\n"
        r"(?:(?!\((?:pass|fail)\)|error: ).*\n){0,20}?\(fail\) (?P<name>.+?)(?: \[[\d.]+m?s\])?$",
        each=r"^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$",
    ),
    Reason(r"^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$"),
    Reason(r"^# Unhandled error between tests\n-+\n(.+)$"),
    Reason(r"^([^\n]*\berror TS\d+: .+)$"),
    Reason(r"^ +\d+:\d+ +error +(\S.+)$"),
    Reason(rf"{_BIOME}[^\s!i\u26a0\u2139](?= )", r" (.+)$"),
    Reason(r"^(\S+\.pyi?:\d+:\d+: [A-Z]{1,4}\d{2,5}\b.+)$"),
    Reason(r"^([A-Z]{1,4}\d{3,4} (?:\[\*\] )?\S.+)$", r"^ +--> (\S+)"),
    Reason(r"^ *(\S+:\d+(?::\d+)?(?::| -) (?:fatal )?error: .+)$"),
    Reason(r"^(error\[[\w-]+\]: .+|error: .+(?=\n *--> ))$", r"^ *--> (\S+)"),
    Reason(r"^error: (Cannot find (?:module|package) .+)$"),
    Reason(r"^(\S+\.rb:\d+:\d+: .+)$"),
    Reason(r"^.*: (undefined reference to .+)$"),
    Reason(r"^(CMake Error.*?):?$", r"^  (\S.+)$"),
    Reason(r"^\t *\d+ - (\S+ \(.+\))$"),
    Reason(r"^\[ERROR\] (\S+\.java:\[.+)$"),
    Reason(r"^\[ERROR\] +(?!Tests run)([\w.$()]+) .*<<< (?:FAILURE|ERROR)!", r"\n(.+)$"),
    Reason(r"^\[ERROR\] {2,}(\S+:\d+ .+)$"),
    Reason(r"^\[error\] (.+)$"),
    Reason(r"^(\S.* > .+ FAILED)$", r"^ +(\S.+)$"),
    Reason(r"^ *(\S+\(\d+,\d+\): error \w+: .+?)(?: \[.*\])?$"),
    Reason(r"^ +Failed (\S+) \[", r"^ +(?!Error Message)(\S.+)$"),
    Reason(r"^(?:In \S+ line \d+:\n(?:.*\n)?).*(SC\d+ .+)$"),
    Reason(r"^[\u2502|] (Error: .+)$"),
    Reason(r"^ +\d+ {2,}([^\s\u2502|][^\u2502\n]+)$", r"^ *\[ERROR\] (.+)$"),
    Reason(r"^\S{1,20} .{0,40}?-\d+: (.+) \[E\]$"),
    Reason(r"^ERROR in (.+)$", r"\n(.*(?:Can't resolve|not found|Error).*)$"),
    Reason(r"^(Could not resolve .+)$"),
    Reason(r"^error during build:\n(.+)$"),
    Reason(r"^(Type error: .+)$"),
    Reason(_UNFORMATTED),
    Reason(rf"{_BIOME}\S(?= )", r" (.+)$"),
    Reason(r"^ *(\S+: FAIL .+?)(?: \(.*)?$"),
    Reason(r"^(\S.*[^.\n])\.{3,}Failed$"),
    Reason(r"^npm (?:ERR!|error) (Exit status.*)$"),
    Reason(r"^\S*make(?:\[\d+\])?: \*\*\* (.+)$"),
    Reason(r"^ *([1-9]\d* fail|Found [1-9]\d* (?:errors?|diagnostics?)\b.*)$", each="-"),
    Reason(r"^(error: (?!could not compile|test failed|aborting|script |[Rr]ecipe ).+)$", each="-"),
    Reason(r"^(\S+\.go:\d+: .+)$"),
    Reason(r"^(go: (?!downloading|extracting|finding).+)$"),
    Reason(r"^ ?(FAIL[\t ]+\S+)", r"^[ \t]*(\w*(?:Error|Exception)\b.*)$"),
    Reason(r"^((?:\w+\.)*\w+(?:Error|Exception): .+)$"),
)
"""The most informative first: a failing test with its message, then an error with its position, then less."""
_FORMS = tuple((re.compile(form.name, re.MULTILINE), form) for form in _REASONS)
_TOTALS = (
    r"^(?!.*(?:Suites|Files)).*?(?<!\d)(?P<failed>\d+) failed(?:[ ,|]+\d+ \w+)*?[ ,|]+(?P<passed>\d+) passed",
    r"(?<!\d)(?P<passed>\d+) pass(?:ed|ing)?\b(?: \([^)\n]*\)\n)?\D{0,9}?(?P<failed>\d+) fail",
    r"pass (?P<passed>\d+)\n.*fail (?P<failed>\d+)",
    r"(?<!\d)(?P<total>\d+) (?:examples|runs|tests)\b.{0,40}?(?P<failed>\d+) fail",
    r"^Tests: (?P<total>\d+),.*Failures: (?P<failed>\d+)",
)
"""A runner's final count of failed tests, with the total or the passed ones."""
_ERROR_COUNT = re.compile(r"^(?:Found )?([1-9]\d*) (?:errors?|issues|diagnostics?)[.: ]", re.MULTILINE)
"""A linter's final count, which may exceed the errors in the output's end."""
_COUNT = re.compile(r"\d+ fail|Found .+")
_DIFFERS = "formatting differs"
_EXIT_CODE = re.compile(rf"{client.EXIT_CODE}\d+|\s*(?:\d+\t)?\[exited with code \d+\]")
"""The client's line before a failing command's output, or after it in a task's file."""
_LISTED_FILE = re.compile(r"[.bcdlps-](?:[r-][w-][xsStT-]){3}[@+.]?\s")
"""A line of `ls -l`, which is no reason, whatever the file's name."""
_TELLING = re.compile(r"(?i)error|exception|traceback|fail|assert|panic|fatal|cannot|can't|denied|undefined|exit")


def reason_in(output: str, longest: int = _LONGEST_REASON) -> str:
    """The first failures with messages and their number, in `longest` characters; else the most telling line."""
    text = "\n".join(line for line in lines_of(output) if not _EXIT_CODE.fullmatch(line))
    failed, count = _failures(text)
    if failed:
        failures, unformatted = _together(failed, count, text, longest), _unformatted(text)
        return one_line("; ".join(dict.fromkeys(part for part in (failures, unformatted) if part)), longest)
    return _total(text, 0) or one_line(_line(text), min(longest, _LONGEST))


def reason_of(failure: Failure | FailedAttempt, transcript: str) -> str:
    """The reason of a failure, read from the transcript, as it is stored nowhere; empty if that can't be read."""
    line = line_in(jsonl.line_at(transcript, failure.offset))
    if line is None or line.message is None:
        return ""
    results = [block for block in line.message.blocks if block.type == "tool_result"]
    own = [block for block in results if block.tool_use_id == failure.tool_use_id] or results
    printed = own[0].result if own else printed_in(line.message.text) or line.message.text
    return one_line(masked_in_time(reason_in(masked_in_time(printed[-_MOST_BYTES:]))), _LONGEST_REASON)


def _line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if any(map(str.isalpha, line))]
    failing = [line for line in text.splitlines() if is_failing(line)][:1]
    reason = (failing or [line for line in lines if _TELLING.search(line)] or lines or [""])[-1]
    return "" if _LISTED_FILE.match(reason) else reason


def _failures(text: str) -> tuple[list[str], int]:
    """A text for each of the first failures, and the number of all."""
    if tests := go_tests.failures_in(text):
        return [f"{name}: {message}".removesuffix(": ") for name, message in tests.items()][:_MOST], len(tests)
    for pattern, form in _FORMS:
        matches = list(islice(pattern.finditer(text), _MOST_COUNTED))
        if not matches:
            continue
        if form.name == _UNFORMATTED:
            return [_unformatted(text)], 1
        texts = [": ".join(" ".join(part.split()) for part in _parts(match, form, text)) for match in matches[:_MOST]]
        names = [match["name" if "why" in pattern.groupindex else 1] for match in matches]
        if form.each == "-":
            return texts[:1], 1
        every = dict.fromkeys(re.findall(form.each, text, re.MULTILINE) if form.each else names)
        others = [name for name in every if not any(" ".join(name.split()) in one for one in texts)]
        return [*dict.fromkeys(texts), *others][:_MOST], len(every)
    return [], 0


def _unformatted(text: str) -> str:
    """The files that a formatter would change."""
    names = re.findall(_UNFORMATTED, text, re.MULTILINE)
    files = [name for name in dict.fromkeys(names) if name]
    more = f" and {len(files) - _MOST} more" if len(files) > _MOST else ""
    return f"{_DIFFERS}: {', '.join(files[:_MOST])}{more}".removesuffix(": ") if names else ""


def _together(failures: list[str], count: int, text: str, longest: int) -> str:
    """Join failures: `2 of 31 failed: A: why; B: why`."""
    first, *others = failures
    total = _total(text, count)
    if (match := _ERROR_COUNT.search(text)) and not _total(text, 0):
        count = max(count, int(match[1]))
    if _COUNT.fullmatch(first):
        return total or first
    if first.startswith(_DIFFERS) or (not total and count < 2):
        return one_line(first, min(longest, _LONGEST))
    together = f"{total or f'{count} failures'}: {one_line(first, _LONGEST - 60)}"
    for other in others:
        more = f"; {one_line(other, _LONGEST_NEXT)}"
        together += more if len(together) + len(more) <= longest else ""
    return together


def _total(text: str, count: int) -> str:
    """The total, `2 of 31 failed`; empty if none is printed, if it is below `count`, or if both are 1."""
    for pattern in _TOTALS:
        for match in re.finditer(pattern, text, re.MULTILINE):
            numbers = {name: int(number) for name, number in match.groupdict().items()}
            failed = numbers["failed"]
            if failed >= max(count, 2 if count else 1):
                return f"{failed} of {numbers.get('total') or failed + numbers['passed']} failed"
    return ""


def _parts(match: re.Match[str], form: Reason, text: str) -> Iterator[str]:
    """The name of a failure, and the reasons before and after it."""
    if "why" in match.re.groupindex:
        yield from (match["name"], match["why"])
    else:
        yield match[1]
    following = match.re.search(text, match.end())
    below = text[match.end() : following.start() if following else None]
    messages = (re.search(pattern, below, re.MULTILINE) for pattern in (form.best, form.message) if pattern)
    if message := next(filter(None, messages), None):
        yield message[1]
