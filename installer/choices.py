"""What the person has chosen of an installation: remembered, so that a rerun repeats it."""

import json
from typing import Any, NamedTuple

from installer import files, hooks, other_monitors, record, settings, status_line
from installer.document import Malformed
from installer.install_error import InstallError
from installer.layout import Layout

PROFILES = ("core", "full")


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
        """Those of pyproject.toml that are wanted."""
        return tuple(extra for extra in ("watch", "otlp") if getattr(self, extra))

    def describe(self) -> str:
        """One line that names them, the flag that changes each beside what isn't the default."""
        said = [f"profile {self.profile}"]
        said += ["no status line (--statusline)"] if not self.status_line else []
        said += ["no hooks (--hooks)"] if not self.hooks else []
        said += ["no /token-status (--companions)"] if not self.companions else []
        said += ["totalTokensReminder countdown (--no-countdown)"] if self.countdown else []
        said += ["other monitors off (--other-monitors keep)"] if self.other_monitors == "off" else []
        said += ["tidegauge watch (--no-watch)"] if self.watch else []
        said += ["sending to a collector (--no-otlp)"] if self.otlp else []
        return ", ".join(said)


def load(layout: Layout) -> Choices:
    """What was chosen last time; 0.1.0 didn't write it down: what its entries still show."""
    if files.read(layout.choices) is None:
        return _seen(layout) if files.read(layout.record) is not None else Choices()
    found = files.load(layout.choices)
    return _checked(found if isinstance(found, dict) else {})


def save(layout: Layout, chosen: Choices) -> None:
    files.write(layout.choices, json.dumps(chosen._asdict(), indent=2).encode() + b"\n")


def _checked(found: dict[str, Any]) -> Choices:
    switches = ("status_line", "hooks", "companions", "countdown", "watch", "otlp")
    usable = {name: found[name] for name in switches if isinstance(found.get(name), bool)}
    usable |= {"profile": found["profile"]} if found.get("profile") in PROFILES else {}
    others = found.get("other_monitors")
    usable |= {"other_monitors": others} if others in other_monitors.CHOICES else {}
    return Choices()._replace(**usable)


def _seen(layout: Layout) -> Choices:
    # Before there were profiles, everything was on, and it stays so.
    chosen = Choices(profile="full", companions=_has_companions(layout))
    if layout.personal_settings not in record.load(layout):
        return chosen
    own = layout._replace(settings=layout.personal_settings, project=False)
    try:
        text = settings.text_of(own.settings, settings.read(own.settings))
        if not text.strip():
            return chosen
        line, ours = status_line.command(text, own), hooks.find(text, own)
    except (InstallError, Malformed):
        return chosen  # whoever changes the file will say so
    # Of an installation that somebody took out by hand there is nothing to see.
    return chosen._replace(status_line=line is not None, hooks=bool(ours)) if line or ours else chosen


def _has_companions(layout: Layout) -> bool:
    found = files.load(layout.companions)
    return found is None or (isinstance(found, dict) and any(name.endswith(".md") for name in found))
