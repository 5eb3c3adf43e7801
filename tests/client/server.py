"""The HTTP side of the scripted model: a loopback address that speaks the Messages API."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.client.step import OVERLOADED, Step
from tests.client.stream import events, whole

Answer = Callable[[dict[str, Any]], tuple[str, Step]]


class ModelServer(ThreadingHTTPServer):
    """A server that asks `answer` for the message id and the step of each request's body."""

    daemon_threads = True
    block_on_close = False  # a client that has exited leaves its connection open

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer = answer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelServer

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class names it so)
        pass

    def do_HEAD(self) -> None:
        self._send("application/json", b"")

    def do_GET(self) -> None:
        self._send("application/json", b'{"data": []}')

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if "count_tokens" in self.path:
            self._send("application/json", b'{"input_tokens": 1000}')
        elif "/messages" not in self.path:
            self._send("application/json", b"{}")
        else:
            self._answer(body)

    def _answer(self, body: dict[str, Any]) -> None:
        message_id, step = self.server.answer(body)
        model = body.get("model", "unknown")
        if step.error:
            kind, status = ("overloaded_error", 529) if step.error == OVERLOADED else ("invalid_request_error", 400)
            error = {"type": kind, "message": step.error}
            self._send("application/json", json.dumps({"type": "error", "error": error}).encode(), status)
        elif body.get("stream"):
            self._send("text/event-stream", events(message_id, model, step))
        else:
            self._send("application/json", json.dumps(whole(message_id, model, step)).encode())

    def _send(self, kind: str, data: bytes, status: int = 200) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except ConnectionError:
            self.close_connection = True  # the client may go away in the middle
