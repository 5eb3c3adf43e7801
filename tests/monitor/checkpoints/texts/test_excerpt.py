"""Of a long plan the step in progress and what is left are shown."""

from monitor.checkpoints.texts.excerpt import excerpt

PLAN = "# Plan\n\nVouchers for the shop.\n" + "".join(
    f"\n## {number}. Change `module_{number}.py`\n\nAdd handler_{number} to it. {'And so on. ' * 30}\n"
    for number in range(1, 11)
)


def test_the_step_in_progress_and_what_is_left_are_shown() -> None:
    text = excerpt(PLAN, 1_600, "Edit src/module_8.py\n`pytest`: handler_8 fails; module_8.py")
    assert text.startswith("# Plan")
    assert "## 8. Change" in text
    assert text.endswith(PLAN[-100:])
    assert "## 5. Change" not in text
    assert len(text) <= 1_700


def test_without_a_sign_of_the_step_the_beginning_and_the_end_are_shown() -> None:
    for now in ("", "nothing of it", "module_1.py handler_1"):
        text = excerpt(PLAN, 1_600, now)
        assert text.startswith("# Plan")
        assert "## 1. Change" in text
        assert len(text) <= 1_700


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt(PLAN, len(PLAN), "module_8.py handler_8") == PLAN
    assert excerpt("", 10, "") == ""
