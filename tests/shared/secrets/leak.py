"""Whether masking leaves a secret in a text."""

import json

from shared.secrets.masking import masked


def is_gone(text: str, secret: str) -> bool:
    """Whether `secret` is masked both in `text` and in a line of JSON that holds it."""
    return secret not in masked(text) and secret not in masked(json.dumps({"text": text}, ensure_ascii=False))
