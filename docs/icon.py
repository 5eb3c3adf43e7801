"""The plugin's icon, a tide gauge: a staff with marks and the water's level, as a PNG of two bits per pixel."""

import struct
import zlib
from pathlib import Path

PATH = Path(__file__).parent.parent / "plugin" / ".claude-plugin" / "icon.png"
_SIDE = 512
_PALETTE = bytes.fromhex("0f2733f4f1e82f9ec4e2603f")
_SKY, _STAFF, _WATER, _LEVEL = range(4)
_SURFACE = 300  # the row of the water's level


def pixels() -> bytes:
    """The rows, each with PNG's filter byte before it and four pixels to a byte."""
    rows = []
    for row in range(_SIDE):
        colours = [_colour(row, column) for column in range(_SIDE)]
        packed = (
            first << 6 | second << 4 | third << 2 | fourth
            for first, second, third, fourth in zip(*[iter(colours)] * 4, strict=True)
        )
        rows.append(b"\0" + bytes(packed))
    return b"".join(rows)


def drawn() -> bytes:
    header = struct.pack(">IIBBBBB", _SIDE, _SIDE, 2, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", _PALETTE), (b"IDAT", zlib.compress(pixels(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _colour(row: int, column: int) -> int:
    if 208 <= column < 304 and 64 <= row < 448:
        is_mark = (row - 64) % 64 < 12 and column >= (208 if (row - 64) // 64 % 2 == 0 else 256)
        return _LEVEL if is_mark else _STAFF
    if row >= _SURFACE:
        return _STAFF if row < _SURFACE + 10 else _WATER
    return _SKY


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
