"""The page for people who use keys, a screen reader, a phone, or no scripts."""

from itertools import pairwise
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.history.page.browser import opened, unfold

pytestmark = pytest.mark.any_python

PHONE = {"viewport": {"width": 320, "height": 640}}


@pytest.mark.parametrize("context", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}])
def test_the_page_follows_accessibility_rules(browser: Browser, short_report: str, context: dict[str, Any]) -> None:
    rules = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
    with opened(browser, short_report, **context) as page:
        unfold(page, "details")
        assert page.locator("#occupancy tbody tr").count() == 3
        results = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]})

    assert results.response["passes"]
    assert results.violations_count == 0, results.generate_report()


def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, report: str) -> None:
    with opened(browser, report, **PHONE, device_scale_factor=2, has_touch=True, is_mobile=True) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert page.locator("#occupancy canvas").bounding_box()["width"] <= 320  # type: ignore[index]  # it is on the page


def test_a_curve_can_be_walked_by_keys_and_is_described(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        page.locator("#occupancy .chart").focus()
        readout = page.locator("#occupancy [role=status]")
        page.keyboard.press("Home")
        assert readout.inner_text().startswith("Answer 1, ")
        assert "18,000 tokens, 9% used, NORMAL." in readout.inner_text()
        page.keyboard.press("ArrowRight")
        assert readout.inner_text().startswith("Answer 2, ")
        page.keyboard.press("End")
        assert readout.inner_text().startswith("Answer 150, ")
        page.locator("#occupancy").get_by_label("answers", exact=True).check()
        assert page.locator("#occupancy canvas").count() == 1


def test_the_keyboard_reaches_everything_in_page_order(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        page.keyboard.press("Tab")
        assert page.locator(":focus").inner_text() == "Skip to the report"
        reached = []
        for _ in range(70):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.closest('section')?.id ?? ''"))

    order = ["", "bill", "occupancy", "contents", "growth", "compactions", "warnings", "cache", "limits", "sessions"]
    assert list(dict.fromkeys(reached)) == order


def test_headings_step_down_one_at_a_time(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        levels = [
            int(tag[1]) for tag in page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(h => h.tagName)")
        ]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_without_scripts_the_page_says_what_it_needs(browser: Browser, report: str) -> None:
    with opened(browser, report, java_script_enabled=False) as page:
        assert "Allow scripts" in page.locator("header").inner_text()
