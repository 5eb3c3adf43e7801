"""The screen of `tidegauge watch`, driven by textual's own pilot."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from textual.pilot import Pilot

from commands.watch.screen import WatchApp
from tests.commands.watch.test_drawing import watched

Steps = Callable[[Pilot[None], WatchApp], Awaitable[None]]


def drive(app: WatchApp, steps: Steps, size: tuple[int, int] = (80, 24)) -> None:
    async def whole() -> None:
        async with app.run_test(size=size) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            await steps(pilot, app)

    asyncio.run(whole())


def screen(app: WatchApp) -> str:
    """The screen's text, line by line."""
    return "\n".join("".join(segment.text for segment in strip) for strip in app.screen._compositor.render_strips())  # noqa: SLF001  textual has no public name for it


async def shows(pilot: Pilot[None], app: WatchApp, text: str) -> bool:
    """Whether the screen shows a text within 20 s, far more than the next look takes on a busy machine."""
    for _ in range(400):
        if text in screen(app):
            return True
        await pilot.pause(0.05)
    return False


@pytest.mark.parametrize("size", [(80, 24), (40, 10), (200, 60), (10, 3)])
def test_it_fits_every_screen(size: tuple[int, int]) -> None:
    async def steps(_: Pilot[None], app: WatchApp) -> None:
        lines = screen(app).split("\n")
        assert (len(lines), {len(line) for line in lines}) == (size[1], {size[0]})
        if size[0] >= 40:
            assert "tidegauge watch: 1 session" in lines[0]
            assert "75% used: CRITICAL" in lines[1]

    drive(WatchApp(lambda: [watched()]), steps, size)


def test_it_is_drawn_again_when_the_size_changes() -> None:
    async def steps(pilot: Pilot[None], app: WatchApp) -> None:
        assert "claude-opus-4-6" in screen(app)
        await pilot.resize_terminal(38, 12)
        await pilot.pause()
        assert "shop  75% used: CRITICAL             \n claude-opus-4-6" in screen(app)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert "claude-opus-4-6" in screen(app)

    drive(WatchApp(lambda: [watched()]), steps)


def test_it_refreshes_and_shows_new_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commands.watch.screen._SECONDS", 0.02)
    sessions = [watched()]

    async def steps(pilot: Pilot[None], app: WatchApp) -> None:
        sessions[0] = watched(40_000)
        assert await shows(pilot, app, "20% used: NORMAL")
        sessions.clear()
        assert await shows(pilot, app, "No session is running.")

    drive(WatchApp(lambda: list(sessions)), steps)


def test_more_sessions_than_fit_are_scrolled_through() -> None:
    sessions = [watched(directory=f"/home/me/project-{number}") for number in range(9)]

    async def steps(pilot: Pilot[None], app: WatchApp) -> None:
        assert "project-8" not in screen(app)
        await pilot.press("end")
        await pilot.wait_for_scheduled_animations()
        assert "project-8" in screen(app)
        await pilot.press("home")
        await pilot.wait_for_scheduled_animations()
        assert "project-0" in screen(app)
        await pilot.press("j", "j", "down", "k")
        await pilot.pause()
        assert "project-0" not in screen(app)

    drive(WatchApp(lambda: sessions), steps)


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
def test_a_key_quits(key: str) -> None:
    async def steps(pilot: Pilot[None], app: WatchApp) -> None:
        await pilot.press(key)
        await pilot.pause()
        assert app.return_code == 0
        assert not app.is_running

    drive(WatchApp(lambda: [watched()]), steps)


def test_markup_in_a_name_is_shown_as_text() -> None:
    async def steps(_: Pilot[None], app: WatchApp) -> None:
        assert "[red]x[/red]" in screen(app)

    drive(WatchApp(lambda: [watched(model="[red]x[/red]")]), steps)
