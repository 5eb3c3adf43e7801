"""Secrets in a command or a task, blanked before it is written down or told again."""

import re

_NAMED = re.compile(
    r"(?i)([\w-]*(?:token|secret|password|passwd|pwd|api[_-]?key|access[_-]?key|auth(?!or))[\w-]*)"
    r"(\s*[=:]\s*|\s+)(?!-)(\"[^\"]*\"|'[^']*'|[^\s\"'&|;]+)"
)
_SCHEMES = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{6,}")
_IN_ADDRESS = re.compile(r"(://[^/\s:@]*:)[^/\s@]+@")
_KEYS = re.compile(
    r"\b(?:(?:sk|pk|rk|gh[opsur]|github_pat|glpat|xox[abprs]|xapp|gsk|xai|hf|npm|shp(?:at|ss|ca|pa)|lin_api|fm[12]"
    r"|dop_v1|key)[-_](?=[A-Za-z_-]*[0-9A-Z])[A-Za-z0-9_+/=-]{12,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{12,}|AIza[A-Za-z0-9_-]{30,}|dapi[0-9a-f]{32}|hv[sbr]\.[A-Za-z0-9_-]{20,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_.-]{8,}|[0-9]{8,10}:AA[A-Za-z0-9_-]{33})"
)
_LOGIN = re.compile(r"(\s(?:-u|--user)[ =]?[\"']?[^\s:\"']+:)[^\s\"']+")


def redacted(command: str) -> str:
    """`command` with what looks like a secret replaced: errs on the side of blanking too much."""
    return _NAMED.sub(_blanked, _without_keys(command))


def redacted_prose(text: str) -> str:
    """The same for sentences, in which a word may follow `token:` that is none."""
    return _NAMED.sub(_blanked_in_prose, _without_keys(text))


def _without_keys(text: str) -> str:
    text = _SCHEMES.sub(r"\1 [redacted]", text)
    text = _IN_ADDRESS.sub(r"\1[redacted]@", text)
    text = _LOGIN.sub(r"\1[redacted]", text)
    return _KEYS.sub("[redacted]", text)


def _blanked_in_prose(found: re.Match[str]) -> str:
    _, between, value = found.groups()
    is_word = value.strip(".,()").replace("-", "").isalpha() and value.strip("\"'") == value
    return found[0] if between[-1].isspace() and is_word else _blanked(found)


def _blanked(found: re.Match[str]) -> str:
    name, between, value = found.groups()
    # `pytest tests/test_auth.py -k login`: a word beside another is a value only behind an option's name.
    if between.isspace() and not name.startswith("-"):
        return found[0]
    return found[0] if value.startswith("[redacted]") else f"{name}{between}[redacted]"
