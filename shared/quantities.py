"""Quantities as a person reads them at a glance."""


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `1,200 entries`."""
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def tokens_text(tokens: int) -> str:
    """`850`, `9.5k`, `142k`, `1M`, `1.25M`, `140M`, `3.4B`; a negative number with its sign."""
    if tokens < 0:
        return f"-{tokens_text(-tokens)}"
    if tokens < 1000:
        return str(tokens)
    if tokens < 9_950:
        return f"{tokens / 1000:.1f}".removesuffix(".0") + "k"
    if tokens < 999_500:
        return f"{(tokens + 500) // 1000}k"
    unit, letter = (10**6, "M") if tokens < 999_500_000 else (10**9, "B")
    shown = tokens / unit
    return f"{shown:.0f}{letter}" if shown >= 99.5 else f"{shown:.2f}".rstrip("0").removesuffix(".") + letter
