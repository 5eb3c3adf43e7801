"""`python -m tests.client.remeasure [VERSION ...]`: measure the client again and print what has changed."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.client import clients, facts
from tests.client.client import Client
from tests.client.facts import Facts
from tests.client.remeasure import compaction, delay, exits, placement, session, windows
from tests.client.remeasure.comparison import differences
from tests.client.remeasure.fields import payload_fields, record_fields
from tests.client.remeasure.home import recorded_home


def recorded(client: Client) -> Facts:
    """The facts that one session shows about payloads and records."""
    with recorded_home(client) as home:
        played = session.record(home)
    return {
        "payload fields": payload_fields(played.captures),
        "record fields": record_fields(played.transcripts),
        "compaction order": session.compaction_order(played.captures),
    }


QUICK: dict[str, Callable[[Client], Facts]] = {
    "windows": lambda client: {"windows": windows.windows(client), "aliases": windows.aliases(client)},
    "payloads and records": recorded,
}
SLOW: dict[str, Callable[[Client], Facts]] = {
    "compaction": lambda client: {"compaction": compaction.points(client)},
    "context": lambda client: {"context": placement.placements(client)},
    "delay": lambda client: {"delay": delay.delays(client)},
    "exit codes": lambda client: {"exit codes": exits.effects(client)},
}


def measure(version: str, *, is_quick: bool) -> Facts:
    """All facts of one version, which is installed if necessary."""
    if not clients.binary(version).is_file():
        clients.install(version)
    client = Client(version, clients.binary(version), Path())
    measured: Facts = {}
    for name, measurement in (QUICK if is_quick else QUICK | SLOW).items():
        start = time.monotonic()
        measured |= measurement(client)
        sys.stdout.write(f"{version}: {name} measured in {time.monotonic() - start:.0f} s\n")
        sys.stdout.flush()
    return measured


def report(version: str, measured: Facts, facts_by_version: dict[str, Facts]) -> bool:
    """Print the differences from this version's facts, else from the newest one's; return whether there are any."""
    reference = version if version in facts_by_version else facts.newest(facts_by_version)
    lines = [
        line
        for name, values in measured.items()
        for line in differences(facts_by_version[reference].get(name, {}), values, name)
    ]
    sys.stdout.writelines(f"  {line}\n" for line in lines)
    sys.stdout.write(f"{version}: {len(lines)} differences from what is recorded for {reference}\n")
    return bool(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.client.remeasure", description=__doc__)
    parser.add_argument("versions", nargs="*", default=clients.VERSIONS, metavar="VERSION")
    parser.add_argument("--quick", action="store_true", help="only windows, payloads and records")
    parser.add_argument("--record", action="store_true", help="keep what was measured in facts.json")
    options = parser.parse_args()
    facts_by_version = facts.read()
    is_different = False
    for version in options.versions:
        measured = measure(version, is_quick=options.quick)
        if facts_by_version:
            is_different |= report(version, measured, facts_by_version)
        if options.record:
            facts_by_version[version] = facts_by_version.get(version, {}) | measured
            facts.write(facts_by_version)
    return int(is_different and not options.record)


if __name__ == "__main__":
    sys.exit(main())
