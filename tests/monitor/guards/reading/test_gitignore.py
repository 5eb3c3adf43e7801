"""Rules match as git's do, in a bounded time whatever the rule."""

import random
from pathlib import Path

import pathspec
import pytest

from monitor.guards.reading.gitignore import GitignoreRules
from monitor.guards.reading.reads import FILE, Rules
from monitor.session import Session
from shared import effort
from shared.settings.config import Config
from tests import processor_time

PARTS = ("a", "b", "ab", "*", "?", "[ab]", "[!a]", "a*", "*b", "**", "*a*", r"\*")
NAMES = ("a", "b", "ab", "ba", "aab", "*", "c")


@pytest.mark.parametrize(
    ("rule", "path", "is_match"),
    [
        ("build", "src/build/a.o", True),
        ("/build", "src/build", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/a.py", "src/a.py", True),
        ("src/**/a.py", "src/x/y/a.py", True),
        ("logs/**", "logs", True),
        ("*.[ch]", "a.c", True),
        ("*.[!ch]", "a.c", False),
        (r"\#one", "#one", True),
        (r"\!one", "!one", True),
        ("# one", "# one", False),
        ("one  ", "one", True),
        (r"one\ ", "one ", True),
        ("[a", "[a", True),
        ("[z-a]", "a", False),
        ("été/*", "été/à", True),
        ("!", "!", False),
    ],
)
def test_a_rule_matches_like_gits(rule: str, path: str, *, is_match: bool) -> None:
    assert (GitignoreRules([rule]).match(path) is not None) == is_match


def test_made_up_rules_match_like_an_independent_matcher() -> None:
    chance = random.Random(16)  # noqa: S311  for the same rules each time
    for _ in range(2_000):
        rule = "/".join(chance.choices(PARTS, k=chance.randint(1, 4)))
        rule = f"{chance.choice(['', '', '/'])}{rule}{chance.choice(['', '', '/'])}"
        path = "/".join(chance.choices(NAMES, k=chance.randint(1, 5)))
        spec = pathspec.GitIgnoreSpec.from_lines([rule])
        expected = spec.match_file(path) or spec.match_file(f"{path}/")  # a directory is named like a file

        assert (GitignoreRules([rule]).match(path) is not None) == expected, (rule, path)


def test_the_last_rule_decides() -> None:
    rules = GitignoreRules(["*.log", "!keep.log", "old/"])

    assert [rules.match(path) for path in ("a.log", "keep.log", "old/keep.log")] == ["*.log", None, "old/"]


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param("*a" * 16_000 + "b", id="stars"),
        pytest.param("*a*a*a*a*a*a*a*ab", id="few stars"),
        pytest.param("?" * 32_000, id="any"),
        pytest.param("[!b]*" * 6_000 + "c", id="classes"),
        pytest.param("**/a/" * 6_000, id="directories"),
        pytest.param("[" * 32_000, id="brackets"),
        pytest.param("*" + "[a-b]" * 2_000 + "c", id="a long name"),
        pytest.param("**/" + "*a/" * 1_000 + "b", id="a long path"),
    ],
)
@pytest.mark.parametrize("path", ["a" * 4_000, "a/" * 2_000 + "a"], ids=["long name", "deep path"])
def test_no_rule_takes_long_to_match(rule: str, path: str) -> None:
    with processor_time.at_most(1.5):  # 0.3 s on an idle machine, to compile 32 kB; backtracking takes years
        GitignoreRules([rule]).match(path)


def test_rules_beyond_the_time_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    in_time = GitignoreRules(["*.log"])
    monkeypatch.setattr(effort, "SECONDS", 0.0)
    with effort.limited():
        assert GitignoreRules(["*.log"]).match("a.log") is None
        assert in_time.match("a.log") is None
        assert effort.has_omission()
    assert in_time.match("a.log") == "*.log"


def test_equal_rules_cost_as_much_as_one_and_the_last_decides(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("*a\n" * 10_000 + "*b\n!*b\n*b\n")
    with processor_time.at_most(0.5):  # 0.01 s; 3 s with each of them
        rules = Rules(str(tmp_path), Session(str(tmp_path), Config(), {}, 0.0))
        assert [rules.match(str(tmp_path / ("q/" * 2_000 + "q"))) for _ in range(3)] == [None] * 3
    assert rules.match(str(tmp_path / "lib")) == ("*b", str(tmp_path / FILE))
