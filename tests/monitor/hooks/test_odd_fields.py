"""A field of an unexpected type is lost alone."""

import pytest

from tests.monitor.workshop import Workshop

ODD = [7, None, True, ["auto"], {"is": "odd"}]


@pytest.mark.parametrize("odd", ODD)
def test_a_compaction_with_any_trigger_is_saved(workshop: Workshop, odd: object) -> None:
    assert workshop.fire("PreCompact", trigger=odd).startswith("Checkpoint cx-001 ")
    assert workshop.checkpoints()[0]["session_info"]["trigger"] == "auto"


@pytest.mark.parametrize("odd", ODD)
def test_a_session_with_any_source_is_resumed(workshop: Workshop, odd: object) -> None:
    workshop.compact()
    assert "cx-001" in workshop.fire("SessionStart", source=odd)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("field", ["prompt", "source"])
def test_a_prompt_of_any_kind_is_answered(workshop: Workshop, field: str, odd: object) -> None:
    workshop.transcript.answer(165_000)
    workshop.compact()
    workshop.transcript.boundary()
    workshop.configure("hooks.tag_every_prompt = true")
    message = workshop.fire("UserPromptSubmit", **{"prompt": "Go on", field: odd})
    assert "<compaction-alert>" in message
    assert "<compaction-alert>" in message


@pytest.mark.parametrize("cwd", [..., *ODD])
def test_the_client_names_the_project_where_the_event_does_not(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, cwd: object
) -> None:
    assert workshop.compact(cwd=cwd) == ""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(workshop.project))
    assert workshop.compact(cwd=cwd).startswith("Checkpoint cx-001 ")
    assert workshop.checkpoints()[0]["session_info"]["working_directory"] == str(workshop.project)
