"""Quantities formatted to be read at a glance."""


def round_half_up(value: float) -> int:
    """A non-negative value rounded to a whole number, halves up."""
    return int(value + 0.5)


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `1,200 entries`."""
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def share_text(share: float | None) -> str:
    """A share of 1 in percent: `24%`, below a tenth `4.2%`; `n/a` for None."""
    if share is None:
        return "n/a"
    if 0 < share < 0.0005:
        return "<0.1%"
    digits = 1 if share and abs(share) < 0.0995 else 0
    return f"{100 * share:.{digits}f}%"


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
    number = tokens / unit
    return f"{number:.0f}{letter}" if number >= 99.5 else f"{number:.2f}".rstrip("0").removesuffix(".") + letter


def duration_text(seconds: float) -> str:
    """A duration or an age: `45s`, `12m`, `2h10m`, `3d4h`; a negative one is `0s`."""
    minutes = int(seconds) // 60
    if minutes < 1:
        return f"{max(0, int(seconds))}s"
    if minutes < 60:
        return f"{minutes}m"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}h{minutes:02}m"
    days, hours = divmod(hours, 24)
    return f"{days}d{hours}h"
