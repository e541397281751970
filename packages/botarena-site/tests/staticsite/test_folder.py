"""The folder of a site: what is replaced, what stays, and what is refused."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from arena_site.errors import SiteError
from arena_site.folder import OURS, site_folder


def write(target: Path, **files: str) -> None:
    with site_folder(target) as folder:
        for name, content in files.items():
            folder.write(name.replace("__", "/"), content)
        folder.publish()


def files(target: Path) -> dict[str, str]:
    return {str(path.relative_to(target)): path.read_text() for path in target.rglob("*") if path.is_file()}


def test_a_new_folder_appears_with_all_files(tmp_path: Path) -> None:
    write(tmp_path / "deep" / "cup", index="1", bots__a="2")
    assert files(tmp_path / "deep" / "cup").keys() == {"index", "bots/a", OURS}
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["cup"]


def test_an_earlier_site_is_replaced_and_other_files_stay(tmp_path: Path) -> None:
    cup = tmp_path / "cup"
    write(cup, index="1", bots__a="2", bots__b="3")
    (cup / "CNAME").write_text("example.org")
    (cup / ".git").mkdir()
    (cup / ".git" / "HEAD").write_text("ref")
    write(cup, index="4", matches__c="5")
    told = files(cup)
    assert set(json.loads(told.pop(OURS))["files"]) == {"index", "matches/c"}
    assert told == {"index": "4", "matches/c": "5", "CNAME": "example.org", ".git/HEAD": "ref"}
    assert not (cup / "bots").exists()


def test_a_file_that_somebody_changed_is_not_removed(tmp_path: Path) -> None:
    write(tmp_path / "cup", index="1", bots__a="2")
    (tmp_path / "cup" / "bots" / "a").write_text("mine")
    write(tmp_path / "cup", index="1")
    assert (tmp_path / "cup" / "bots" / "a").read_text() == "mine"


def test_an_equal_file_is_not_written_again(tmp_path: Path) -> None:
    write(tmp_path / "cup", index="1")
    before = (tmp_path / "cup" / "index").stat().st_ino
    write(tmp_path / "cup", index="1")
    assert (tmp_path / "cup" / "index").stat().st_ino == before


def test_a_file_of_somebody_else_is_not_overwritten(tmp_path: Path) -> None:
    write(tmp_path / "cup", index="1")
    (tmp_path / "cup" / "about").write_text("mine")
    with pytest.raises(SiteError, match="about is not a file of an earlier site"):
        write(tmp_path / "cup", index="2", about="3")
    assert (tmp_path / "cup" / "about").read_text() == "mine"
    assert (tmp_path / "cup" / "index").read_text() == "1"


def test_a_folder_with_other_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(SiteError, match=r"holds other files \(notes.txt\)"):
        write(tmp_path, index="1")
    with pytest.raises(SiteError, match="is a file"):
        write(tmp_path / "notes.txt", index="1")


@pytest.mark.parametrize("text", ["{", "[]", '{"files": []}', "{}"])
def test_a_damaged_list_is_an_error(tmp_path: Path, text: str) -> None:
    write(tmp_path / "cup", index="1")
    (tmp_path / "cup" / OURS).write_text(text)
    with pytest.raises(SiteError, match="is damaged"):
        write(tmp_path / "cup", index="1")


def test_a_forged_list_removes_nothing_outside(tmp_path: Path) -> None:
    precious, listed = tmp_path / "precious", tmp_path / "cup" / OURS
    precious.write_text("mine")
    write(tmp_path / "cup", index="1", old="1")
    names = json.loads(listed.read_text())["files"]
    digest = sha256(b"mine").hexdigest()  # with another one it would stay as a file that was changed since
    listed.write_text(json.dumps({"files": {**names, "../precious": digest, str(precious): digest}}))
    write(tmp_path / "cup", index="2")
    assert not (tmp_path / "cup" / "old").exists()
    assert precious.exists()


def test_what_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    write(tmp_path / "cup", index="1")

    def fail() -> None:
        with site_folder(tmp_path / "cup") as folder:
            folder.write("index", "2")
            raise RuntimeError("halfway")

    with pytest.raises(RuntimeError):
        fail()
    assert files(tmp_path / "cup")["index"] == "1"
    assert [path.name for path in tmp_path.iterdir()] == ["cup"]


def test_a_run_that_was_stopped_halfway_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = tmp_path / "cup"
    write(cup, index="1", old="1")
    monkeypatch.setattr("arena_site.folder.SiteFolder._remove", lambda self, path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write(cup, index="2", new="2")
    monkeypatch.undo()
    write(cup, index="3", newest="3")
    told = files(cup)
    del told[OURS]
    assert told == {"index": "3", "newest": "3"}


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SiteError, match="cannot be written: .*; name another folder with --to"):
        write(tmp_path / "file" / "cup", index="1")
