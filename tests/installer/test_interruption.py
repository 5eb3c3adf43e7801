import os
import signal
from collections.abc import Iterator

import pytest

from installer import interruption


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    for number in before:
        signal.signal(number, signal.SIG_DFL)  # a shell without job control has its children ignore SIGINT
    interruption.catch()
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_signal_interrupts_and_the_next_ones_do_not(number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)
    for again in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), again)


def test_uninterruptible_steps_ignore_signals() -> None:
    interruption.ignore()
    os.kill(os.getpid(), signal.SIGTERM)
