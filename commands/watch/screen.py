"""The screen of `tidegauge watch`, made with textual: an extra (`watch`) that nothing else imports."""

import time
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from commands.watch.drawing import draw, fitting
from commands.watch.watcher import WatchedSession
from shared.text.quantities import counted

_SECONDS = 1.0
_NOTHING = "No session is running. One appears here as soon as you start it."


class WatchTitle(Static):
    """How many sessions there are, and when they were looked at; as much of it as fits."""

    _counted: tuple[str, str] = ("", "")

    def show(self, count: str, time_text: str) -> None:
        self._counted = (count, time_text)
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        count, time_text = self._counted
        if count:
            forms = [f"tidegauge watch: {count}, {time_text}", f"{count}, {time_text}", count]
            self.update(Text(fitting(forms, self.size.width), no_wrap=True))


class SessionLines(Static):
    """All sessions, drawn for the available width."""

    _sessions: list[WatchedSession] | None = None

    def show(self, sessions: list[WatchedSession]) -> None:
        self._sessions = sessions
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        if self._sessions is None:
            return
        now, width = time.time(), max(1, self.size.width)
        text = Text(no_wrap=True)
        for session in self._sessions:
            text.append_text(Text("\n").join([*draw(session, width, now), Text("\n")]))
        self.update(text if self._sessions else Text(_NOTHING))


class WatchApp(App[None]):
    """The screen that shows what `look` finds, once a second."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
        WatchTitle { height: 1; padding: 0 1; text-style: reverse; }
        #sessions { padding: 0 1; scrollbar-gutter: stable; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("down,j", "scroll(1)", "Down", show=False),
        Binding("up,k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, look: Callable[[], list[WatchedSession]]) -> None:
        super().__init__(ansi_color=True)  # the terminal's own colours
        self._look = look

    def compose(self) -> ComposeResult:
        yield WatchTitle()
        with VerticalScroll(id="sessions"):
            yield SessionLines()
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#sessions").focus()
        self.look_again()

    @work(thread=True)
    def look_again(self) -> None:
        """Look in a separate thread: git may be slow, and a key must not wait for it."""
        result = self._look()
        if self.is_running:
            self.call_from_thread(self.show, result)

    def show(self, sessions: list[WatchedSession]) -> None:
        waiting = sum(session.waiting is not None for session in sessions)
        count = counted(len(sessions), "session") + (f", {waiting} waiting for you" if waiting else "")
        self.query_one(WatchTitle).show(count, time.strftime("%H:%M:%S"))
        self.query_one(SessionLines).show(sessions)
        self.set_timer(_SECONDS, self.look_again)  # only now, so that no two looks run at a time

    def action_scroll(self, lines: int) -> None:
        self.query_one("#sessions").scroll_relative(y=lines, animate=False)
