"""The part of an instruction file that enters the window, and what counts as an import."""

import pytest

from commands.audit.instruction_text import parse, resolved


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("see @a.md and @./b.md\n@~/c.md @/d.md", ("a.md", "./b.md", "~/c.md", "/d.md")),
        ("`@a.md` and ``@b.md``", ()),
        ("`` ` @a.md `` don`t @b.md", ("b.md",)),
        ("```\n@a.md\n```\n> ~~~ sh\n> @b.md\n> ~~~\n1. ````\n   @c.md\n   ```\n   ````\n@d.md", ("d.md",)),
        ("```\n@a.md", ()),
        ("**@a.md** *x @b.md* [c](@c.md)", ("a.md", "b.md")),
        ("- @a.md\n  1. @b.md\n\n> @c.md\n\n# @d.md", ("a.md", "b.md", "c.md", "d.md")),
        ("| @a.md | b |\n|---|---|\n| @c.md | d |", ("a.md", "c.md")),  # the client knows no tables
        ("<!-- @a.md -->\n\nx <!-- @b.md --> y", ()),
        ("<!-- @a.md --> @b.md\n<!-- @c.md", ("b.md",)),
        ("@a.md#part @b\\ c.md", ("a.md", "b c.md")),
        ("mail a@b.md (@c.md) @(d.md) @", ()),
        ("@a.md. @b.md, ", ("a.md.", "b.md,")),  # the client takes them for the names
        ("@a.md @a.md", ("a.md",)),
    ],
)
def test_imports_count_only_in_text_the_client_reads(text: str, imports: tuple[str, ...]) -> None:
    assert parse(text).imports == imports


def test_frontmatter_and_comments_do_not_enter_the_window() -> None:
    text = "---\ndescription: x\n---\n# Title\n\n<!-- a note\nto ourselves -->\n\nbody <!-- kept --> end\n<!-- no end\n"

    assert parse(text).content == "# Title\n\nbody <!-- kept --> end\n<!-- no end"


@pytest.mark.parametrize(
    ("frontmatter", "globs"),
    [
        ('paths: "src/**, *.py"', ("src", "*.py")),
        ("paths:\n  - src/**", ("src",)),
        ('paths: "**"', ()),
        ('paths: ["src/**", lib/*.py] # ours', ("src", "lib/*.py")),
        ("paths:\n- 'src/**'\n- \"*.py\"\nother:\n- x", ("src", "*.py")),
        ("paths: [", ()),
        ("- a list", ()),
        ("a: &a [*a, *a]", ()),
    ],
)
def test_a_rules_paths_are_read_from_its_frontmatter(frontmatter: str, globs: tuple[str, ...]) -> None:
    assert parse(f"---\n{frontmatter}\n---\ntext").globs == globs


@pytest.mark.parametrize("text", ["", "\0\0", "---", "---\n", "@" * 10_000, "[" * 5_000 + "@a.md", "\ufffd @a.md"])
def test_anything_can_be_parsed(text: str) -> None:
    parse(text)


def test_a_path_is_relative_to_the_file_that_names_it() -> None:
    assert resolved("../b.md", "/p/docs/a.md", "/home/me") == "/p/b.md"
    assert resolved("~/b.md", "/p/docs/a.md", "/home/me") == "/home/me/b.md"
    assert resolved("/b.md", "/p/docs/a.md", "/home/me") == "/b.md"
