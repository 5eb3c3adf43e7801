"""A column's heading says what is in its cells."""

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
def test_each_cell_of_it_is_masked_in_json_too(table: str) -> None:
    whole = table.replace("{}", SECRET)
    assert masked(whole) == table.replace("{}", MASK)
    assert json.loads(masked(json.dumps({"content": whole}))) == {"content": table.replace("{}", MASK)}


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
