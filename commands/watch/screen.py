"""The screen of `tidegauge watch`, made with textual: an extra (`watch`) that nothing else imports."""

import time
from collections.abc import Callable
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from commands.watch.drawing import draw
from commands.watch.watcher import WatchedSession
from shared.text.quantities import counted

_SECONDS = 1.0


class _FittedText:
    """A text that is built anew for each width that it is drawn in."""

    def __init__(self, text_of: Callable[[int], Text]) -> None:
        self._text_of = text_of

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self._text_of(max(1, options.max_width))


class WatchApp(App[None]):
    """The screen that shows what `look` finds, once a second."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
        #title { height: 1; padding: 0 1; text-style: reverse; }
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
        yield Static(id="title")
        with VerticalScroll(id="sessions"):
            yield Static(id="lines")
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
        title = f"tidegauge watch: {count}, {time.strftime('%H:%M:%S')}"
        self.query_one("#title", Static).update(_FittedText(lambda _: Text(title, no_wrap=True, overflow="ellipsis")))
        self.query_one("#lines", Static).update(_FittedText(lambda width: _lines(sessions, width)))
        self.set_timer(_SECONDS, self.look_again)  # only now, so that looks never overlap

    def action_scroll(self, lines: int) -> None:
        self.query_one("#sessions").scroll_relative(y=lines, animate=False)


def _lines(sessions: list[WatchedSession], width: int) -> Text:
    now, text = time.time(), Text()
    for session in sessions:
        text.append_text(Text("\n").join([*draw(session, width, now), Text("\n")]))
    return text if sessions else Text("No session is running. One appears here as soon as you start it.")
