import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from shared.transcript.line import Attachment, ContentBlock, TranscriptLine, line_in

CAPTURED = sorted((Path(__file__).parents[2] / "payloads" / "transcripts").rglob("*.jsonl"))


def line_of(**fields: Any) -> TranscriptLine:
    line = line_in(json.dumps(fields).encode())
    assert line is not None
    return line


@pytest.mark.parametrize("path", CAPTURED, ids=lambda path: path.stem)
def test_no_field_of_a_captured_line_has_another_type(path: Path) -> None:
    for data in path.read_bytes().splitlines():
        assert msgspec.json.decode(data, type=TranscriptLine) == line_in(data)


@pytest.mark.parametrize("name", [field.encode_name for field in msgspec.structs.fields(TranscriptLine)])
@pytest.mark.parametrize("value", [7, "text", ["list"], {"an": "object"}, None, True])
def test_a_field_of_another_type_is_lost_alone(name: str, value: object) -> None:
    whole: dict[str, Any] = {
        "type": "assistant",
        "timestamp": "2026-01-05T09:00:00.000Z",
        "message": {"id": "msg_1", "content": "said"},
    }
    line, rest = line_of(**(whole | {name: value})), set(whole) - {name}
    assert {key: getattr(line, key) for key in rest} == {key: getattr(line_of(**whole), key) for key in rest}


@pytest.mark.parametrize("content", [7, {"an": "object"}, None, ["no block"]])
def test_an_answer_with_content_of_another_shape_still_counts(content: object) -> None:
    message = line_of(
        type="assistant", message={"id": "msg_1", "usage": {"input_tokens": 9}, "content": content}
    ).message
    assert message is not None
    assert (message.id, message.usage is not None, message.blocks) == ("msg_1", True, [ContentBlock("text", text="")])


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'"text"', b"{}{}", b'{"type":"user\xff"}'])
def test_a_value_that_is_no_object_is_no_line(data: bytes) -> None:
    assert line_in(data) is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("said", "said"),
        ([{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "two"}], "one\ntwo"),
        ([{"type": "thinking", "thinking": "hm"}, {"type": "text"}], ""),
    ],
)
def test_a_messages_words_are_its_texts(content: object, text: str) -> None:
    message = line_of(message={"content": content}).message
    assert message is not None
    assert message.text == text


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("gave", "gave"),
        ([{"type": "text", "text": "gave"}, {"type": "image", "source": {}}, "no part", {"text": 7}], "gave"),
        (None, ""),
        (7, ""),
    ],
)
def test_a_tools_output_is_its_texts(content: object, text: str) -> None:
    assert ContentBlock("tool_result", content=msgspec.Raw(json.dumps(content).encode())).result == text


@pytest.mark.parametrize(("value", "arguments"), [({"path": "a"}, {"path": "a"}), ([], None), ("text", None)])
def test_a_tool_is_called_with_an_object(value: object, arguments: object) -> None:
    assert ContentBlock("tool_use", input=msgspec.Raw(json.dumps(value).encode())).arguments == arguments


@pytest.mark.parametrize(("content", "texts"), [(["one", "two"], ["one", "two"]), ("one", []), ([7], []), (None, [])])
def test_a_hooks_output_is_a_list_of_texts(content: object, texts: list[str]) -> None:
    assert Attachment(content=msgspec.Raw(json.dumps(content).encode())).texts == texts


def test_a_line_without_its_marks_is_an_ordinary_one() -> None:
    line = line_of(message={"content": [{"type": "tool_result"}], "usage": {}})
    assert not any((line.isSidechain, line.isMeta, line.isCompactSummary, line.isApiErrorMessage))
    assert line.message is not None
    assert [block.is_error for block in line.message.blocks] == [False]
    assert line.message.usage is not None
    counts = (line.message.usage.input_tokens, line.message.usage.output_tokens)
    assert counts == (0, 0)
    assert (line.message.usage.cache_creation_input_tokens, line.message.usage.cache_read_input_tokens) == (0, 0)


@pytest.mark.parametrize(
    ("block", "is_text"),
    [(ContentBlock("text", text=""), True), (ContentBlock("text"), False), (ContentBlock("thinking", text="x"), False)],
)
def test_a_text_comes_from_a_text_block_with_a_text(block: ContentBlock, *, is_text: bool) -> None:
    assert block.is_text is is_text


@pytest.mark.parametrize(
    ("content", "words"), [("Two skills", "Two skills"), (["Two skills"], ""), (None, ""), (7, "")]
)
def test_an_attachment_with_one_text_has_words(content: object, words: str) -> None:
    attached = line_of(type="attachment", attachment={"type": "skill_listing", "content": content}).attachment
    assert attached is not None
    assert attached.words == words


@pytest.mark.parametrize(
    ("kind", "subtype", "is_one"),
    [("system", "compact_boundary", True), ("system", "informational", False), ("user", "compact_boundary", False)],
)
def test_only_a_system_line_is_a_boundary(kind: str, subtype: str, *, is_one: bool) -> None:
    assert line_of(type=kind, subtype=subtype).is_compact_boundary is is_one
