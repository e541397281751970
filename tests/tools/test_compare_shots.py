"""Pictures of pages in two folders."""

from pathlib import Path

import pytest
from PIL import Image

from tools.compare_shots import main


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with a grey picture in each language."""
    for folder in ("old", "new"):
        for language in ("en", "ko"):
            (tmp_path / folder / language / "live").mkdir(parents=True)
            Image.new("RGB", (30, 20), "grey").save(tmp_path / folder / language / "board.png")
    return tmp_path / "old", tmp_path / "new"


def test_pictures_that_look_the_same(folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = folders
    Image.new("RGB", (30, 20), "grey").save(new / "ko" / "board.png", compress_level=0)
    Image.new("RGB", (30, 20), "red").save(new / "en" / "live" / "play.png")
    assert (old / "ko" / "board.png").read_bytes() != (new / "ko" / "board.png").read_bytes()
    assert main([str(old), str(new)]) == 0
    assert capsys.readouterr().out == "2 of 2 pictures look the same\n"


def test_where_they_differ(folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = folders
    with Image.open(new / "en" / "board.png") as picture:
        picture.putpixel((5, 7), (0, 0, 0))
        picture.putpixel((8, 7), (128, 119, 128))
        picture.save(new / "en" / "board.png")
    Image.new("RGB", (30, 21), "grey").save(new / "ko" / "board.png")
    Image.new("RGB", (9, 9)).save(old / "cards.jpg")
    Image.new("RGB", (9, 9)).save(new / "en" / "fog.png")
    assert main([str(old), str(new)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"cards.jpg: is in {old} alone",
        "en/board.png: differs within 4 x 1 pixels at 5, 7",
        f"en/fog.png: is in {new} alone",
        "ko/board.png: 30 x 21 pixels instead of 30 x 20",
        "0 of 4 pictures look the same",
    ]


@pytest.mark.parametrize(
    ("level", "pixels", "told"),
    [
        (32, 10, []),
        (33, 1, ["fog.png: differs within 1 x 1 pixels at 0, 0"]),
        (9, 11, ["fog.png: differs within 11 x 1 pixels at 0, 0"]),
        (8, 10_000, []),
    ],
)
def test_edges_that_are_drawn_otherwise_look_the_same(
    level: int, pixels: int, told: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder, shade in (("old", 0), ("new", level)):
        picture = Image.new("RGB", (100, 100))
        for place in range(pixels):
            picture.putpixel((place % 100, place // 100), (0, shade, 0))
        (tmp_path / folder).mkdir()
        picture.save(tmp_path / folder / "fog.png")
    assert main([str(tmp_path / "old"), str(tmp_path / "new")]) == bool(told)
    assert capsys.readouterr().out.splitlines()[:-1] == told


def test_folders_without_a_picture_in_common(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "a"), str(tmp_path / "b")]) == 2
    assert capsys.readouterr().err == f"error: no picture is in both {tmp_path / 'a'} and {tmp_path / 'b'}\n"
