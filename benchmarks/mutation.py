"""Mutations: small faults in Python code, each as a change to its file's text."""

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

_PAIRS = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
)
# Without |, which is a type nearly everywhere.
_SWAPPED: dict[type[ast.AST], Any] = {
    **dict(_PAIRS),
    **{other: one for one, other in _PAIRS},
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.BitAnd: ast.BitOr,
}


class Mutation(NamedTuple):
    """One fault in one file."""

    path: str  # below the repository
    line: int
    start: int  # bytes into the file, as `end`
    end: int
    original: str
    replacement: str

    def __str__(self) -> str:
        original, replacement = (" ".join(text.split()) for text in (self.original, self.replacement))
        return f"{self.path}:{self.line}  {original}  ->  {replacement}"

    def applied(self, source: bytes) -> bytes:
        """The file's text with the fault."""
        return source[: self.start] + self.replacement.encode() + source[self.end :]


def mutations(path: str, source: bytes) -> Iterator[Mutation]:
    """All mutations of a file with this text."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _mutable(ast.parse(source)):
        for mutated, replacement in _faults(node):
            start = starts[mutated.lineno - 1] + mutated.col_offset
            end = starts[(mutated.end_lineno or mutated.lineno) - 1] + (mutated.end_col_offset or 0)
            yield Mutation(path, mutated.lineno, start, end, source[start:end].decode(), replacement)


def _mutable(node: ast.AST) -> Iterator[ast.AST]:
    """The node and its descendants, except those that no test could notice or that have no position."""
    yield node
    if isinstance(node, ast.JoinedStr):  # Python 3.11 doesn't know the columns there
        return
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.keyword) and _is_checked_elsewhere(node, child)):
            yield from _mutable(child)


def _is_checked_elsewhere(node: ast.AST, keyword: ast.keyword) -> bool:
    """Whether a check other than the tests fixes a keyword's value.

    mypy rejects a change to a field of a frozen record, so an unfrozen one behaves the same. A strict zip
    checks our own code while it runs, and changes nothing where lengths agree.
    """
    if isinstance(node, ast.ClassDef):
        return keyword.arg == "frozen"
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "zip" and ast.unparse(keyword) == "strict=True"


def _faults(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:  # noqa: C901  a case for each kind
    """Pairs of a node and its replacement."""
    match node:
        case ast.Constant(bool(value)):
            yield node, str(not value)
        case ast.Constant(int() | float() as number):
            yield node, str(number + 1)
        case ast.Compare(left, signs, right):
            for at, sign in enumerate(signs):
                swapped = [*signs[:at], _SWAPPED[type(sign)](), *signs[at + 1 :]]
                yield node, f"({ast.unparse(ast.Compare(left, swapped, right))})"
        case ast.BoolOp(word, values):
            yield node, f"({ast.unparse(ast.BoolOp(_SWAPPED[type(word)](), values))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield node, f"bool({ast.unparse(operand)})"
        case ast.BinOp(left, sign, right) if type(sign) in _SWAPPED:
            yield node, f"({ast.unparse(ast.BinOp(left, _SWAPPED[type(sign)](), right))})"
        case ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Continue() | ast.Break() | ast.Expr(ast.Call()):
            yield node, "pass"
        case ast.Return(ast.expr() as value) if not isinstance(value, ast.Constant):
            yield node, "return None"
        case ast.If(test) | ast.While(test) | ast.IfExp(test) if isinstance(test, ast.Name | ast.Attribute | ast.Call):
            if ast.unparse(test) != "TYPE_CHECKING":
                yield test, f"(not {ast.unparse(test)})"
