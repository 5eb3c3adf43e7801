"""How long something takes, or ago it was, as a person reads it at a glance."""


def duration_text(seconds: float) -> str:
    """The two largest units: `45s`, `12m`, `2h10m`, `3d4h`; a negative one is `0s`."""
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
