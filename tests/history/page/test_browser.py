"""The page in headless Chromium: what it shows, and what it prevents."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.history.page import made_up
from tests.history.page.browser import opened, unfold, write_report
from tests.history.page.test_document import BAD
from tests.history.questions.stored import START, Stored

pytestmark = pytest.mark.any_python


def painted(page: Page, section: str) -> int:
    """The number of colours in a section's chart."""
    script = """section => { const canvas = document.querySelector(`#${section} canvas`);
        const bytes = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        return new Set(new Uint32Array(bytes.buffer)).size }"""
    count: int = page.evaluate(script, section)
    return count


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


def test_the_charts_follow_a_change_of_the_colour_scheme(browser: Browser, report: str) -> None:
    pixel = "document.querySelector('#occupancy canvas').toDataURL()"
    with opened(browser, report, color_scheme="light") as page:
        light = page.evaluate(pixel)
        page.emulate_media(color_scheme="dark")
        page.wait_for_function(f"light => {pixel} !== light", arg=light)


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
    with opened(browser, write_report(stored)) as page:
        assert page.locator("#session option").count() == 300
        hint = page.locator("#occupancy .choices + .hint").inner_text()
        assert page.locator("#sessions tbody tr").count() == 303

    assert hint == (
        "Only the newest 300 sessions have a curve; 3 older sessions can't be chosen here. "
        "The table at the end lists all sessions, and every figure on this page counts all of them."
    )


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


def test_compactions_are_summarised_in_sentences(browser: Browser, stored: Stored) -> None:
    session = stored.conversation("one")
    session.compaction(summary=3_000, milliseconds=90_400)
    session.compaction(trigger="manual", summary=21_000, milliseconds=None)

    with opened(browser, write_report(stored)) as page:
        sentences = page.locator("#compactions .fill > p").first.inner_text()

    assert sentences == (
        "2 compactions, 1 of them automatic. Summaries in tokens: median 3,000, 99th percentile 21,000, largest "
        "21,000. The client keeps 20,000 free for one; 1 took more. 1 of 2 were timed: 90 seconds in all."
    )


def test_warnings_and_compactions_are_in_the_curves_table(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        unfold(page, "#occupancy details")
        then = " ".join(page.locator("#occupancy td:last-child").all_inner_texts())

    for word in ("warning WARNING", "warning CRITICAL", "warning EXHAUSTED", "compaction (auto) from 16"):
        assert word in then


def test_the_treemap_opens_and_closes_by_keys_and_keeps_the_focus(browser: Browser, report: str) -> None:
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


def test_tiles_can_be_sized_by_the_cost_of_staying(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        first = page.locator("#contents tbody th").first
        assert first.inner_text() != "(start: system prompt, tools, files)"
        page.get_by_label("tokens × answers").check()  # noqa: RUF001  as it stands there
        assert first.inner_text() == "(start: system prompt, tools, files)"


def test_a_path_with_markup_runs_nothing_and_is_shown_literally(browser: Browser, stored: Stored) -> None:
    bad = stored.conversation(BAD, project=BAD)
    bad.call(bad.tool(900, BAD, f"/work{BAD}"), model=stored.name(BAD))

    with opened(browser, write_report(stored)) as page:
        page.locator("#contents tbody button").click()
        page.locator("#contents tbody button").click()
        assert page.locator("#contents tbody th").inner_text() == BAD.rpartition("/")[2]
        assert page.locator("img").count() == 0
        assert BAD in page.locator("#session-summary").inner_text()


def test_the_policy_refuses_network_access_and_foreign_scripts(browser: Browser, report: str) -> None:
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


def test_an_empty_report_says_so_in_every_section(browser: Browser, stored: Stored) -> None:
    with opened(browser, write_report(stored)) as page:
        assert page.locator(".none").count() == 9
        assert page.locator("canvas").count() == 0


def test_every_tile_is_within_the_treemap(browser: Browser, stored: Stored) -> None:
    own = stored.conversation("one")
    large = own.tool(100_000, "Read", "/home/dev/large.py")
    own.call(large, *(own.tool(50 + number, f"tool-{number}", f"/home/dev/{number}.py") for number in range(30)))
    outside = """() => { const map = document.querySelector('.treemap').getBoundingClientRect();
        return [...document.querySelectorAll('.tile')].map(tile => tile.getBoundingClientRect())
            .filter(tile => tile.right > map.right + 1 || tile.bottom > map.bottom + 1).length }"""

    with opened(browser, write_report(stored)) as page:
        assert page.locator(".tile").count() > 25
        assert page.evaluate(outside) == 0


def test_the_bill_is_drawn_and_described(browser: Browser, report: str) -> None:
    with opened(browser, report) as page:
        page.locator("#bill .chart").focus()
        page.keyboard.press("Home")
        readout = page.locator("#bill [role=status]").inner_text()
        unfold(page, "#bill details")
        shares = page.locator("#bill tbody td:nth-child(3)").all_inner_texts()
        levers = page.locator("#bill .levers b").all_inner_texts()

    assert re.fullmatch(r"0 to 20k tokens: [\d.]+% of the bill, [\d,]+ calls.*", readout)
    assert sum(float(share.removesuffix("%")) for share in shares) == pytest.approx(100, abs=3)
    assert levers == sorted(levers, key=lambda share: -float(share.removesuffix("%")))
