"""A column's heading tells what its cells hold."""

import json

import pytest

from shared.secrets.masking import MASK, masked

SECRET = "tr0ub4dor&3"  # noqa: S105  made up, to be masked


@pytest.mark.parametrize(
    "table",
    [
        "id,user,password\n1,bob,{}\n2,eve,{}\n",
        "user;Passwd;role\nbob;{};admin",
        '"user","api_key"\n"bob","{}"\n',
        "| user | password |\n|---|---|\n| bob | {} |\n| eve | `{}` |\n",
    ],
)
def test_each_cell_of_a_secret_column_is_masked_in_json_too(table: str) -> None:
    whole = table.replace("{}", SECRET)
    assert masked(whole) == table.replace("{}", MASK)
    assert json.loads(masked(json.dumps({"content": whole}))) == {"content": table.replace("{}", MASK)}


def test_an_identifier_under_a_secret_heading_is_masked() -> None:
    assert masked("name,api_key\nbob,5b1c9a70-3d6e-4f28-9c11-8e0f7ad24b63\n") == f"name,api_key\nbob,{MASK}\n"


@pytest.mark.parametrize("separator", [",", ";", "\t", "  ", " | "])
@pytest.mark.parametrize("more", [{}, {"code": [1, 2]}, {"stderr": "a,b;c  d | e" * 300}])
@pytest.mark.parametrize("separators", [(", ", ": "), (",", ":")])
def test_a_tables_last_row_ends_with_its_json_string(
    separator: str, more: dict[str, object], separators: tuple[str, str]
) -> None:
    table = f"USER{separator}PASSWORD\nbob{separator}"
    line = json.dumps([{"content": f"{table}{SECRET}"} | more], separators=separators)
    assert json.loads(masked(line)) == [{"content": f"{table}{MASK}"} | more]


@pytest.mark.parametrize(
    "table",
    [
        "id,user,password\n1,bob,changeme\n2,eve,\n",
        "id,token,count\n1,the,3\n2,of,5\n",
        "the password, which you know\nis nowhere, 4you\n",
        "name,key\nx,6fb1cff7690db9ac066cadbbde8e3c078efdabcf\n\nother,line2go\n",
    ],
)
def test_other_tables_stay(table: str) -> None:
    assert masked(table) == table


@pytest.mark.parametrize(
    "table",
    [
        "host,user,password,port\ndb1,shop,{},5432",
        " id | login | password \n----+-------+----------------\n  1 | kim   | {}\n(1 row)",
        "     1\tuser,password\n     2\tkim,{}",
        '"user","password"\n"kim","{}"\n',
    ],
)
def test_a_heading_may_be_the_first_line_of_a_string_in_a_record(table: str) -> None:
    """A transcript's line has fields before it, and the client's own copy after it."""
    text = table.replace("{}", SECRET)
    message = {"role": "user", "content": [{"tool_use_id": "toolu_01", "type": "tool_result", "content": text}]}
    copy = {"stdout": text, "stderr": "", "interrupted": False}
    line = {"sessionId": "5b0c6a1e", "keyName": "a", "message": message, "timestamp": "2026", "toolUseResult": copy}
    assert SECRET not in masked(json.dumps(line, separators=(",", ":")))
    assert SECRET not in masked(json.dumps(line))
    assert json.loads(masked(json.dumps(line)))["toolUseResult"]["stdout"].count(MASK) == 1


@pytest.mark.parametrize("cell", ["yes", "none", "12345", "available"])
def test_a_record_in_a_string_stays(cell: str) -> None:
    inner = json.dumps({"stdout": f"name|token\nbob|{cell}", "stderr": "", "exit_code": 0}, separators=(",", ":"))
    line = json.dumps({"content": inner})
    assert masked(line) == line


def test_an_escaped_column_separator_in_json_stays_whole() -> None:
    line = '{"content":"name,token\\nbob,\\/RfTuNAIKJZ3R2FIxR9tPgf"}'
    assert json.loads(masked(line)) == {"content": f"name,token\nbob,/{MASK}"}


def test_a_cells_escape_stays_whole() -> None:
    table = f"name,token\nbob,\t{SECRET}"
    assert json.loads(masked(json.dumps({"content": table})))["content"].startswith("name,token\nbob,\t")
