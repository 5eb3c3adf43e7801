"""Decoders of the client's output: payloads of hooks and the status line, and transcripts."""

import contextlib
import gzip
import importlib
import json
import os
import shutil
from pathlib import Path

import msgspec

from history import sync
from history.questions import QUESTIONS
from history.store import store
from monitor import dispatch
from monitor.activity import line as activity_line
from monitor.activity.activity import Activity, LinePosition
from monitor.exporting.copy import copy
from shared.files.directory import opened
from shared.project_files import ARCHIVE
from shared.settings import settings
from shared.transcript.line import line_in
from shared.transcript.tail import read_tail
from statusline import line as status_line
from tests import scratch
from tests.monitor.scene import WARNING
from tests.torture.decoders.decoder import Decoder, check_log
from tests.torture.hostile import PAYLOADS
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, Transcript, captured

SESSION = "5e55104e-0000-4000-8000-000000000001"
_LINES = [line for version in (OLD_CLIENT, NEW_CLIENT) for line in captured(version).read_bytes().splitlines()]
_FIRST, _LAST = _LINES[0] + b"\n", b"\n" + _LINES[-1] + b"\n"


def status_line_payload(home: Path) -> Decoder:
    """A status line is drawn, and no part of it fails."""
    root = scratch.install(home)

    def decode(stdin: bytes) -> None:
        shutil.rmtree(root / "run", ignore_errors=True)
        assert status_line.main(stdin, str(root))
        check_log(root)

    return Decoder([path.read_bytes() for path in sorted(PAYLOADS.glob("statusline/*.json"))], decode)


def hook_event(home: Path) -> Decoder:
    """The boundary logs an invalid event; no part of a hook may fail because of a field."""
    root, project = scratch.install(home), home / "shop"
    project.mkdir()
    (project / "ORCHESTRATION.yaml").write_text("resumption: {step: 3}\n")
    transcript = Transcript(home / "projects" / f"{SESSION}.jsonl")
    transcript.answer(WARNING)
    here = {"session_id": SESSION, "transcript_path": str(transcript.path), "cwd": str(project)}

    def decode(stdin: bytes) -> None:
        for written in (root / "run", project / ".claude"):
            shutil.rmtree(written, ignore_errors=True)
        with contextlib.suppress(msgspec.MsgspecError):
            dispatch.main(stdin, str(root))
        check_log(root)

    events = [json.loads(path.read_bytes()) for path in sorted(PAYLOADS.glob("hooks/*.json"))]
    return Decoder([json.dumps(event | here).encode() for event in events], decode)


def transcript_line(home: Path) -> Decoder:
    """A line is read or skipped anywhere in a transcript."""
    path = home / "transcript.jsonl"

    def decode(data: bytes) -> None:
        line_in(data)
        activity_line.add(Activity(), LinePosition(0, 1), data)
        for before, after in ((_FIRST, _LAST), (b"", b"\n"), (_FIRST, b"")):
            path.write_bytes(before + data + after)
            read_tail(str(path), "toolu_1")

    return Decoder(_LINES, decode)


def line_for_the_history(home: Path) -> Decoder:
    """A line's numbers can be stored, and every question still has an answer."""
    root = scratch.install(home)
    with store.for_writing(str(root)):
        pass
    path = home / ".claude" / "projects" / "-shop" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    config = settings.defaults(str(root))

    def decode(data: bytes) -> None:
        path.write_bytes(_FIRST + data + _LAST)
        assert sync.everything(str(root), str(home / ".claude"), config).unreadable == []
        with store.for_reading(str(root)) as opened:
            for question in QUESTIONS.values():
                module = importlib.import_module(question)
                msgspec.json.encode(module.presentation(module.figures(opened, 0)).document)

    return Decoder(_LINES, decode)


def transcript_copy(home: Path) -> Decoder:
    """A whole line that was JSON still is JSON, and none is missing."""
    path, directory = home / "transcript.jsonl", home / "export"

    def decode(data: bytes) -> None:
        directory.mkdir()
        path.write_bytes(data + b"\n")
        try:
            with opened(os.path.realpath(directory)) as result:
                copy(str(path), result)
            copied = gzip.decompress((directory / ARCHIVE).read_bytes())
        finally:
            shutil.rmtree(directory)
        before, after = data.split(b"\n"), copied.removesuffix(b"\n").split(b"\n")
        assert len(before) == len(after)
        assert [_is_json(line) for line in before] == [_is_json(line) for line in after]

    return Decoder([b"\n".join(_LINES[at : at + 3]) for at in range(0, len(_LINES), 3)], decode)


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True
