"""A process in which atheris searches for an input that a decoder can't handle; coverage_guided.py starts it.

Importing this module imports ours with every branch instrumented.
"""

import contextlib
import importlib
import io
import json
import os
import pkgutil
import random
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import atheris
import pytest

from tests.torture.confinement import confined
from tests.torture.hostile import ODD, mutated

_COUNTED = ("shared", "statusline", "monitor", "history", "installer", "commands", "tomllib", "yaml")
"""Packages: ours, and those of Python that read a text for us."""
_NEVER = ("__main__.", "commands.", "history.telemetry.", "yaml._yaml.")
"""Modules that no decoder needs."""


def _late_modules() -> Iterator[str]:
    """All our modules: some would otherwise be imported only when needed, too late to instrument."""
    for package in _COUNTED:
        yield package
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            if not any(part in f"{module.name}." for part in _NEVER):
                yield module.name


# atheris names each module on stderr.
with contextlib.redirect_stderr(io.StringIO()), atheris.instrument_imports(include=_COUNTED):
    from tests.torture.decoders.decoder import Decoder, settle

    for name in _late_modules():
        importlib.import_module(name)


def fuzz(prepare: Callable[[Path], Decoder], folder: Path, options: Sequence[str]) -> NoReturn:
    """Fuzz the decoder that `prepare` makes, by libFuzzer's `options`, in a home in `folder`.

    `corpus` keeps the inputs that reach something new.

    The process ends, with another code than 0 at the first failure; its output is in the file `output`.
    """
    log = os.open(folder / "output", os.O_WRONLY | os.O_CREAT)
    for descriptor in (1, 2):
        os.dup2(log, descriptor)
    home, corpus = folder / "home", folder / "corpus"
    home.mkdir()
    corpus.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as monkeypatch:
        settle(home, monkeypatch)
        decoder = prepare(home)
        for number, document in enumerate(decoder.documents):
            (corpus / f"document-{number}").write_bytes(document)

        def decode(data: bytes) -> None:
            try:
                decoder.decode(data)
            except Exception:  # noqa: BLE001  whatever it is, it is a defect
                os.write(2, traceback.format_exc().encode("utf-8", "replace"))
                (folder / "input").write_bytes(data)
                os._exit(1)

        with confined(str(folder), may_start=False):
            atheris.Setup([sys.argv[0], *options, str(corpus)], decode, custom_mutator=_mutated)
            atheris.Fuzz()
    raise AssertionError("libFuzzer ends the process")


def _mutated(data: bytes, most: int, seed: int) -> bytes:
    """Mutate half of the JSON inputs as JSON, with another value in them; all others as libFuzzer does."""
    chance = random.Random(seed)  # noqa: S311  repeatable
    if chance.random() < 0.5:
        with contextlib.suppress(ValueError, RecursionError):
            data_of_change = json.dumps(mutated(json.loads(data), chance.choice, lambda: chance.choice(ODD))).encode()
            if len(data_of_change) <= most:
                return data_of_change
    return bytes(atheris.Mutate(data, most))
