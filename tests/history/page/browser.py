"""Headless Chromium, offline: it opens the page as a person does, and records its errors."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Error, Page, Playwright

from history.page import document
from history.page.figures import collect
from shared.settings.config import Config
from tests.history.questions.stored import START, Stored

HOW_TO = "the page's tests need Chromium: apt-get install chromium, or Chrome from its maker"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []  # it won't sandbox root


def started(playwright: Playwright, home: str | Path) -> Browser:
    """The machine's Chromium or Chrome, with a home of its own to write in.

    Where the tests must run (CI), a missing one is a failure; elsewhere a skip.
    """
    environ: dict[str, str | float | bool] = {**os.environ, "HOME": str(home)}
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    try:
        where: dict[str, Any] = {"executable_path": path} if path else {"channel": "chrome"}
        return playwright.chromium.launch(args=_FLAGS, env=environ, **where)
    except Error:
        if path or os.environ.get("CI"):
            raise
        pytest.skip(HOW_TO)


def write_report(stored: Stored) -> str:
    """Write a page from the store and return its path."""
    path = Path(stored.root) / "report.html"
    path.write_bytes(document.page(collect(stored.asked(), 0, Config(), START)))
    return str(path)


@contextmanager
def opened(browser: Browser, path: str, **context: Any) -> Generator[Page]:
    """Open the page at `path` without a network; fail for an error in it, and for any request."""
    browser_context, url = browser.new_context(offline=True, **context), Path(path).as_uri()
    page = browser_context.new_page()
    wrong: list[str] = []

    def refuse(dialog: Dialog) -> None:
        wrong.append(dialog.message)
        dialog.dismiss()  # or the page would wait

    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", refuse)
    page.on("request", lambda request: wrong.append(request.url) if request.url != url else None)
    try:
        page.goto(url)
        yield page
        if wrong:
            pytest.fail("\n".join(wrong))
    finally:
        browser_context.close()


def unfold(page: Page, selector: str) -> None:
    """Unfold everything, and wait for the tables that this builds."""
    for details in page.locator(selector).all():
        details.locator("summary").click()
        details.locator("table, ul").wait_for()
