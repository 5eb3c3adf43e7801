"""Secrets in a command, blanked before it is written down or told again."""

import re

_NAMED = re.compile(
    r"(?i)([\w-]*(?:token|secret|password|passwd|pwd|api[_-]?key|access[_-]?key|auth(?!or))[\w-]*)"
    r"(\s*[=:]\s*|\s+)(?!-)(\"[^\"]*\"|'[^']*'|[^\s\"'&|;]+)"
)
_SCHEMES = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{6,}")
_IN_ADDRESS = re.compile(r"(://[^/\s:@]*:)[^/\s@]+@")
_KEYS = re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs]|AKIA|ASIA)[-_]?[A-Za-z0-9_-]{12,}")


def redacted(command: str) -> str:
    """`command` with what looks like a secret replaced: errs on the side of blanking too much."""
    command = _SCHEMES.sub(r"\1 [redacted]", command)
    command = _IN_ADDRESS.sub(r"\1[redacted]@", command)
    command = _KEYS.sub("[redacted]", command)
    return _NAMED.sub(_blanked, command)


def _blanked(found: re.Match[str]) -> str:
    name, between, value = found.groups()
    # `pytest tests/test_auth.py -k login`: a word beside another is a value only behind an option's name.
    if between.isspace() and not name.startswith("-"):
        return found[0]
    return found[0] if value.startswith("[redacted]") else f"{name}{between}[redacted]"
