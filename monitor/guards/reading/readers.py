"""The commands that print what they read, and how to parse the words of each."""

import os

_WITH_SCRIPT = frozenset({"ack", "ag", "awk", "egrep", "fgrep", "gawk", "grep", "jq", "rg", "sed", "yq"})
"""Commands whose first operand is a pattern or a script, unless one of _SCRIPT_OPTIONS gives it."""
_SCRIPT_OPTIONS = frozenset({"-e", "-f", "--expression", "--file", "--regexp"})
_OF_DIRECTORY = frozenset({"ack", "ag", "du", "find", "ls", "rg", "tree"})
_OF_FILES = frozenset({
    "base32", "base64", "bat", "cat", "cut", "diff", "file", "head", "hexdump", "less", "more", "nl", "od", "sort",
    "strings", "tac", "tail", "uniq", "wc", "xxd", "zcat",
})  # fmt: skip
_READERS = _WITH_SCRIPT | _OF_DIRECTORY | _OF_FILES

_EXCLUSIONS = frozenset({"--exclude", "--exclude-dir", "--glob", "--hide", "--iglob", "--ignore", "--include"})
_VALUES = _EXCLUSIONS | {"-I", "-P", "-o"}
_VALUES_WITH_SCRIPT = _EXCLUSIONS | _SCRIPT_OPTIONS | {
    "-A", "-B", "-C", "-d", "-g", "-m", "-t", "-T", "--arg", "--argjson", "--indent", "--max-depth", "--type",
}  # fmt: skip
_VALUES_OF_AWK = _VALUES_WITH_SCRIPT | {"-F", "-v"}
"""Options whose next word is no path, without a script and with one. With a script, options with a number are included:
the number would be taken for the script, and the script for a path. grep's -F and -v take no value, awk's do."""


def operands(words: list[str], *, is_piped: bool) -> list[str]:
    """The files or directories that a simple command reads; "." for the working directory."""
    name = os.path.basename(words[0]) if words else ""
    if name not in _READERS:
        return []
    result, options = _paths_in(name, words[1:]), [word for word in words[1:] if word[:1] == "-"]
    is_recursive = any(word == "--recursive" or (word[1:2] != "-" and "r" in word.lower()) for word in options)
    # Without a file name these read the working directory; the others read their input.
    reads_directory = name in _OF_DIRECTORY or (name.endswith("grep") and is_recursive)
    return ["."] if reads_directory and not result and not is_piped else result


def _paths_in(command: str, words: list[str]) -> list[str]:
    """The `words` of a command that name files or directories."""
    result: list[str] = []
    has_script, is_value = command not in _WITH_SCRIPT, False
    with_value = _VALUES if has_script else _VALUES_OF_AWK if command.endswith("awk") else _VALUES_WITH_SCRIPT
    for word in words:
        if is_value:
            is_value = False
        elif word.startswith("-") and len(word) > 1:
            if command == "find":
                break  # its expression: the rest selects and reads nothing
            has_script = has_script or word.partition("=")[0] in _SCRIPT_OPTIONS
            is_value = word in with_value
        elif not has_script:
            has_script = True
        elif not word.isdecimal():
            result.append(word)
    return result
