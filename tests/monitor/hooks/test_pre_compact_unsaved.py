"""PreCompact where no checkpoint can be written: the summariser still gets its brief."""

import json

from tests import scratch
from tests.monitor.workshop import Workshop


def test_the_brief_needs_no_checkpoint(workshop: Workshop) -> None:
    (workshop.project / ".claude").write_text("a file in the way")
    workshop.transcript.prompt("Fix the flaky login test")
    workshop.edit("src/login.py", 2)

    lines = workshop.compact().splitlines()

    assert lines[0] == "Keep in the summary, with reasons and next steps:"
    assert "Fix the flaky login test" in lines[1]
    assert lines[2:] == ["Edited most: src/login.py (2x)"]
    assert len(scratch.log(workshop.root)) == 1


def test_a_short_brief_names_no_checkpoint_that_there_is_not(workshop: Workshop) -> None:
    (workshop.project / ".claude").write_text("a file in the way")
    for number in range(6):
        workshop.edit(f"packages/{'a-package-with-a-long-name/' * 4}{number}.py")
        workshop.bash(f"npm run test -- --filter='component {number}' --reporter=verbose --bail=1 && echo done", code=1)

    assert workshop.compact().endswith("\n(shortened)")


def test_a_failure_with_nothing_to_keep_is_silence(workshop: Workshop) -> None:
    (workshop.project / ".claude").write_text("a file in the way")
    result = scratch.run(workshop.root, json.dumps(workshop.payload("PreCompact", trigger="auto")).encode())
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
    assert len(scratch.log(workshop.root)) == 1
