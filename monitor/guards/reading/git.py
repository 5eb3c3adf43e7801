"""The files whose contents a git command prints."""

import os

_PRINTING = frozenset({"annotate", "blame", "cat-file", "diff", "grep", "log", "show"})
_PATCH = frozenset({"-p", "-u", "--patch"})
_SUMMARY = frozenset({"--name-only", "--name-status", "--numstat", "--quiet", "--shortstat", "--stat"})


def operands(words: list[str]) -> list[str]:
    """What follows `--` and what a revision names (`HEAD:a/x`); without `--` a word may be a branch."""
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
