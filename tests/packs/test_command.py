import shutil
import sys
from pathlib import Path

import pytest

from arena.packs.command import command_line, own_files
from arena.packs.errors import ManifestError, NotBuilt
from arena.packs.manifest import Manifest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    (tmp_path / "main.py").write_text("")
    return tmp_path


def test_python_is_that_of_arena_and_other_programs_are_found(folder: Path) -> None:
    assert command_line(Manifest("python", ("python3", "main.py")), folder) == (sys.executable, "main.py")
    assert command_line(Manifest("shell", ("./bot", "-x")), folder) == ("./bot", "-x")
    assert command_line(Manifest("shell", ("sh", "bot")), folder) == (shutil.which("sh"), "bot")
    assert own_files(Manifest("shell", ("sh", "bot")), folder) == (folder / "bot",)


@pytest.mark.parametrize("word", ["../secret", "link", "{}"])
def test_a_command_names_no_files_of_others(folder: Path, tmp_path_factory: pytest.TempPathFactory, word: str) -> None:
    mine = folder / "mine"
    mine.mkdir()
    (mine / "bot").write_text("#!/bin/sh\n")
    (mine / "bot").chmod(0o755)
    (folder / "secret").write_text("of others")
    (mine / "link").symlink_to(folder / "secret")
    word = word.format(folder / "secret")
    with pytest.raises(ManifestError, match="which is not in .*: put the bot.s files into its folder"):
        command_line(Manifest("shell", ("./bot", word)), mine)


def test_lines_of_json_are_bridged(folder: Path) -> None:
    manifest = Manifest("shell", ("./bot",), protocol="stdio")
    assert command_line(manifest, folder) == (sys.executable, "-P", "-m", "arena.bridge", "--", "./bot")


def test_a_program_to_be_built_is_told_how(folder: Path) -> None:
    with pytest.raises(ManifestError, match=r"there is no program ./out in .*: build it first \(make out\)"):
        command_line(Manifest("c", ("./out",), build=("make", "out")), folder)


def test_a_script_that_is_missing_is_named_with_the_near_miss(folder: Path) -> None:
    with pytest.raises(ManifestError, match=r'names mian.py, and there is no such file .*; did you mean "main.py"\?'):
        command_line(Manifest("python", ("python3", "mian.py")), folder)
    with pytest.raises(NotBuilt, match=r"there is no file dist/bot.js in .*: build it first \(npm run build\)"):
        command_line(Manifest("typescript", ("node", "dist/bot.js"), build=("npm", "run", "build")), folder)
    with pytest.raises(ManifestError, match=r"names mian.py, and there is no such file"):
        command_line(Manifest("python", ("python3", "-u", "mian.py")), folder)
    with pytest.raises(ManifestError, match=r"runs the module mian, which is neither in .* nor installed"):
        command_line(Manifest("python", ("python3", "-m", "mian.bot")), folder)
    for module in ("main", "json.tool"):
        assert command_line(Manifest("python", ("python3", "-m", module)), folder)[1:] == ("-m", module)
