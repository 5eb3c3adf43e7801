"""An installation: work out the change, ask, place the program, and edit settings.json last."""

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from installer import choices, configuration, files, interruption
from installer.checking import check
from installer.checking.check import Answers
from installer.choices import Choices
from installer.install_error import InstallError
from installer.layout import Layout
from installer.program import client_files, environment, launchers, link, lock, program
from installer.program.undo import Undo
from installer.settings import change, record, settings, status_line
from installer.settings.change import Change, OurSettings
from installer.settings.offers import other_monitors, reminder
from installer.settings.record import Entry
from shared.files.files import missing_directories
from shared.registrations import enabled


class Installation:
    """One run: what is wanted, and what the settings file would become."""

    def __init__(self, layout: Layout, chosen: Choices, environ: Mapping[str, str], wrapping: str | None) -> None:
        """`wrapping` is where the person now wants our line; None leaves it."""
        self.layout = layout
        self.keeps_program = False  # set if only choices change
        settings.refuse_hard_link(layout.settings)
        self.choices = chosen
        self.chosen_wrapping = wrapping
        self.client_files = client_files.plan(layout, wanted=chosen.companions)
        self.link = link.plan(layout, environ)
        self.entries = record.load(layout)
        self._makes_directories = len(missing_directories(os.path.dirname(layout.settings)))
        self.planned = self._plan(settings.read(layout.settings))

    @property
    def present(self) -> str:
        """The text of the settings file as it is now."""
        return settings.text_of(self.layout.settings, self.planned.before)

    @property
    def wrapped(self) -> str | None:
        """The command of the person's own status line, for ours to run."""
        entry = self.planned.entry
        return status_line.command_of(entry.previous.status_line) if entry is not None else None

    def asks_for_wrapping(self) -> bool:
        """Whether a status line of the person's will be wrapped, and nobody has chosen how."""
        recorded = self.entries.get(self.layout.settings)
        is_new = recorded is None or recorded.previous.status_line is None
        return self.wrapped is not None and is_new and self.chosen_wrapping is None

    @property
    def wrapping(self) -> str:
        return self.chosen_wrapping or configuration.wrapping(self.layout)

    def asks_for_countdown(self) -> bool:
        """Whether the client's totalTokensReminder can be set, and nobody has chosen."""
        is_open = self.choices.countdown is None and not self.layout.project
        return is_open and self.choices.hooks and reminder.is_offered(self.present)

    def other_monitors(self) -> list[str]:
        """The names of other programs' hooks that watch the context window and are on now."""
        return other_monitors.names(self.present, self.layout) if self.choices.hooks else []

    def choose(self, chosen: Choices) -> None:
        self.choices = chosen
        self.planned = self._plan(settings.read(self.layout.settings))

    def files(self) -> list[str]:
        paths = [self.layout.environment, *launchers.names(self.layout), self.layout.record, self.layout.choices]
        if self.wrapped is not None:
            paths.append(self.layout.wrapped)
        paths += [path for path, _ in self.client_files.written]
        return [*paths, self.link] if self.link else paths

    def carry_out(self, source: str, say: Callable[[str], None]) -> Answers:
        """Install, and return what our commands answer.

        Raises InstallError after restoring everything, except for what its message says could not be put back.
        """
        undo = Undo()
        try:
            with undo:
                if self.keeps_program:
                    undo.enter_context(lock.locked(os.path.dirname(self.layout.root)))
                else:
                    program.place(self.layout, source, undo, say, extras=self.choices.extras)
                self._write_choices(undo)
                before = self.planned.after
                self.choose(self.choices)  # only the environment knows for certain where the configuration is
                if self.planned.after != before:
                    changes = self.planned.diff(self.layout.settings)
                    say(f"Something has changed in the meantime; this will be written:\n{changes}")
                say("Trying the status line and the hook that warns ...")
                changed, answers = self._register(undo)
                client_files.place(self.layout, self.client_files, undo)
                link.place(self.layout, self.link, undo)
                interruption.ignore()
                self._save(self.planned.entry)
                success = undo.pop_all()
        except KeyboardInterrupt:
            raise InstallError(f"interrupted; {undo.outcome}") from None
        except InstallError as refusal:
            raise InstallError(f"{refusal}; {undo.outcome}") if undo.failure else refusal from None
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""  # shutil.Error has neither
            raise InstallError(f"{where}{error.strerror or error}; {undo.outcome}") from None
        program.clean(self.layout)
        del success  # releases the lock
        if changed:
            say(f"Wrote {self.layout.settings}.")
            for backup in settings.backups(self.layout.settings)[-1:]:
                say(f"Its previous contents: {backup}")
        return answers

    def _plan(self, before: bytes | None) -> Change:
        """The change that brings the settings file in line with the present configuration."""
        chosen = self.choices
        switches = configuration.switches(self.layout, profile=chosen.profile)
        keeps_others = chosen.other_monitors != "off" or not chosen.hooks
        registrations = enabled(switches) if chosen.hooks else ()
        ours = OurSettings(chosen.status_line, registrations, bool(chosen.countdown), keeps_others)
        return change.registered(before, self.layout, ours, self.entries, new_directories=self._makes_directories)

    def _write_choices(self, undo: ExitStack) -> None:
        if self.chosen_wrapping is not None:
            program.keep_with_directories(configuration.path(self.layout), undo)
            command = [self.layout.python, "-I", "-m", "commands", "config", "set", "statusline.wrapped"]
            environment.run([*command, self.wrapping])
        program.keep(self.layout.choices, undo)
        # A project's choices aren't remembered: the earlier ones are saved again.
        choices.save(self.layout, choices.load(self.layout) if self.layout.project else self.choices)

    def _register(self, undo: ExitStack) -> tuple[bool, Answers]:
        """Edit settings.json; return whether it changed, and what its commands answer."""
        path = self.layout.settings
        for own in (self.layout.record, self.layout.wrapped):
            program.keep(own, undo)
        self._save_interim()
        # First try the very commands that will be written: no session may meet one that does not run.
        self._try(self.planned.after)
        before, after = settings.replace(path, lambda before: self._edit(before, undo))
        return before != after, self._try(settings.read(path))

    def _edit(self, before: bytes | None, undo: ExitStack) -> bytes | None:
        self.planned = self._plan(before)
        self._save_interim()
        after = self.planned.after
        if before != after:
            path = self.layout.settings
            undo.callback(settings.remove_backups, path, [files.digest(before)])
            undo.callback(files.replace_if, os.path.realpath(path), after, before)
        return after

    def _save_interim(self) -> None:
        if self.planned.entry is not None:
            old, line = self.entries.get(self.layout.settings), record.previous_of(self.layout, self.entries)
            self._save(record.interim(self.planned.entry, old, line.status_line))

    def _save(self, entry: Entry | None) -> None:
        if entry is not None:
            record.save(self.layout, self.entries | {self.layout.settings: entry})

    def _try(self, contents: bytes | None) -> Answers:
        text = settings.text_of(self.layout.settings, contents)
        return check.run(check.commands(text, self.layout), self.layout)
