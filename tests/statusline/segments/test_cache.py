from pathlib import Path

from shared.config import Config
from statusline.payload import Payload, PromptCache
from statusline.segments.cache import render
from statusline.status import Status
from tests.statusline.scene import captured, status_of, text


def test_the_sessions_ratio_is_shown() -> None:
    assert text(render(status_of(captured("warning"), Path("/nowhere")), Config())) == "cache 97%"


def test_a_cold_cache_is_named() -> None:
    assert text(render(Status(Payload(prompt_cache=PromptCache(warm=False, hit_ratio=0.5))), Config())) == (
        "cache 50% cold"
    )


def test_for_older_clients_the_newest_answer_tells() -> None:
    assert text(render(status_of(captured("without-prompt-cache"), Path("/nowhere")), Config())) == "cache 99%"


def test_without_a_ratio_nothing_is_said() -> None:
    assert render(Status(Payload()), Config()) is None
    assert render(Status(Payload(prompt_cache=PromptCache(warm=True))), Config()) is None
    assert render(status_of(b"{}", Path("/nowhere")), Config()) is None
