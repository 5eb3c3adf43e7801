"""What would be right for a setting, in words, from its type."""

from typing import Any, Literal, get_args, get_origin

from msgspec import inspect as types

from shared.plain import plain

_END = r"\Z"


def expected(kind: Any) -> str:
    """What a value of `kind`, a type as shared.config declares it, looks like."""
    if get_origin(kind) is Literal:  # in the order of the declaration, which msgspec does not keep
        return " or ".join(f'"{value}"' for value in get_args(kind))
    return words(types.type_info(kind))


def refusal(kind: Any, value: object) -> str:
    """Why `value` is no `kind`, and what would be."""
    return f"expected {expected(kind)}, not {plain(repr(value), 60)}"


def words(kind: types.Type) -> str:
    """The same for a type that msgspec has looked into."""
    if isinstance(kind, types.UnionType):
        return " or ".join(words(part) for part in kind.types if not isinstance(part, types.NoneType))
    if isinstance(kind, types.LiteralType):
        return " or ".join(f'"{value}"' for value in kind.values)
    if isinstance(kind, types.VarTupleType | types.DictType):
        return _several(kind)
    if isinstance(kind, types.IntType | types.FloatType):
        return ("a whole number" if isinstance(kind, types.IntType) else "a number") + _range(kind)
    if isinstance(kind, types.StrType):
        return f"text like {kind.pattern.strip('^$').removesuffix(_END)}" if kind.pattern else "text"
    return {types.BoolType: "true or false", types.StructType: "a table"}.get(type(kind), "another value")


def _several(kind: types.VarTupleType | types.DictType) -> str:
    if isinstance(kind, types.DictType):
        return f"a table of names, each with {words(kind.value_type)}"
    return "a list of names" if isinstance(kind.item_type, types.StrType) else "a list of lists of names"


def _range(kind: types.IntType | types.FloatType) -> str:
    if kind.le is None:
        return ""
    return f", {kind.ge:,} to {kind.le:,}" if kind.ge is not None else f", more than {kind.gt:,}, at most {kind.le:,}"
