"""Real tokenizers with vocabularies in the package: the model's own cannot be used offline."""

from typing import Any


def tokenizer(name: str) -> Any:
    """An encoder with one of the vocabularies."""
    # Importing it reads them all, which is a tenth of what each worker needs to collect the tests.
    import bpe_openai  # type: ignore[import-untyped]  # noqa: PLC0415  # it has no types

    return bpe_openai.get_encoding(name)
