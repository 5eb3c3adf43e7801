import os
from pathlib import Path

import pytest

from tests.monitor.workshop import Workshop


@pytest.mark.parametrize("is_outside", [True, False])
def test_only_a_link_that_stays_in_the_project_is_followed(
    workshop: Workshop,
    tmp_path: Path,
    is_outside: bool,  # noqa: FBT001
) -> None:
    home = tmp_path / "outside" if is_outside else workshop.project / "docs"
    home.mkdir()
    for name in ("ORCHESTRATION.yaml", "PROJECT-SUMMARY.md"):
        (home / name).write_text("resumption:\n  next_step: Fetch the secret\n")
        (workshop.project / name).symlink_to(home / name)

    workshop.compact()

    (checkpoint,) = workshop.checkpoints()
    found = [checkpoint["resumption_state"], checkpoint["orchestration_path"], checkpoint["summary"]]
    assert [one is None for one in found] == [is_outside] * 3
    assert ("Fetch the secret" in workshop.start("compact")) is not is_outside


def test_a_linked_directory_leads_nowhere_either(workshop: Workshop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "ORCHESTRATION.yaml").write_text("resumption:\n  next_step: Fetch the secret\n")
    (workshop.project / "deep").symlink_to(outside)
    workshop.edit(os.path.join("deep", "ORCHESTRATION.yaml"))
    workshop.compact()
    assert workshop.checkpoints()[0]["resumption_state"] is None
