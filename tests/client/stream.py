"""A step's answer as the Messages API streams it (server-sent events)."""

import json
from typing import Any

from tests.client.step import Step


def opening(message_id: str, model: str, step: Step) -> dict[str, Any]:
    """The message that opens a stream, with usage but without content."""
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": step.usage | {"output_tokens": 1},
    }


def whole(message_id: str, model: str, step: Step) -> dict[str, Any]:
    """The message as one JSON object, for a request without streaming."""
    answer = {"content": step.blocks(message_id), "stop_reason": step.stop_reason, "usage": step.usage}
    return opening(message_id, model, step) | answer


def events(message_id: str, model: str, step: Step) -> bytes:
    """The whole stream of one answer."""
    parts = [_event("message_start", message=opening(message_id, model, step))]
    for index, block in enumerate(step.blocks(message_id)):
        parts += _block(index, block)
    end = {"stop_reason": step.stop_reason, "stop_sequence": None}
    parts += [_event("message_delta", delta=end, usage=step.usage), _event("message_stop")]
    return b"".join(parts)


def _block(index: int, block: dict[str, Any]) -> list[bytes]:
    if block["type"] == "text":
        start, delta = block | {"text": ""}, {"type": "text_delta", "text": block["text"]}
    else:
        arguments = json.dumps(block["input"])
        start, delta = block | {"input": {}}, {"type": "input_json_delta", "partial_json": arguments}
    return [
        _event("content_block_start", index=index, content_block=start),
        _event("content_block_delta", index=index, delta=delta),
        _event("content_block_stop", index=index),
    ]


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
