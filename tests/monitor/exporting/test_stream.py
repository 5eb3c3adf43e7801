"""A transcript is copied whole, in pieces, whatever its lines, and loses nothing but secrets."""

import json
from pathlib import Path

import pytest

from monitor.exporting import stream
from shared.secrets.masking import MASK
from tests.shared.credentials import PASSWORD
from tests.transcripts import NEW_CLIENT, OLD_CLIENT, captured

AWS = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def line(text: str) -> str:
    return json.dumps({"type": "user", "text": text}, separators=(",", ":")) + "\n"


def copied(path: Path) -> str:
    return b"".join(piece.data for piece in stream.masked(str(path))).decode()


@pytest.mark.parametrize("version", [OLD_CLIENT, NEW_CLIENT])
def test_a_captured_session_is_copied_byte_for_byte(version: str) -> None:
    assert copied(captured(version)) == captured(version).read_text(encoding="utf-8")


@pytest.mark.parametrize("chunk", [1, 7, 64, 1 << 20])
def test_the_chunk_size_changes_nothing(transcript: Path, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(line(f"{number} {AWS} \u20ac") for number in range(50))
    transcript.write_text(text, encoding="utf-8")
    monkeypatch.setattr(stream, "CHUNK", chunk)

    assert copied(transcript) == text.replace(AWS, MASK)


def test_a_line_that_is_still_being_written_is_left_out(transcript: Path) -> None:
    transcript.write_text(line("one") + '{"type":"user","text":"half of')

    assert copied(transcript) == line("one")


def test_an_empty_transcript_has_no_lines(transcript: Path) -> None:
    transcript.touch()

    assert copied(transcript) == ""


def test_very_long_lines_are_copied_in_parts_and_stay_json(transcript: Path) -> None:
    text = (f"{AWS} " + "word, " * 100) * 8_000
    transcript.write_text(line("before") + line(text) + line("after"))
    pieces = list(stream.masked(str(transcript)))

    lines = b"".join(piece.data for piece in pieces).splitlines()
    assert [json.loads(each)["text"][:6] for each in lines] == ["before", MASK[:6], "after"]
    assert AWS.encode() not in lines[1]
    assert max(len(piece.data) for piece in pieces) < 3 << 20
    assert {piece.is_whole for piece in pieces} == {True, False}


def test_a_private_key_is_not_cut_in_two(transcript: Path) -> None:
    body = "MIIEpAIBAAKCAQEAxyzxyzxyz0123456789abcdef\\n" * 40
    key = "-----BEGIN " + "PRIVATE KEY-----\\n" + body + "-----END " + "PRIVATE KEY-----"
    filler = "x y " * ((1 << 20) // 4 - 200)
    transcript.write_text('{"text":"' + filler + key + " z" * 2_000_000 + '"}\n')

    assert "MIIE" not in copied(transcript)


def test_text_that_is_not_json_is_copied_unchanged(transcript: Path) -> None:
    transcript.write_bytes(b"not json \xff\xfe\n\n{}\n")

    assert b"".join(piece.data for piece in stream.masked(str(transcript))) == b"not json \xff\xfe\n\n{}\n"


@pytest.mark.parametrize("shift", range(0, 60, 4))
def test_a_secret_is_masked_wherever_a_long_line_is_cut(
    transcript: Path, shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, size in (("CHUNK", 16 << 10), ("LONGEST", 16 << 10), ("_OVERLAP", 1 << 10)):
        monkeypatch.setattr(stream, name, size)
    filler = "x y " * (stream.CHUNK // 4)
    secrets = [f'password=\\"{PASSWORD}\\" ', f"{AWS} ", f"mysql -p{PASSWORD} "]
    text = filler[: -40 - shift] + "".join(secrets) + filler[: -(1 << 10) - shift] + "".join(secrets) + filler
    transcript.write_text('{"text":"' + text + '"}\n')

    copy = copied(transcript)

    assert PASSWORD not in copy
    assert AWS not in copy
    assert (
        json.loads(copy)["text"].replace(MASK, "").split()
        == json.loads('{"text":"' + text.replace(PASSWORD, "").replace(AWS, "") + '"}')["text"].split()
    )


def test_parts_of_a_long_line_keep_multibyte_characters(transcript: Path) -> None:
    rows = (line("\u20ac\U0001f600" * 150_000), json.dumps("\u00e4" * 1_200_000, ensure_ascii=False))
    transcript.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")

    assert copied(transcript).encode() == transcript.read_bytes()


@pytest.mark.parametrize("chunk", [3, 4, 10, 16, 1_000])
@pytest.mark.parametrize("last", ["", '"half', '"' + "f" * 50 + '"'])
def test_only_overlong_lines_come_in_parts(
    transcript: Path, chunk: int, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "CHUNK", chunk)
    monkeypatch.setattr(stream, "LONGEST", 12)
    monkeypatch.setattr(stream, "_OVERLAP", 4)
    short, long = ["a" * 12, "", "b", "c" * 9], ["d" * 400, "e" * 41]
    rows = [short[0], short[1], long[0], short[2], long[1], short[3]]
    transcript.write_text("".join(f"{row}\n" for row in rows) + last)

    pieces = list(stream.masked(str(transcript)))

    assert b"".join(piece.data for piece in pieces).decode().split("\n") == [*rows, ""]
    whole = b"".join(piece.data for piece in pieces if piece.is_whole).decode().split("\n")
    assert [row for row in whole if row and row not in long] == [row for row in short if row]
    if chunk < 1_000:
        assert not set(whole) & {*long}
        assert sum(piece.is_end and not piece.is_whole for piece in pieces) == len(long)
    assert max(len(piece.data) for piece in pieces) <= 12 + 2 * chunk
