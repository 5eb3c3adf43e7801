"""The page's bytes: one file, nothing loaded from elsewhere, and no name that can break its markup."""

import base64
import hashlib
import html.parser
import json
import re
from typing import Any

from history.page import document
from history.page.figures import collect
from shared.settings.config import Config
from tests.history.questions.stored import START, Stored

BAD = "</script><img src=x onerror=alert(1)><!--<script>"


class Parsed(html.parser.HTMLParser):
    """The page's elements, with the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in {"script", "style"}:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.cdata_elem:  # within a script or a style
            self.texts[-1] += data

    @property
    def policy(self) -> str:
        return next(more["content"] or "" for tag, more in self.elements if "http-equiv" in more)


def page(stored: Stored) -> str:
    return document.page(collect(stored.asked(), 0, Config(), START)).decode()


def figures_in(parsed: Parsed) -> Any:
    return json.loads(parsed.texts[1])


def test_the_policy_allows_the_pages_own_styles_and_script_and_nothing_else(stored: Stored) -> None:
    parsed = Parsed(page(stored))
    style, _, script = parsed.texts

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert parsed.policy.split("; ") == [
        "default-src 'none'",
        f"script-src {digest(script)}",
        f"style-src {digest(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_nothing_is_fetched_from_anywhere(stored: Stored) -> None:
    parsed = Parsed(page(stored))

    for tag, more in parsed.elements:
        assert not more.keys() & {"src", "srcset", "action", "style"}, tag
        assert (more.get("href") or "#").startswith("#")
    assert not re.search(r"url\(|@import", parsed.texts[0])


def test_a_name_from_a_transcript_stays_text(stored: Stored) -> None:
    clean = len(Parsed(page(stored)).elements)
    bad = stored.conversation("one", project=BAD)
    bad.call(bad.tool(900, BAD, f"{BAD}/{BAD}"), model=stored.name(BAD))

    parsed = Parsed(page(stored))

    assert len(parsed.elements) == clean
    assert figures_in(parsed)["sessions"]["rows"][0]["project"] == BAD
    assert figures_in(parsed)["contents"]["tree"][0]["children"][0]["name"] == f"{BAD}/{BAD}".rpartition("/")[0]


def test_a_name_cannot_change_the_text_direction(stored: Stored) -> None:
    bad = stored.conversation("one", project="shop\u202egnp.\u2028exe")
    bad.call(bad.tool(900, "Read", "/a\u2066/b"), model=stored.name("odd"))
    assert not set("\u202e\u2028\u2066") & set(page(stored))


def test_our_scripts_never_turn_text_into_markup() -> None:
    for name in document.SCRIPTS:
        if name.startswith("scripts/"):
            text = document.read(name)
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|Function\(", text), (
                name
            )
            assert not re.search(r"fetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(", text), name
