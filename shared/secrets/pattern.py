import functools
import re


@functools.cache
def compiled(source: str) -> re.Pattern[str]:
    """A pattern, compiled when a text first calls for it: all of them would take longer than most commands do."""
    return re.compile(source)
