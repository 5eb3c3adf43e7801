"""The screen of `tidegauge watch`, by textual, which is an extra (`watch`) and imported by nothing else."""

import time
from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Static

from monitor.commands.watching.drawing import draw
from monitor.commands.watching.watcher import WatchedSession

_SECONDS = 1.0
_NOTHING = "No session runs. One appears here as soon as you start it."


class WatchApp(App[None]):
    """Draws what `look` finds, once a second and whenever the size changes."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "#sessions { padding: 0 1; } #title { height: 1; padding: 0 1; text-style: reverse; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c", "quit", "Quit", show=False, priority=True),
        Binding("down,j", "scroll(1)", "Down", show=False),
        Binding("up,k", "scroll(-1)", "Up", show=False),
    ]

    def __init__(self, look: Callable[[], list[WatchedSession]]) -> None:
        super().__init__(ansi_color=True)
        self._look = look
        self._sessions: list[WatchedSession] | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with VerticalScroll(id="sessions"):
            yield Static(id="lines")
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#sessions").focus()
        self.look_again()

    def on_resize(self) -> None:
        self.call_after_refresh(self.draw)  # only then has the screen its new width

    @work(thread=True)
    def look_again(self) -> None:
        """Looks in a thread of its own: git may be slow, and a key must not wait for it."""
        found = self._look()
        if self.is_running:
            self.call_from_thread(self.show, found)

    def show(self, sessions: list[WatchedSession]) -> None:
        self._sessions = sessions
        self.draw()
        self.set_timer(_SECONDS, self.look_again)  # only now: two looks at a time would be one too many

    def draw(self) -> None:
        """Everything anew, for the width that there is."""
        if self._sessions is None:
            return
        now, sessions = time.time(), self._sessions
        count = f"{len(sessions)} session{'' if len(sessions) == 1 else 's'}"
        self.query_one("#title", Static).update(f"tidegauge watch: {count}, {time.strftime('%H:%M:%S')}")
        width = max(10, self.query_one("#sessions").scrollable_content_region.width)
        text = Text(no_wrap=True)
        for session in sessions:
            text.append_text(Text("\n").join([*draw(session, width, now), Text("\n")]))
        self.query_one("#lines", Static).update(text if sessions else Text(_NOTHING))

    def action_scroll(self, lines: int) -> None:
        self.query_one("#sessions").scroll_relative(y=lines, animate=False)
