"""A command as it is known again: without where it was run, and which part of its output was looked at."""

import re

LONGEST_CHECK = 120
"""Characters: a longer one is a script that was written for once."""
_WHERE = re.compile(r"^cd \S+ && ")
_PART = re.compile(r"(?: 2>&1| \| (?:tail|head|grep|rg|wc|sort|cat)\b[^|&;]*| > ?/dev/null)+$")
_LOOKS = re.compile(
    r"(?:[A-Z_]+=\S+ )*(?:\S*/)?(?:ls|cat|head|tail|grep|rg|ag|find|fd|sed|awk|wc|echo|printf|pwd|which|stat|tree|diff|"
    r"curl|wget|rm|mv|cp|mkdir|touch|chmod|kill|sleep|git|gh|glab|jq|man)\b"
)
_CHECKS = re.compile(
    r"(?<![\w./-])(?:\S*/)?(?:py|c|box|spec)?(?:tests?|check|lint|vet|build|compile|typecheck|verify|e2e|spec|fmt|format|"
    r"tox|nox|jest|vitest|mocha|rspec|phpunit|tsc|mypy|pyright|ruff|eslint|clippy|make)(?![\w./])",
    re.IGNORECASE,
)


def bare(command: str) -> str:
    """`npm test` of `cd /home/dev/shop && npm test 2>&1 | tail -5`; on one line."""
    text = " ".join(command.split())
    return _PART.sub("", _WHERE.sub("", text)).strip()


def is_check(command: str) -> bool:
    """Whether a bare command tests, builds or checks, by its words; looking at a file named so is none."""
    return len(command) <= LONGEST_CHECK and not _LOOKS.match(command) and bool(_CHECKS.search(command))
