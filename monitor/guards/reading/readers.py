"""The commands that print what they read, and how to read the words of each."""

import os

_SEARCH = frozenset({"-A", "-B", "-C", "-e", "-f", "-m", "--exclude", "--exclude-dir", "--include"})
_WITHOUT_VALUES = ("cat", "diff", "file", "find", "less", "more", "nl", "tac", "uniq", "wc", "yq", "zcat")

_VALUE_OPTIONS: dict[str, frozenset[str]] = {
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
"""Commands whose first operand is a pattern or a script, unless one of _SCRIPT_OPTIONS gives it."""
_SCRIPT_OPTIONS = frozenset({"-e", "-f", "--expression", "--file", "--regexp"})
_GLOB_OPTIONS = frozenset({"-g", "--glob", "--iglob"})
"""Options of rg whose value names files, unless it begins with `!`."""
_OF_DIRECTORY = frozenset({"ack", "ag", "du", "fd", "find", "ls", "rg", "tree"})
_PRINTING = frozenset({"annotate", "blame", "cat-file", "diff", "grep", "log", "show"})
_PATCH = frozenset({"-p", "-u", "--patch"})
_SUMMARY = frozenset({"--name-only", "--name-status", "--numstat", "--quiet", "--shortstat", "--stat"})
"""Commands of git that print contents, and options with which they do, or print a summary."""


def operands(words: list[str], *, is_piped: bool) -> list[str]:
    """What a simple command reads: files, directories, or where it stands."""
    name = os.path.basename(words[0]) if words else ""
    if name == "git":
        return _of_git(words[1:])
    if name not in _VALUE_OPTIONS:
        return []
    result, options = _paths_in(name, words[1:]), [word for word in words[1:] if word[:1] == "-"]
    is_recursive = any(word == "--recursive" or (word[1:2] != "-" and "r" in word.lower()) for word in options)
    # Where no word names a file these read the working directory; the others read their input.
    reads_directory = name in _OF_DIRECTORY or (name.endswith("grep") and is_recursive)
    return ["."] if reads_directory and not result and not is_piped else result


def _paths_in(command: str, words: list[str]) -> list[str]:
    """The `words` of a command that name files or directories."""
    result: list[str] = []
    has_script, option = command not in _WITH_SCRIPT, ""
    for word in words:
        if option:
            result += _glob_in(command, option, word)
            option = ""
        elif word.startswith("-") and len(word) > 1:
            if command == "find":
                break  # its expression: the rest selects and reads nothing
            has_script = has_script or word.partition("=")[0] in _SCRIPT_OPTIONS
            name, _, value = word.partition("=")
            result += _glob_in(command, name, value)
            option = word if word in _VALUE_OPTIONS[command] else ""
        elif not has_script:
            has_script = True
        else:
            result.append(word)
    return result


def _glob_in(command: str, option: str, value: str) -> list[str]:
    is_glob = command == "rg" and option in _GLOB_OPTIONS and value and value[0] != "!"
    return [value] if is_glob else []


def _of_git(words: list[str]) -> list[str]:
    """What git prints: what follows `--`, else what a revision names (`HEAD:a/x`), as a word may be a branch."""
    base = ""
    while words and words[0].startswith("-"):
        if words[0] == "-C":
            base = os.path.join(base, *words[1:2])
        words = words[2 if words[0] in {"-C", "-c"} else 1 :]
    name, options = words[0] if words else "", set(words)
    if name not in _PRINTING or options & _SUMMARY or (name == "log" and not options & _PATCH):
        return []
    split = words.index("--") if "--" in words else len(words)
    before = [word for word in words[1:split] if not word.startswith("-")]
    result = [word for word in words[split + 1 :] if not word.startswith(":")]  # `:!x` leaves x out
    if name in {"annotate", "blame"}:
        result += before
    elif name != "grep":
        result += [path for word in before if (path := word.partition(":")[2])]
    return [os.path.join(base, path) for path in result]
