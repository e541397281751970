"""What `make shots` takes pictures with: Debian's chromium, in each language of the pages."""

import argparse
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from arena.language.languages import LANGUAGES
from tools.compare_shots import LIVE

MOST_PICTURES = 9
"""Of a page that never comes to rest, until the last one is taken as it is."""

DATA = "data"
"""The folder of the databases that the pages show."""


class Camera:
    """Takes pictures of pages in one language, those that it has.

    folder: where they are put; within, those of what happens now are in `live`.
    """

    def __init__(self, browser: Browser, folder: Path, language: str) -> None:
        self._browser = browser
        self._folder = folder
        self._language = language

    def page(self, **how: Any) -> Page:
        """Return a new page.

        how: as `Browser.new_page` takes it.
        """
        return self._browser.new_page(locale=self._language, reduced_motion="reduce", **how)

    def take(self, page: Page, name: str, *, whole: bool = False, live: bool = False) -> None:
        """Take a picture once two in a row are the same, unless the page is in another language: it has not this one.

        whole: of the page as long as it is.
        live: it shows what happens now.
        """
        if page.evaluate("document.documentElement.lang") != self._language:
            return
        before, picture = b"", page.screenshot(full_page=whole, animations="disabled")
        for _ in range(MOST_PICTURES):  # something may still move, or be drawn anew
            if picture == before:
                break
            before, picture = picture, page.screenshot(full_page=whole, animations="disabled")
        self.file(name, live=live).write_bytes(picture)

    def file(self, name: str, *, live: bool = False) -> Path:
        """Return the file of a picture, and print it.

        live: it shows what happens now.
        """
        file = self._folder / (LIVE if live else "") / f"{name}.png"
        file.parent.mkdir(parents=True, exist_ok=True)
        print(file, flush=True)
        return file


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser."""
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments) as browser,
    ):
        yield browser


def parser(description: str) -> argparse.ArgumentParser:
    """Return what reads the words of a command that takes pictures: a folder, languages, data."""
    words = argparse.ArgumentParser(description=description)
    words.add_argument("folder", type=Path, metavar="FOLDER", help="where to put them: a folder for each language")
    words.add_argument("--language", action="append", choices=LANGUAGES, help="repeatable; default: all of them")
    words.add_argument(
        "--data", type=Path, metavar="OTHER", help="show what the pictures in OTHER show, instead of playing anew"
    )
    return words


def data(folder: Path, other: Path | None, names: Sequence[str], play: Callable[[Path], None]) -> Path:
    """Return the folder of the data of pictures.

    other: the folder of earlier pictures, whose data are copied; None: they are played.
    names: of the files.
    play: makes the files in a folder.
    """
    place = folder / DATA
    place.mkdir(parents=True, exist_ok=True)
    if other is None:
        for name in names:
            (place / name).unlink(missing_ok=True)
        play(place)
    elif not place.samefile(other / DATA):
        for name in names:
            shutil.copy(other / DATA / name, place)
    return place
