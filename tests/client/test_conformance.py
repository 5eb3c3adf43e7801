"""The results in docs/bridge.md for other status lines are those of the versions that it names."""

import json
import os
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import scratch
from tests.client.clients import CCUSAGE, GSD, HOW_TO, LINE, ccusage, gsd, line
from tests.commands import person as persons
from tests.effort import share
from tests.scratch import REPOSITORY

pytestmark = pytest.mark.client

PAGE = (REPOSITORY / "docs" / "bridge.md").read_text(encoding="utf-8")
PATTERN = r"[█░] (\d+)%"
CONFIGURATION = {"version": 3, "lines": [[{"id": "1", "type": "context-percentage"}], [], []], "colorLevel": 2}
"""ccstatusline's, with the widget that shows a percentage."""


class Peer(NamedTuple):
    """A row of the page's table."""

    package: str
    program: Path
    words: tuple[str, ...]
    flags: tuple[str, ...]
    row: str


PEERS = [
    Peer(GSD, gsd("gsd-statusline"), (), (), "| GSD (get-shit-done-cc 1.42.3) | its bridge |"),
    Peer(GSD, gsd("gsd-statusline"), (), ("--printed",), "| GSD (get-shit-done-cc 1.42.3) | what it prints |"),
    Peer(
        LINE,
        line(),
        ("--config", "CONFIGURATION"),
        (),
        "| ccstatusline 2.2.30, widget `context-percentage` alone | what it prints |",
    ),
    Peer(
        CCUSAGE,
        ccusage(),
        ("statusline", "--offline", "--no-cache"),
        (),
        "| ccusage 20.0.24, `statusline --offline --no-cache` | what it prints |",
    ),
]


@pytest.mark.parametrize("peer", PEERS[share(2)], ids=lambda peer: f"{peer.package}{''.join(peer.flags)}")
def test_the_page_states_the_measured_results(peer: Peer, tmp_path: Path) -> None:
    if not peer.program.is_file() or shutil.which("node") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{peer.package}: {HOW_TO}, and Node")
    person = persons.make(tmp_path)
    configuration = tmp_path / "ccstatusline.json"
    configuration.write_text(json.dumps(CONFIGURATION))
    words = [word.replace("CONFIGURATION", str(configuration)) for word in peer.words]
    start = ["node"] if peer.program.suffix == ".js" else []
    command = shlex.join([*start, str(peer.program), *words])

    result = person.tidegauge("conformance", command, "--json", "--timeout", "30", *peer.flags, timeout=600)

    assert stated(result.stdout, peer.row) in PAGE
    assert peer.package.rpartition("@")[2] in peer.row


@pytest.mark.parametrize(
    ("flags", "row"),
    [
        ((), "| Tidegauge 0.1.0 | its bridge |"),
        (("--printed", "--pattern", PATTERN), rf"| Tidegauge 0.1.0, `--pattern '{PATTERN}'` | what it prints |"),
    ],
)
def test_the_page_states_our_own_results(tmp_path: Path, flags: tuple[str, ...], row: str) -> None:
    person = persons.make(tmp_path)
    command = shlex.join(scratch.command(person.root, "statusline"))

    result = person.tidegauge("conformance", command, "--json", "--timeout", "30", *flags, timeout=600)

    assert stated(result.stdout, row) in PAGE


def stated(output: str, row: str) -> str:
    """The beginning of a result's row on the page."""
    cases = json.loads(output)["cases"]
    redraws = [redraw for case in cases for redraw in case["redraws"]]
    right = sum(not any(redraw["fault"] for redraw in case["redraws"]) for case in cases)
    return f"{row} {right} | {sum(not redraw['fault'] for redraw in redraws)} |"
