"""Folders as classes hand them in: with what Moodle, Canvas and desktops put there."""

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from arena_classroom.class_folder import ClassFolder, HandIn, locate_bot, read_folder, read_listed, read_owner_folders
from arena_classroom.owners_file import OwnersRow

from arena.packs.errors import PackError
from arena.packs.names import word_from

MOODLE = "Müller Jörg_1234_assignsubmission_file_"


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Make files below the folder of the class; those without content are Python files of a line."""

    def make(*names: str, content: bytes = b"pass\n", mode: int = 0o644) -> Path:
        for name in names:
            path = tmp_path / "class" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(mode)
        return tmp_path / "class"

    return make


def names(found: ClassFolder) -> dict[str, str]:
    """Return the labels and names of hand-ins without a problem."""
    return {hand_in.label: hand_in.name for hand_in in found.hand_ins if not hand_in.problem}


def problem(found: ClassFolder) -> HandIn:
    [wrong] = [hand_in for hand_in in found.hand_ins if hand_in.problem]
    return wrong


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Müller, Jörg", "muller-jorg"),
        (unicodedata.normalize("NFD", "Müller"), "muller"),
        ("Straße Łódź Ærø", "strasse-lodz-aero"),
        ("O'Neill", "oneill"),
        ("4ward", "ward"),
        ("x" * 31 + "-yz", "x" * 31),
        ("王小明", ""),
        ("../..", ""),
    ],
)
def test_a_word_is_made_of_any_text(text: str, word: str) -> None:
    assert word_from(text) == word


def test_folders_and_files_are_named_after_their_owners(put: Callable[..., Path]) -> None:
    folder = put(
        "ann/owl/bot.toml",
        "ann/fox.py",
        "ben/bot.toml",
        "ben/main.py",
        "cleo.py",
        "dan/deep/er/bot.toml",
        "eve/bot.ZIP",
    )
    found = read_owner_folders(folder)
    assert names(found) == {
        "ann/fox.py": "ann/fox", "ann/owl": "ann/owl", "ben": "ben/bot", "cleo.py": "cleo/bot", "dan/deep/er": "dan/er",
        "eve/bot.ZIP": "eve/bot",
    }  # fmt: skip
    assert (found.ignored, found.remarks) == ([], [])


def test_downloads_of_moodle_and_canvas_name_owners(put: Callable[..., Path]) -> None:
    folder = put(
        f"{MOODLE}/final v2.py", f"{MOODLE}/Thumbs.db", "Müller Jörg_1234_assignsubmission_onlinetext_/onlinetext.html",
        "Doe Jane_77_assignsubmission_file_My Bot.zip", "roejohn_LATE_5_9001_bot-1.py", "poeann_6_9002_bot.tar.gz",
    )  # fmt: skip
    assert names(read_owner_folders(folder)) == {
        f"{MOODLE}/final v2.py": "muller-jorg/bot",
        "Doe Jane_77_assignsubmission_file_My Bot.zip": "doe-jane/bot",
        "roejohn_LATE_5_9001_bot-1.py": "roejohn/bot",
        "poeann_6_9002_bot.tar.gz": "poeann/bot",
    }


def test_namesakes_are_not_one_owner(put: Callable[..., Path]) -> None:
    folder = put("Doe Jane_1_assignsubmission_file_/a.py", "Doe Jane_2_assignsubmission_file_/a.py")
    found = read_owner_folders(folder)
    assert names(found) == {"Doe Jane_1_assignsubmission_file_/a.py": "doe-jane/bot"}
    assert problem(found).problem.startswith(
        "somebody else has the owner doe-jane already: name both in an owners file"
    )
    assert problem(found).name == ""


def test_stray_files_are_ignored_and_named(put: Callable[..., Path]) -> None:
    put("__MACOSX/._ann", "._ann", ".DS_Store", "Thumbs.db", "desktop.ini", "README.md", "owl.toml", "owners.csv")
    put("notes.txt", content=b"hello", mode=0o777)  # on some disks every file is executable
    put("build.sh", content=b"#!/bin/sh\n")
    folder = put("ann/main.py", "ann/data/deck.json", "ann/README.md")
    put("ben", content=b"\x7fELF")  # refused when it is read, as it is not executable
    put("cleo", content=b"#!/bin/sh\n", mode=0o755)
    os.mkfifo(folder / "ann/pipe")
    found = read_owner_folders(folder)
    assert names(found) == {"ann/main.py": "ann/main", "ben": "ben/bot", "cleo": "cleo/bot"}
    assert set(found.ignored) == {
        "__MACOSX", "._ann", ".DS_Store", "Thumbs.db", "desktop.ini", "README.md", "owl.toml", "owners.csv",
        "notes.txt", "build.sh", "ann/data", "ann/README.md", "ann/pipe",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (["ann/readme.md"], "it holds no bot.toml, Python file, program or archive, only readme.md"),
        (["ann/main.py", "ann/helper.py"], "it has 2 Python files and no bot.toml: add a bot.toml that says which"),
        (["王/main.py"], 'no owner can be made of "王": name one in an owners file'),
        (["ann/王.py"], 'a submission cannot be named "ann/"'),
    ],
)
def test_a_hand_in_without_a_bot_is_refused_alone(put: Callable[..., Path], files: list[str], sentence: str) -> None:
    found = read_owner_folders(put("zoe.py", *files))
    assert names(found) == {"zoe.py": "zoe/bot"}
    assert problem(found).problem.startswith(sentence)


def test_an_empty_hand_in_is_told_what_belongs_there(put: Callable[..., Path]) -> None:
    folder = put("zoe.py")
    (folder / "ann").mkdir()
    sentence = "it is empty: hand in a Python file, a program, a folder with a bot.toml, or an archive of one"
    assert problem(read_owner_folders(folder)).problem == sentence


def test_links_are_not_followed(put: Callable[..., Path], tmp_path: Path) -> None:
    folder = put("ann/owl.py", "ben/owl.py")
    (folder / "ben/more").symlink_to(tmp_path)
    (folder / "cleo").symlink_to(folder / "ann")
    found = read_owner_folders(folder)
    assert names(found) == {"ann/owl.py": "ann/owl", "ben/owl.py": "ben/owl", "cleo": "cleo/bot"}  # refused when read
    assert found.ignored == ["ben/more"]


def test_the_owners_file_says_whose_they_are(put: Callable[..., Path]) -> None:
    decomposed = unicodedata.normalize("NFD", "Jörg")
    folder = put(
        f"{decomposed}/main.py",
        "Good Owl/bot.toml",
        "two/a.py",
        "two/b/bot.toml",
        "nobody.py",
        "pair/a.zip",
        "pair/b.zip",
    )
    rows = [
        OwnersRow(2, "Jörg", "jorg", "crow"), OwnersRow(3, "Good Owl", "ann"), OwnersRow(4, "two", "ben"),
        OwnersRow(5, "Good Oul", "cleo"), OwnersRow(6, "pair", "dan", "one"),
    ]  # fmt: skip
    found = read_listed(folder, rows, "owners.csv")
    assert names(found) == {
        f"{decomposed}/main.py": "jorg/crow", "Good Owl": "ann/good-owl", "two/a.py": "ben/a", "two/b": "ben/b"
    }  # fmt: skip
    wrong = {hand_in.label: hand_in.problem for hand_in in found.hand_ins if hand_in.problem}
    assert wrong == {
        "nobody.py": "no row of owners.csv names it: add one with its folder and owner",
        "pair": "it holds 2 bots, and its row gives one name: leave the name out",
    }
    [remark] = found.remarks
    assert remark == 'owners.csv, row 5: nothing was handed in as "Good Oul" (cleo); did you mean "Good Owl"?'


def test_of_two_bots_of_one_name_the_first_counts(put: Callable[..., Path]) -> None:
    found = read_folder(put("Good Owl/bot.toml", "good-owl/bot.toml", "fox.tar.gz"), "lab")
    assert names(found) == {"Good Owl": "lab/good-owl", "fox.tar.gz": "lab/fox"}
    assert problem(found) == HandIn(
        "good-owl", problem(found).path, "", "Good Owl has the same name, lab/good-owl: rename one of them"
    )


def test_a_folder_without_bots(put: Callable[..., Path], tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"class is not a folder: name a folder"):
        read_folder(tmp_path / "class", None)
    (tmp_path / "download.zip").write_bytes(b"PK")
    with pytest.raises(PackError, match=r"download.zip is not a folder: unpack it, and name a folder"):
        read_folder(tmp_path / "download.zip", None)
    (tmp_path / "class").mkdir()
    with pytest.raises(PackError, match=r"class is empty: name a folder"):
        read_folder(tmp_path / "class", None)
    with pytest.raises(PackError, match=r"class holds no bot, only README.md: name a folder"):
        read_folder(put("README.md"), None)


def test_the_only_bot_of_an_archive(put: Callable[..., Path]) -> None:
    assert locate_bot(put("x/y/bot.toml", "x/y/main.py")).name == "y"
    with pytest.raises(PackError, match="it holds 2 bots: hand in each"):
        locate_bot(put("x/z/bot.toml"))
