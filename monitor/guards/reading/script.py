"""A shell script as the lexer wants it: without comments, here-documents and continued lines."""

_BEFORE_COMMENT = frozenset(" \t\n;&|()")
_AFTER_DELIMITER = frozenset(" \t\r\n;&|()<>")


def bare(script: str) -> str:
    """`script` without what the shell itself never runs as a command nor takes as a word."""
    saved: list[str] = []
    closers: list[str] = []  # what ends each open quote and substitution, the innermost last
    documents: list[tuple[str, bool]] = []  # delimiters whose bodies begin at the next line
    at = 0
    while at < len(script):
        piece = _piece_at(script, at, closers, documents)
        is_continued = piece.startswith("\\\n")
        if not is_continued and not (closers[-1:] in ([], [")"]) and _is_left_out(script, at, piece)):
            saved.append(piece)
        at += len(piece)
        if piece == "\n" and documents and closers[-1:] in ([], [")"]):
            for delimiter, is_indented in documents:
                at = _after_body(script, at, delimiter, is_indented=is_indented)
            documents.clear()
    return "".join(saved)


def _piece_at(script: str, at: int, closers: list[str], documents: list[tuple[str, bool]]) -> str:
    """The piece of `script` that begins at `at`; opens and closes what it opens and closes."""
    sign, inner = script[at], closers[-1] if closers else ""
    if sign == inner:
        closers.pop()
    elif inner == "'":
        pass
    elif sign == "\\":
        return script[at : at + 2]
    elif script.startswith("$(", at):
        closers.append(")")
        return "$("
    elif inner == '"':
        pass
    elif sign in "\"'(":
        closers.append(")" if sign == "(" else sign)
    elif _begins_comment(script, at):
        end = script.find("\n", at)
        return script[at : end if end >= 0 else None]
    elif script.startswith("<<<", at):
        return "<<<"
    elif script.startswith("<<", at):
        return _document(script, at, documents)
    return sign


def _is_left_out(script: str, at: int, piece: str) -> bool:
    is_document = piece.startswith("<<") and piece != "<<<"
    is_ansi_quote = piece == "$" and script[at + 1 : at + 2] in {"'", '"'}  # $'...': a quote all the same
    return is_document or is_ansi_quote or _begins_comment(script, at)


def _begins_comment(script: str, at: int) -> bool:
    return script[at] == "#" and (at == 0 or script[at - 1] in _BEFORE_COMMENT)


def _document(script: str, at: int, documents: list[tuple[str, bool]]) -> str:
    """The `<<EOF` at `at`, noted in `documents`."""
    is_indented = script.startswith("<<-", at)
    begin = at + 2 + is_indented
    while script[begin : begin + 1] in {" ", "\t"}:
        begin += 1
    end, quote, delimiter = begin, "", ""
    while end < len(script) and (quote or script[end] not in _AFTER_DELIMITER):
        sign = script[end]
        if sign in {"'", '"'} and quote in {"", sign}:
            quote = "" if quote else sign
        elif sign != "\\":
            delimiter += sign
        end += 1
    documents.append((delimiter, is_indented))
    return script[at:end]


def _after_body(script: str, begin: int, delimiter: str, *, is_indented: bool) -> int:
    """Where the line after the body's last one begins; `begin` if nothing ends it (`<<` was a shift)."""
    at = begin
    while at < len(script):
        end = script.find("\n", at)
        line = script[at : end if end >= 0 else None].rstrip("\r")
        at = end + 1 if end >= 0 else len(script)
        if (line.lstrip("\t") if is_indented else line) == delimiter:
            return at
    return begin
