"""`python -m docs.drawing.report`: takes docs/images/report.png of the report on made-up sessions, in Chromium."""

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import FloatRect, sync_playwright

from docs.scratch import empty_home
from history.page import document
from history.page.figures import collect
from shared.settings.config import Config
from tests.history.page import made_up
from tests.history.page.browser import opened, started
from tests.history.questions.stored import START, Stored

PICTURE = Path(__file__).parents[1] / "images" / "report.png"
SIZE = {"width": 480, "height": 900}
"""A large phone's screen, in CSS pixels."""


def take(path: Path) -> None:
    """Write the picture of the report's first chart to `path`. Raises RuntimeError if there is none."""
    with ExitStack() as stack:
        scratch = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))  # Chromium's home, too
        root, _ = empty_home(scratch)
        stored = Stored(root, stack)
        made_up.sessions(stored, 4, 150, now=START)
        page_path = Path(root, "report.html")
        page_path.write_bytes(document.page(collect(stored.asked(), 0, Config(), START)))
        browser = started(stack.enter_context(sync_playwright()), scratch)
        page = stack.enter_context(opened(browser, str(page_path), viewport=SIZE, color_scheme="light"))
        chart = page.locator("#occupancy canvas")
        chart.wait_for()
        above, below = page.locator("#occupancy").bounding_box(), chart.bounding_box()
        if above is None or below is None:
            raise RuntimeError("the report doesn't show its first chart")
        height = below["y"] + below["height"] - above["y"]
        clip: FloatRect = {"x": 0, "y": above["y"], "width": SIZE["width"], "height": height}
        page.screenshot(path=path, full_page=True, clip=clip)


def main() -> int:
    """Take the picture again."""
    take(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
