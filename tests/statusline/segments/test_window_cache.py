from pathlib import Path

from statusline.measuring.status import Status
from statusline.payload import Payload, PromptCache
from statusline.segments import window
from tests.statusline.scene import captured, status_of, text


def test_the_sessions_ratio_is_shown() -> None:
    assert text(window.cache(status_of(captured("warning"), Path("/nowhere")))) == "cache 97%"


def test_a_cold_cache_is_named() -> None:
    assert text(window.cache(Status(Payload(prompt_cache=PromptCache(warm=False, hit_ratio=0.5))))) == (
        "cache 50% cold"
    )


def test_for_older_clients_the_ratio_comes_from_the_newest_answer() -> None:
    assert text(window.cache(status_of(captured("without-prompt-cache"), Path("/nowhere")))) == "cache 99%"


def test_without_a_ratio_nothing_is_said() -> None:
    assert window.cache(Status(Payload())) is None
    assert window.cache(Status(Payload(prompt_cache=PromptCache(warm=True)))) is None
    assert window.cache(status_of(b"{}", Path("/nowhere"))) is None
