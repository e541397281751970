"""Owners files as spreadsheets write them, and as people get them wrong."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from arena_classroom.errors import OwnersError
from arena_classroom.owners_file import OwnersRow, read_owners

ROWS = [OwnersRow(2, "Müller, Jörg", "muller-jorg"), OwnersRow(3, "fox", "ann", "red-fox")]


def read(tmp_path: Path, content: bytes | str) -> list[OwnersRow]:
    path = tmp_path / "owners.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_owners(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize(
    "text",
    [
        'folder,owner,name\n"Müller, Jörg",Müller Jörg,\nfox,ann,Red Fox\n',
        "Bot;E-Mail;Owner;Name;;\r\nMüller, Jörg;x@y;Müller Jörg;;;\r\nfox/;;ann;red-fox;;\r\n;;;;;\r\n",
        "owner\tfolder\tname\nMüller Jörg\tMüller, Jörg\nann\t fox \tRED fox",
    ],
)
def test_spreadsheets_write_it_in_many_ways(tmp_path: Path, text: str, encoding: str) -> None:
    assert read(tmp_path, text.encode(encoding)) == ROWS


def test_rows_are_counted_as_a_spreadsheet_does(tmp_path: Path) -> None:
    text = 'sep=;\r\n\r\nfolder;owner;note\r\nowl;ann;"two\r\nlines"\r\n\r\nfox;ben;\r\n'
    assert [row.number for row in read(tmp_path, text)] == [4, 6]


def test_the_time_of_the_hand_in(tmp_path: Path) -> None:
    text = "folder,owner,Handed In\na,x,2026-05-01T17:58+02:00\nb,y,2026-05-01 17:58:30Z\nc,z,\nd,w,01.05.2026 17:58\n"
    at = [row.handed_in for row in read(tmp_path, text)]
    assert at[0] == datetime(2026, 5, 1, 15, 58, tzinfo=UTC)
    assert at[1] == datetime(2026, 5, 1, 15, 58, tzinfo=UTC) + timedelta(hours=2, seconds=30)
    assert (at[2], at[3]) == (None, datetime(2026, 5, 1, 17, 58).astimezone())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is empty: its first row names the columns"),
        ("folder,owner\n", "has no row below its titles"),
        ("owl,ann\nfox,ben\n", r"has no column folder: its first row must name the columns \(it has owl, ann\)"),
        ("folder,folder,owner\n", r"has two columns folder"),
        ("folder,owner\nowl,\n", "row 2: owner is empty"),
        ("folder,owner\n,ann\n", "row 2: folder is empty"),
        ("folder,owner\nowl\n", "row 2: owner is empty"),
        ("folder,owner\nowl,ann\nfox,ann\nowl,ben\n", 'row 4: "owl" is in row 2 already'),
        ("folder,owner\nowl,Ann B\nfox,ann-b\n", 'row 3: "ann-b" becomes the owner ann-b, as another one in row 2'),
        ("folder,owner\nowl,王\n", "row 2: no owner can be made of"),
        ("folder,owner\n../owl,ann\n", 'row 2: folder is "../owl": it must be the name of an entry'),
        ("folder,owner\n..,ann\n", 'row 2: folder is "..": it must be'),
        ("folder,owner,name\nowl,ann,王\n", 'row 2: a submission cannot be named "王"'),
        ("folder,owner,handed_in\nowl,ann,05/01/2026\n", 'row 2: handed_in is "05/01/2026": write it as 2026-05-01'),
        ("folder,owner,handed_in\nowl,ann,2026-05-01\n", 'row 2: handed_in is "2026-05-01": write it as'),
        ("folder,owner,handed_in\nowl,ann,0001-01-01 00:00\n", "row 2: handed_in is"),
        ("folder,owner\n" + 'owl,"' + "x" * 200_000, "cannot be read as CSV: field larger than"),
        (b"PK\x03\x04", "is a spreadsheet and not a CSV file"),
        ("x" * (4 * 1024**2 + 1), "is too large"),
    ],
)  # fmt: skip
def test_mistakes_name_their_rows(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    with pytest.raises(OwnersError, match=sentence):
        read(tmp_path, text)


def test_all_mistakes_are_listed_at_once(tmp_path: Path) -> None:
    with pytest.raises(
        OwnersError, match=r"so nothing was submitted:(\n    row \d+: owner is empty){10}\n    and 2 more"
    ):
        read(tmp_path, "folder,owner\n" + "".join(f"{number},\n" for number in range(12)))


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "none"):
        with pytest.raises(OwnersError, match='is not a file: name a CSV file, or "folders"'):
            read_owners(path)
