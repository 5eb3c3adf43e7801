"""The commands that print what they read, and how to read the words of each."""

_SEARCH = frozenset({"-A", "-B", "-C", "-e", "-f", "-m", "--exclude", "--exclude-dir", "--include"})
_RIPGREP = _SEARCH | {"-d", "-g", "-t", "-T", "--glob", "--iglob", "--max-depth", "--type"}
_PART = frozenset({"-c", "-n", "--bytes", "--lines"})
_NONE: frozenset[str] = frozenset()

VALUE_OPTIONS: dict[str, frozenset[str]] = {
    "ack": _SEARCH,
    "ag": _SEARCH | {"-G", "--ignore"},
    "awk": frozenset({"-F", "-f", "-v"}),
    "base32": frozenset({"-w", "--wrap"}),
    "base64": frozenset({"-w", "--wrap"}),
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
"""The options whose next word is a value and no path, by command."""

_WITH_SCRIPT = frozenset({"ack", "ag", "awk", "egrep", "fd", "fgrep", "gawk", "grep", "jq", "rg", "sed", "yq"})
"""Commands whose first operand is a pattern or a script, unless one of SCRIPT_OPTIONS gives it."""
_SCRIPT_OPTIONS = frozenset({"-e", "-f", "--expression", "--file", "--regexp"})
_GLOB_OPTIONS = frozenset({"-g", "--glob", "--iglob"})
"""Options of rg whose value names files, unless it begins with `!`."""
_OF_DIRECTORY = frozenset({"ack", "ag", "du", "fd", "find", "ls", "rg", "tree"})


def reads_directory(command: str, words: list[str]) -> bool:
    """Whether the working directory is read where no word names a file; the others read their input."""
    is_recursive = any(
        word == "--recursive" or (word[:1] == "-" != word[1:2] and "r" in word.lower()) for word in words
    )
    return command in _OF_DIRECTORY or (command.endswith("grep") and is_recursive)


def operands(command: str, words: list[str]) -> list[str]:
    """The `words` of a command that name files or directories."""
    result: list[str] = []
    has_script, option = command not in _WITH_SCRIPT, ""
    for word in words:
        if option:
            result += _named(command, option, word)
            option = ""
        elif word.startswith("-") and len(word) > 1:
            if command == "find":
                break  # its expression: the rest selects and reads nothing
            has_script = has_script or word.partition("=")[0] in _SCRIPT_OPTIONS
            name, _, value = word.partition("=")
            result += _named(command, name, value)
            option = word if word in VALUE_OPTIONS[command] else ""
        elif not has_script:
            has_script = True
        else:
            result.append(word)
    return result


def _named(command: str, option: str, value: str) -> list[str]:
    is_named = command == "rg" and option in _GLOB_OPTIONS and value and value[0] != "!"
    return [value] if is_named else []
