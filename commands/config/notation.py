"""Values in TOML's notation, as in a file."""

import json
from typing import Any


def of(value: Any) -> str:
    if value is None:
        return "unset"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(of(part) for part in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{of(name)} = {of(part)}' for name, part in value.items())}}}"
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)
