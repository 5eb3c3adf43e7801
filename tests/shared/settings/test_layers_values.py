"""Valid values of a layer: texts of variables and command lines, and the hint for a bad one."""

import pytest

from shared.settings.config import SEGMENT_NAMES
from shared.settings.layers import MOST_PROBLEMS, from_text
from shared.settings.settings import variable
from tests.levels import FIRST_REMAINING
from tests.shared.project import Project, value


@pytest.mark.parametrize("text", ["500000", "500_000", "5_00_000"])
def test_a_number_may_be_written_with_underscores(project: Project, text: str) -> None:
    assert project.loaded(TIDEGAUGE_WINDOW__SIZE=text).config.window.size == 500_000


@pytest.mark.parametrize("text", ["5_k", "_", "_5", "5__0", ""])
def test_text_that_is_no_number_is_refused(project: Project, text: str) -> None:
    settings = project.loaded(TIDEGAUGE_WINDOW__SIZE=text)
    assert settings.config.window.size is None
    assert settings.problems == (f"environment: window.size: expected a whole number, not {text!r}",)


def test_digits_of_a_text_stay_unchanged(project: Project) -> None:
    assert project.loaded(TIDEGAUGE_MESSAGES__SUMMARY_FILE="1_000").config.messages.summary_file == "1_000"


def test_the_settings_type_decides_between_texts_and_numbers() -> None:
    assert from_text("NAME=VALUE,  OTHER = a=b ,", dict[str, str]) == {"NAME": "VALUE", "OTHER": "a=b"}
    assert from_text("a=1_000, c = 2", dict[str, int]) == {"a": 1000, "c": 2}
    assert from_text("a=1_000", dict[str, str]) == {"a": "1_000"}


@pytest.mark.parametrize("text", ["q7Rk2Zp9", "=q7Rk2Zp9", "q7Rk2Zp9=", " = "])
def test_a_text_without_name_or_value_is_refused_without_quoting_it(text: str) -> None:
    with pytest.raises(ValueError, match=r"^expected NAME=VALUE, NAME=VALUE$"):
        from_text(f"A=1, {text}", dict[str, str])


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("window.models", "a table"),
        ("read_guard.ignore", "a list"),
        ("levels.warning.remaining", "a number"),
        ("hooks.pivot", "true or false"),
        ("statusline.wrapped", '"alone" or "above" or "below"'),
    ],
)
def test_a_problem_names_a_valid_value(project: Project, key: str, expected: str) -> None:
    project.personal.write_text(f"{key} = 1979-05-27")
    (problem,) = project.loaded().problems
    assert problem == f"{project.personal}: {key}: expected {expected}, not datetime.date(1979, 5, 27)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("window.size = 0", "a whole number >= 1000, not 0"),
        ("window.models.a = 0.5", "a whole number for each part, not {'a': 0.5}"),
        ("ceiling.percentage = inf", "a whole number, not inf"),
        ("levels.warning.remaining = nan", "a number >= 0, not nan"),
        ('statusline.lines = ["model"]', "a list for each part, not ['model']"),
        ('messages.summary_file = "../x"', "a relative path, such as NOTES.md, not '../x'"),
        ('checkpoint.directory = ""', "text of length >= 1, not ''"),
    ],
)
def test_a_problem_is_in_a_persons_words(project: Project, text: str, expected: str) -> None:
    project.personal.write_text(text)
    (problem,) = project.loaded().problems
    assert problem == f"{project.personal}: {text.partition(' = ')[0].removesuffix('.a')}: expected {expected}"


def test_an_unknown_segment_is_a_problem_but_no_loss(project: Project) -> None:
    project.personal.write_text('statusline.hide = ["cost", "weather"]')
    settings = project.loaded()
    assert settings.config.statusline.hide == ("cost", "weather")
    (problem,) = settings.problems
    assert problem.startswith(f"{project.personal}: statusline.hide: expected model, directory, ")
    assert problem.endswith(f" or {SEGMENT_NAMES[-1]}, not 'weather'")


@pytest.mark.parametrize(
    ("count", "last"), [(40, "window.no_39: no such setting"), (41, "and 1 more"), (99, "and 59 more")]
)
def test_problems_beyond_forty_are_counted(project: Project, count: int, last: str) -> None:
    assert MOST_PROBLEMS == 40
    project.personal.write_text("[window]\n" + "".join(f"no_{number:02} = 1\n" for number in range(count)))
    problems = project.loaded().problems
    assert len(problems) == min(count, MOST_PROBLEMS + 1)
    assert problems[-1].endswith(last)


def test_the_remaining_layers_of_a_ladder_keep_their_order(project: Project) -> None:
    project.personal.write_text(f"{FIRST_REMAINING} = 60")
    settings = project.says("levels.exhausted.remaining = 25", **{variable(FIRST_REMAINING): "65"})
    assert len(settings.problems) == 1
    assert value(settings.config, FIRST_REMAINING) == 65
