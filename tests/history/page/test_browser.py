"""The page in headless Chromium: what it shows, to eyes, keys and screen readers, and what it lets nobody do."""

import re
from collections.abc import Generator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from history.page import document
from history.page.figures import collect
from history.store.schema import WarningOutcome
from shared.gauge.levels import Level
from shared.settings.config import Config
from tests.history.page import made_up
from tests.history.page.browser import opened, started
from tests.history.page.test_document import BAD
from tests.history.questions.stored import START, Stored
from tests.history.trees import root_in

pytestmark = pytest.mark.any_python

PHONE = {"viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Browser]:
    with sync_playwright() as playwright:
        result = started(playwright, tmp_path_factory.mktemp("home"))
        yield result
        result.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of some sessions."""
    with ExitStack() as opened:
        stored = Stored(root_in(tmp_path_factory.mktemp("report")), opened)
        made_up.sessions(stored, 4, 150, now=START)
        made_up.rate_limits(stored, 3, now=START)
        return written(stored)


@pytest.fixture
def short_report(stored: Stored) -> str:
    """A page with rows in every table, and few where there is one for each answer."""
    made_up.sessions(stored, 1, 150, now=START)
    made_up.rate_limits(stored, 3, now=START)
    newest = stored.conversation("newest", project="/home/ada/project", at=START - made_up.HOUR // 4)
    for _ in range(3):
        newest.call(newest.tool(50_000, "Read", "/home/ada/project/file.py"))
    newest.warning(Level.WARNING, WarningOutcome.WENT_ON)
    return written(stored)


def written(stored: Stored) -> str:
    path = Path(stored.root) / "report.html"
    path.write_bytes(document.page(collect(stored.asked(), 0, Config(), START)))
    return str(path)


def painted(page: Page, section: str) -> int:
    """How many different colours a section's chart has."""
    script = """section => { const canvas = document.querySelector(`#${section} canvas`);
        const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(new Uint32Array(bytes.buffer)).size }"""
    count: int = page.evaluate(script, section)
    return count


def unfold(page: Page, selector: str) -> None:
    """Open what is folded, and wait for the tables, which are built then."""
    for details in page.locator(selector).all():
        details.locator("summary").click()
        details.locator("table, ul").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_section_has_its_chart_and_its_table(browser: Browser, report: str, scheme: str) -> None:
    with opened(browser, report, color_scheme=scheme) as page:
        for section in ("bill", "occupancy", "compactions", "cache", "limits"):
            assert painted(page, section) > 3, section
        assert page.locator(".treemap .tile").count() > 20
        for section in ("contents", "growth", "compactions", "warnings", "cache", "sessions"):
            assert page.locator(f"#{section} table tbody tr").count() > 1, section
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background == {"light": "rgb(251, 251, 249)", "dark": "rgb(20, 25, 29)"}[scheme]


def test_a_change_of_the_colour_scheme_is_followed_by_the_charts(browser: Browser, report: str) -> None:
    pixel = "document.querySelector('#occupancy canvas').toDataURL()"
    with opened(browser, report, color_scheme="light") as page:
        light = page.evaluate(pixel)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(f"light => {pixel} !== light", arg=light)


@pytest.mark.parametrize("context", [{"color_scheme": "light"}, {"color_scheme": "dark", **PHONE}])
def test_the_rules_of_accessibility_hold(browser: Browser, short_report: str, context: dict[str, Any]) -> None:
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


def test_the_newest_session_is_drawn_first_and_another_can_be_chosen(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        newest = page.locator("#session-summary").inner_text()
        assert page.locator("#session option").first.inner_text().endswith("00000003")
        assert re.search(r"of 200,000 \(8\d%\); the highest level was EXHAUSTED\.", newest)
        assert "Limit: 167,000 tokens (known for this model); window size: reported by the client." in newest

        page.locator("#session").select_option(index=2)

        assert page.locator("#session-summary").inner_text() != newest
        assert page.locator("#occupancy canvas").count() == 1


def test_sessions_without_a_curve_are_counted_in_plain_words(browser: Browser, stored: Stored) -> None:
    made_up.sessions(stored, 303, 2, now=START)
    with opened(browser, written(stored)) as page:
        assert page.locator("#session option").count() == 300
        hint = page.locator("#occupancy .choices + .hint").inner_text()
        assert page.locator("#sessions tbody tr").count() == 303

    assert hint == (
        "Only the newest 300 sessions have a curve; 3 older sessions can't be chosen here. "
        "The table at the end lists all sessions, and every figure on this page counts all of them."
    )


def test_a_curve_is_walked_along_by_keys_and_said_in_words(browser: Browser, report: str) -> None:
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


def test_each_level_and_the_limit_are_named_at_their_lines(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        page.evaluate(
            "() => { window.drawn = []; const draw = CanvasRenderingContext2D.prototype.fillText;"
            "CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {"
            " drawn.push(text); return draw.call(this, text, ...place); }; }"
        )
        page.locator("#occupancy").get_by_label("answers", exact=True).check()
        page.wait_for_function("drawn.includes('limit')")
        drawn = page.evaluate("drawn")

    assert [name for name in ("WARNING", "CRITICAL", "EXHAUSTED", "limit") if name not in drawn] == []


def test_compactions_are_summed_up_in_sentences(browser: Browser, stored: Stored) -> None:
    session = stored.conversation("one")
    session.compaction(summary=3_000, milliseconds=90_400)
    session.compaction(trigger="manual", summary=21_000, milliseconds=None)

    with opened(browser, written(stored)) as page:
        sentences = page.locator("#compactions .fill > p").first.inner_text()

    assert sentences == (
        "2 compactions, 1 of them automatic. Summaries in tokens: median 3,000, 99th percentile 21,000, largest "
        "21,000. The client keeps 20,000 free for one; 1 took more. 1 of 2 were timed: 90 seconds in all."
    )


def test_warnings_and_compactions_stand_in_the_curves_table(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        unfold(page, "#occupancy details")
        then = " ".join(page.locator("#occupancy td:last-child").all_inner_texts())

    for word in ("warning WARNING", "warning CRITICAL", "warning EXHAUSTED", "compaction (auto) from 16"):
        assert word in then


def test_the_treemap_opens_and_closes_by_keys_and_the_focus_stays_with_it(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        page.locator("#contents .treemap button", has_text="Read").focus()
        page.keyboard.press("Enter")
        focused = page.locator(":focus")
        assert (focused.inner_text(), focused.get_attribute("aria-current")) == ("Read", "true")
        assert page.locator("#contents caption").inner_text() == "Within Read"
        assert "/home/ada/project-" in page.locator("#contents tbody th").first.inner_text()

        page.locator("#contents tbody button").first.click()
        page.locator("#contents nav button").first.click()

        assert page.locator("#contents caption").inner_text() == "Within everything"


def test_tiles_can_be_as_large_as_what_staying_cost(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        first = page.locator("#contents tbody th").first
        assert first.inner_text() != "(start: system prompt, tools, files)"
        page.get_by_label("tokens × answers").check()  # noqa: RUF001  as it stands there
        assert first.inner_text() == "(start: system prompt, tools, files)"


def test_the_keyboard_reaches_everything_in_the_order_of_the_page(browser: Browser, report: str) -> None:
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


def test_a_path_that_is_markup_runs_nothing_and_is_shown_as_it_is(browser: Browser, stored: Stored) -> None:
    bad = stored.conversation(BAD, project=BAD)
    bad.call(bad.tool(900, BAD, f"/work{BAD}"), model=stored.name(BAD))

    with opened(browser, written(stored)) as page:
        page.locator("#contents tbody button").click()
        page.locator("#contents tbody button").click()
        assert page.locator("#contents tbody th").inner_text() == BAD.rpartition("/")[2]
        assert page.locator("img").count() == 0
        assert BAD in page.locator("#session-summary").inner_text()


def test_the_policy_refuses_a_network_and_scripts_of_others(browser: Browser, report: str) -> None:
    asked = """() => { const script = document.createElement('script'); script.textContent = 'window.ran = true';
        document.body.append(script); return fetch('http://127.0.0.1:9/').catch(error => String(error)) }"""
    page = browser.new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(Path(report).as_uri())

    assert "Failed to fetch" in page.evaluate(asked)

    assert page.evaluate("window.ran === undefined")
    assert sum("Content Security Policy" in line for line in messages) >= 2
    page.close()


def test_without_a_row_every_section_says_so(browser: Browser, stored: Stored) -> None:
    with opened(browser, written(stored)) as page:
        assert page.locator(".none").count() == 9
        assert page.locator("canvas").count() == 0


def test_without_scripts_the_page_says_what_it_needs(browser: Browser, report: str) -> None:
    with opened(browser, report, java_script_enabled=False) as page:
        assert "Allow scripts" in page.locator("header").inner_text()


def test_no_tile_leaves_the_treemap(browser: Browser, stored: Stored) -> None:
    own = stored.conversation("one")
    large = own.tool(100_000, "Read", "/home/dev/large.py")
    own.call(large, *(own.tool(50 + number, f"tool-{number}", f"/home/dev/{number}.py") for number in range(30)))
    outside = """() => { const map = document.querySelector('.treemap').getBoundingClientRect();
        return [...document.querySelectorAll('.tile')].map(tile => tile.getBoundingClientRect())
            .filter(tile => tile.right > map.right + 1 || tile.bottom > map.bottom + 1).length }"""

    with opened(browser, written(stored)) as page:
        assert page.locator(".tile").count() > 25
        assert page.evaluate(outside) == 0


def test_the_bill_is_drawn_and_said_in_words(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        page.locator("#bill .chart").focus()
        page.keyboard.press("Home")
        readout = page.locator("#bill [role=status]").inner_text()
        unfold(page, "#bill details")
        shares = page.locator("#bill tbody td:nth-child(3)").all_inner_texts()
        levers = page.locator("#bill .levers b").all_inner_texts()

    assert re.fullmatch(r"0 to 20k tokens: [\d.]+ % of the bill, [\d,]+ calls.*", readout)
    assert sum(float(share.removesuffix(" %")) for share in shares) == pytest.approx(100, abs=3)
    assert levers == sorted(levers, key=lambda share: -float(share.removesuffix(" %")))
