"""The person's choices for an installation, saved so that a rerun repeats them."""

import json
from typing import NamedTuple

from installer import files
from installer.layout import Layout
from installer.settings.offers import other_monitors
from shared.settings.profile import PROFILES


class Choices(NamedTuple):
    """What to install; the field names are those of the file."""

    status_line: bool = True
    hooks: bool = True
    companions: bool = True
    profile: str = "core"  # the defaults of `hooks.*`: the quiet ones, or every part
    countdown: bool | None = None  # the client's totalTokensReminder; None: not asked yet
    other_monitors: str | None = None  # other programs' hooks, keep or off; None: not asked yet
    watch: bool = False  # the package that `tidegauge watch` needs
    otlp: bool = False  # the packages with which `tidegauge history sync` sends figures to a collector

    @property
    def extras(self) -> tuple[str, ...]:
        return tuple(extra for extra in ("watch", "otlp") if getattr(self, extra))

    def describe(self) -> str:
        """Name the choices in one line, each that isn't the default with the flag that changes it."""
        parts = {
            f"profile {self.profile}": True,
            "no status line (--statusline)": not self.status_line,
            "no hooks (--hooks)": not self.hooks,
            "no /token-status (--companions)": not self.companions,
            "totalTokensReminder countdown (--no-countdown)": self.countdown,
            "other monitors off (--other-monitors keep)": self.other_monitors == "off",
            "tidegauge watch (--no-watch)": self.watch,
            "sending to a collector (--no-otlp)": self.otlp,
        }
        return ", ".join(part for part, is_so in parts.items() if is_so)


def load(layout: Layout) -> Choices:
    """The choices of the last installation; the default for each that is missing or can't be used."""
    saved = files.load(layout.choices)
    switches = ("status_line", "hooks", "companions", "countdown", "watch", "otlp")
    usable = {name: saved[name] for name in switches if isinstance(saved.get(name), bool)}
    usable |= {"profile": saved["profile"]} if saved.get("profile") in PROFILES else {}
    others = saved.get("other_monitors")
    usable |= {"other_monitors": others} if others in other_monitors.CHOICES else {}
    return Choices()._replace(**usable)


def save(layout: Layout, chosen: Choices) -> None:
    files.write(layout.choices, json.dumps(chosen._asdict(), indent=2).encode() + b"\n")
