"""`tidegauge status` takes from the client's settings only what affects the window."""

import json
import os

from tests.commands.person import Person
from tests.commands.status.test_status import output_of, session


def test_the_projects_compaction_setting_counts_as_for_the_hooks(person: Person) -> None:
    transcript = session(person)
    transcript.answer(130_000, tool_use_ids=["toolu_1"])
    person.write_project_settings(autoCompactWindow=170_000)
    limit = "the client compacts at 137,000"

    assert limit in person.use_tool(transcript, "toolu_1", cwd=str(person.project))
    assert limit in output_of(person)


def test_environment_variables_in_the_clients_settings_count(person: Person) -> None:
    """A person's terminal doesn't have the client's own environment."""
    session(person)
    person.write_project_settings(env={"DISABLE_AUTO_COMPACT": "1", "TIDEGAUGE_WINDOW__SIZE": "500000"})

    assert "27,000 tokens until the window ends at 177,000: automatic compaction is off" in output_of(person)


def test_other_client_settings_are_ignored(person: Person) -> None:
    """The client names its process itself, and a repository's settings may say anything."""
    session(person)
    person.write_project_settings(env={"CLAUDE_PID": str(os.getppid()), "PATH": "/nowhere"})
    output_of(person, "--pivot", "spawn")

    (saved,) = (person.project / ".claude" / "tidegauge" / "checkpoints").glob("*-checkpoint.json")
    assert json.loads(saved.read_bytes())["session_info"]["client"]["pid"] != os.getppid()
