import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from monitor.texts.safety import escaped, flat, one_line, path_end, untagged

TEXTS = st.text(max_size=300)
JOINERS = "\u200c\u200d"


@given(TEXTS)
def test_an_escaped_text_opens_and_closes_nothing(text: str) -> None:
    assert not set(escaped(text)) & set("<>\"'")
    assert "<" not in untagged(text)


@given(TEXTS, st.integers(1, 80))
def test_a_line_is_one_line_and_bounded(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert len(line) <= longest
    harmful = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not {unicodedata.category(character) for character in line if character not in JOINERS} & harmful


@given(TEXTS, st.integers(2, 80))
def test_of_a_path_the_end_is_kept(path: str, longest: int) -> None:
    assert len(path_end(path, longest)) <= longest


def test_a_cut_shows() -> None:
    assert one_line("many words here", 8) == "many wo\u2026"
    assert path_end("/home/dev/shop/src/app.py", 12) == "\u2026/src/app.py"


def test_a_value_of_any_shape_fits_on_a_line() -> None:
    value = {"id": 5, "nothing": None, "empty": [], "list": [1, "two", {"three": 3}], "text": "a\nb"}
    assert flat(value, 100) == "id: 5, list: 1, two, three: 3, text: a b"
    assert len(flat({str(n): ["x" * 1_000] * 1_000 for n in range(10_000)}, 50)) == 50
