"""`python -m benchmarks.secrets PATH...`: measure how often text without secrets is masked, in files or directories."""

import os
import sys
import time
from collections.abc import Iterator

from shared.secrets.masking import spans

_LONGEST = 1 << 20


def main(paths: list[str]) -> None:
    """Print each masked place, then the words masked per 1,000 and the megabytes per second."""
    words = masked = size = 0
    began = time.process_time()
    for path in _files(paths):
        with open(path, encoding="utf-8", errors="replace") as file:
            for text in _pieces(file.read()):
                words += len(text.split())
                size += len(text)
                for start, end, _ in spans(text):
                    masked += 1
                    print(f"{path}: {text[max(0, start - 40) : end]!r}")
    took = max(time.process_time() - began, 1e-9)
    print(f"{masked} of {words:,} words ({1000 * masked / max(words, 1):.3f} of 1,000), {size / took / 1e6:.1f} MB/s")


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith((".py", ".md", ".jsonl")))


def _pieces(text: str) -> Iterator[str]:
    """Whole lines, as an export masks them."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + _LONGEST) + 1 or len(text)
        yield text[at:end]
        at = end


if __name__ == "__main__":
    main(sys.argv[1:])
