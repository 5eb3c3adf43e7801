"""`tidegauge demo`."""

import argparse

SUMMARY = "play a session that fills up"


def arguments(parser: argparse.ArgumentParser) -> None: ...
def run(options: argparse.Namespace, root: str) -> int:
    return 0
