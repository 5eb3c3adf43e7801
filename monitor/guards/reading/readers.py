"""The commands that print what they read, and how to read the words of each."""

_SEARCH = frozenset({"-A", "-B", "-C", "-e", "-f", "-m", "--exclude", "--exclude-dir", "--include"})
_WITHOUT_VALUES = ("cat", "diff", "file", "find", "less", "more", "nl", "tac", "uniq", "wc", "yq", "zcat")

VALUE_OPTIONS: dict[str, frozenset[str]] = {
    **dict.fromkeys(_WITHOUT_VALUES, frozenset()),
    **dict.fromkeys(("ack", "egrep", "fgrep", "grep"), _SEARCH),
    "ag": _SEARCH | {"-G", "--ignore"},
    "rg": _SEARCH | {"-d", "-g", "-t", "-T", "--glob", "--iglob", "--max-depth", "--type"},
    **dict.fromkeys(("awk", "gawk"), frozenset({"-F", "-f", "-v"})),
    **dict.fromkeys(("base32", "base64"), frozenset({"-w", "--wrap"})),
    "bat": frozenset({"-l", "-r"}),
    "cut": frozenset({"-b", "-c", "-d", "-f"}),
    "du": frozenset({"-d", "--exclude", "--max-depth"}),
    "fd": frozenset({"-d", "-e", "-E", "-t", "--exclude", "--extension", "--type"}),
    **dict.fromkeys(("head", "tail"), frozenset({"-c", "-n", "--bytes", "--lines"})),
    "hexdump": frozenset({"-n", "-s"}),
    "jq": frozenset({"-f", "--arg", "--argjson", "--indent"}),
    "ls": frozenset({"-I", "--hide", "--ignore"}),
    "od": frozenset({"-A", "-j", "-N", "-t"}),
    "sed": frozenset({"-e", "-f"}),
    "sort": frozenset({"-k", "-o", "-t"}),
    "strings": frozenset({"-n"}),
    "tree": frozenset({"-I", "-L", "-P"}),
    "xxd": frozenset({"-l", "-s"}),
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
