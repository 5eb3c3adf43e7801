"""The commands that print what they read, and how each one's words are told apart."""

_SEARCH = frozenset({"-A", "-B", "-C", "-e", "-f", "-m", "--exclude", "--exclude-dir", "--include"})
_RIPGREP = _SEARCH | {"-d", "-g", "-t", "-T", "--glob", "--max-depth", "--type"}
_PART = frozenset({"-c", "-n", "--bytes", "--lines"})
_NONE: frozenset[str] = frozenset()

VALUE_OPTIONS: dict[str, frozenset[str]] = {
    "ack": _SEARCH,
    "ag": _SEARCH | {"-G", "--ignore"},
    "awk": frozenset({"-F", "-f", "-v"}),
    "bat": frozenset({"-l", "-r"}),
    "cat": _NONE,
    "cut": frozenset({"-b", "-c", "-d", "-f"}),
    "diff": _NONE,
    "du": frozenset({"-d", "--exclude", "--max-depth"}),
    "egrep": _SEARCH,
    "fd": frozenset({"-d", "-e", "-E", "-t", "--exclude", "--extension", "--type"}),
    "fgrep": _SEARCH,
    "file": _NONE,
    "find": _NONE,
    "gawk": frozenset({"-F", "-f", "-v"}),
    "grep": _SEARCH,
    "head": _PART,
    "hexdump": frozenset({"-n", "-s"}),
    "jq": frozenset({"-f", "--arg", "--argjson", "--indent"}),
    "less": _NONE,
    "ls": frozenset({"-I", "--hide", "--ignore"}),
    "more": _NONE,
    "nl": _NONE,
    "od": frozenset({"-A", "-j", "-N", "-t"}),
    "rg": _RIPGREP,
    "sed": frozenset({"-e", "-f"}),
    "sort": frozenset({"-k", "-o", "-t"}),
    "strings": frozenset({"-n"}),
    "tac": _NONE,
    "tail": _PART,
    "tree": frozenset({"-I", "-L", "-P"}),
    "uniq": _NONE,
    "wc": _NONE,
    "xxd": frozenset({"-l", "-s"}),
    "yq": _NONE,
    "zcat": _NONE,
}
"""By command, the options whose next word is a value and no path."""

WITH_SCRIPT = frozenset({"ack", "ag", "awk", "egrep", "fd", "fgrep", "gawk", "grep", "jq", "rg", "sed", "yq"})
"""Commands whose first operand is a pattern or a script, unless one of SCRIPT_OPTIONS gives it."""
SCRIPT_OPTIONS = frozenset({"-e", "-f", "--expression", "--file", "--regexp"})


def operands(command: str, words: list[str]) -> list[str]:
    """Those of a command's `words` that name files or directories."""
    found: list[str] = []
    has_script, is_value = command not in WITH_SCRIPT, False
    for word in words:
        if is_value:
            is_value = False
        elif word.startswith("-") and len(word) > 1:
            if command == "find":
                break  # its expression: the rest selects and reads nothing
            has_script = has_script or word.partition("=")[0] in SCRIPT_OPTIONS
            is_value = word in VALUE_OPTIONS[command]
        elif not has_script:
            has_script = True
        else:
            found.append(word)
    return found
