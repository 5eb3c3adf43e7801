import ast
from pathlib import Path

import statusline
from statusline.terminal.width import ASCII, columns, to_ascii


def test_each_glyph_has_an_ascii_substitute_and_one_column() -> None:
    import wcwidth  # noqa: PLC0415  the library judges; the table is what spares us from asking it

    assert all(stand_in.isascii() for stand_in in ASCII.values())
    assert {glyph: wcwidth.wcwidth(glyph) for glyph in ASCII} == dict.fromkeys(ASCII, 1)
    assert {glyph: columns(glyph) for glyph in ASCII} == dict.fromkeys(ASCII, 1)


def test_every_glyph_that_the_line_draws_is_in_the_table() -> None:
    drawn: set[str] = set()
    for path in Path(statusline.__path__[0]).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                drawn |= {c for c in node.value if not c.isascii() and c not in ASCII}

    assert drawn == {"\u0300"}  # a bound in width.py, never drawn


def test_foreign_characters_become_question_marks() -> None:
    assert to_ascii("██░ shop · größe…") == "##- shop | gr??e~"
