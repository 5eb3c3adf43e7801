"""Quantities as a person reads them at a glance."""


def tokens_text(tokens: int) -> str:
    """`850`, `9.5k`, `142k`, `1M`, `1.25M`."""
    if tokens < 1000:
        return str(tokens)
    if tokens < 9_950:
        return f"{tokens / 1000:.1f}".removesuffix(".0") + "k"
    if tokens < 999_500:
        return f"{(tokens + 500) // 1000}k"
    return f"{tokens / 1e6:.2f}".rstrip("0").removesuffix(".") + "M"
