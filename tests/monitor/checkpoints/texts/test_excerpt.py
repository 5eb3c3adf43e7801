"""An excerpt of a long plan shows the step in progress and the remaining ones."""

from monitor.checkpoints.texts.excerpt import excerpt

PLAN = "# Plan\n\nVouchers for the shop.\n" + "".join(
    f"\n## {number}. Change `module_{number}.py`\n\nAdd handler_{number} to it. {'And so on. ' * 30}\n"
    for number in range(1, 11)
)


def test_the_step_in_progress_and_the_remaining_ones_are_shown() -> None:
    text = excerpt(PLAN, 1_600, "Edit src/module_8.py\n`pytest`: handler_8 fails; module_8.py")
    assert text.startswith("# Plan")
    assert "## 8. Change" in text
    assert "## 10. Change" in text
    assert text.endswith("And so on. ")
    assert "## 5. Change" not in text
    assert len(text) <= 1_700


def test_without_a_known_step_the_beginning_and_the_end_are_shown() -> None:
    for now in ("", "nothing of it", "module_1.py handler_1"):
        text = excerpt(PLAN, 1_600, now)
        assert text.startswith("# Plan")
        assert "## 1. Change" in text
        assert len(text) <= 1_700


def test_remaining_steps_are_named_and_rules_kept_if_not_all_fits() -> None:
    rule = "Never change the prices."
    plan = PLAN.replace("handler_2 to it.", f"handler_2 to it.\n\n{rule}\n")
    text = excerpt(plan, 1_000, "Edit src/module_6.py\n`pytest`: handler_6 fails; module_6.py")
    assert rule in text
    for number in range(6, 11):
        assert f"## {number}. Change" in text
    assert "## 3. Change" not in text
    assert len(text) <= 1_100


def test_a_comment_in_code_starts_no_section() -> None:
    code = "\n```sh\n# handler_2\nrm module_2.py\n```\n"
    assert "# handler_2" not in excerpt(PLAN.replace("\n## 3.", f"{code}\n## 3."), 900, "module_1.py handler_1")


def test_a_text_without_sections_loses_its_middle() -> None:
    text = excerpt("First this.\n\n" + "And so on. " * 200 + "\n\nAt last that.", 400, "")
    assert text.startswith("First this.")
    assert text.endswith("At last that.")


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt(PLAN, len(PLAN), "module_8.py handler_8") == PLAN
    assert excerpt("", 10, "") == ""
