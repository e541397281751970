"""Take pictures of the pages, of a match of every game, and of the viewer in the terminal: `make shots`.

    python -m tools.shots FOLDER [TOUR] [--language CODE]... [--data OTHER]

Those that docs/viewer.md and the site of the documentation show are put into the folder TOUR as well, in English. Plays
a short tournament of each game with the sample bots, from a fixed seed, and looks at it with Debian's chromium, in each
language that a page has, or in some. With --data the pictures show the same matches as earlier ones in the folder
OTHER: then `python -m tools.compare_shots OTHER FOLDER` tells which pages look different.
"""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from arena.language.languages import ENGLISH, LANGUAGES
from arena.replay.replay import Replay
from arena.replay.terminal.app import Viewer
from arena.store import open_store
from sample_bots import SAMPLES
from tools.camera import Camera, chromium, data, parser
from tools.compare_shots import LIVE
from tools.serving import served

ARENA = [sys.executable, "-m", "arena"]
WIDE = {"width": 1360, "height": 900}
NARROW = {"width": 390, "height": 844}
GAMES = {
    "cambio": 41,
    "cucco": 30,
    "perudo": 12,
    "scopa": 16,
    "lustu": 12,
    "cucu": 12,
    "torionfo": 30,
    "coch": 16,
    "zifuli": 40,
    "kille": 24,
    "hypp": 20,
}
"""Each game, and the frame at which its table is shown."""


TOUR = ("tournament", "cambio", "fog", f"{LIVE}/play", f"{LIVE}/submit", "terminal-cambio", "fog-narrow")
"""Those that docs/viewer.md shows."""

DATABASE = "shots.db"


def main(folder: Path, tour: Path | None, languages: Sequence[str], other: Path | None) -> None:
    """Take all pictures.

    tour: where to put those that the documents show.
    other: whose matches they show.
    """
    played = data(folder, other, [DATABASE], play_all) / DATABASE
    first = first_matches(played)
    # Before the browser: Playwright keeps an event loop running, and the viewer wants its own.
    drawn = {game: terminal(played, first[game], frame) for game, frame in GAMES.items()}
    with chromium() as browser:
        for language in languages:
            with TemporaryDirectory() as work:
                database = Path(shutil.copy(played, work))
                camera = Camera(browser, folder / language, language)
                pages(camera, database, first)
                handed_in(camera, database)
                if language == ENGLISH:  # the viewer in the terminal has no other
                    for game, picture in drawn.items():
                        develop(camera, picture, f"terminal-{game}")
    if tour is not None:
        english = folder / ENGLISH
        tour.mkdir(parents=True, exist_ok=True)
        for name in TOUR:
            shutil.copy(english / f"{name}.png", tour)
        (tour / "games").mkdir(exist_ok=True)
        for game in GAMES:
            shrink(english / f"{game}.png", tour / "games" / f"{game}.png")


def pages(camera: Camera, database: Path, first: Mapping[str, int]) -> None:
    """Take the pictures of the pages and of matches.

    first: the id of the first match of each game.
    """
    with served(database) as server:
        address = server.address
        for name, path, whole in (
            ("tournaments", "/", False),
            ("tournament", "/tournaments/1", False),
            ("matches", "/matches", False),
            ("bot", "/bots/counter", True),
        ):
            take(camera, f"{address}{path}", name, whole=whole)
        for game, frame in GAMES.items():
            take(camera, f"{address}/matches/{first[game]}#move={frame}", game, frame=frame)
        there = f"{address}/matches/1#move=40&seat=2"
        take(camera, there, "fog", frame=40)
        take(camera, there, "fog-dark", frame=40, dark=True)
        take(camera, there, "fog-narrow", frame=40, size=NARROW, whole=True)
        by_hand(camera, address)


def shrink(picture: Path, file: Path) -> None:
    """Write a picture three quarters as large, with 128 colours: a tenth of the bytes."""
    with Image.open(picture) as image:
        smaller = image.convert("RGB").resize((image.width * 3 // 4, image.height * 3 // 4), Image.Resampling.LANCZOS)
    smaller.quantize(128).save(file, optimize=True)


def by_hand(camera: Camera, address: str) -> None:
    """Take one picture of a match that is played by hand."""
    page = camera.page(viewport=WIDE)
    page.goto(f"{address}/play/perudo")
    page.click("button.main")
    for _ in range(2):
        page.locator("#moves button:not([disabled])").first.click()
        page.wait_for_function("() => document.querySelector('#moves button:not([disabled])')")
    camera.take(page, "play", live=True)
    page.click("#leave")
    page.close()


def handed_in(camera: Camera, database: Path) -> None:
    """Take one picture of a bot that was handed in and checked."""
    made = [*ARENA, "accounts", "create", "club", "--db", str(database)]
    token = subprocess.run(made, check=True, capture_output=True, text=True).stdout.strip()
    with served(database, "--sign-in") as server:
        page = camera.page(viewport={"width": 1360, "height": 760})
        page.goto(f"{server.address}/sign-in")
        page.fill("input[name=token]", token)
        page.click("button.main")
        page.fill("#name", "club/owl")
        page.set_input_files("#file", str(SAMPLES["banker"].path))
        page.click("#send")
        page.wait_for_selector("#verdict.accepted", timeout=300_000)
        camera.take(page, "submit", live=True)
        page.close()


def play_all(folder: Path) -> None:
    """Play a tournament of each game, into a database in a folder."""
    for game in GAMES:
        command = [*ARENA, "tourney", "--game", game, "--rounds", "12", "--seed", "1", "--db", str(folder / DATABASE)]
        subprocess.run(command, check=True, capture_output=True)


def first_matches(database: Path) -> dict[str, int]:
    """Return the id of the first match of each game."""
    command = [*ARENA, "matches", "--limit", "0", "--db", str(database)]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return {game: min(int(line.split()[0]) for line in listed if f" {game} " in line) for game in GAMES}


def take(
    camera: Camera,
    address: str,
    name: str,
    *,
    frame: int | None = None,
    size: dict[str, int] = WIDE,
    dark: bool = False,
    whole: bool = False,
) -> None:
    """Take one picture.

    frame: of a replay, which is waited for.
    whole: the page as long as it is.
    """
    page = camera.page(viewport=size, color_scheme="dark" if dark else "light")
    page.goto(address)
    if frame is not None:
        page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
        page.wait_for_load_state("networkidle")  # the marks come with the rest of the match
    camera.take(page, name, whole=whole)
    page.close()


def terminal(database: Path, match: int, frame: int) -> str:
    """Return the viewer in the terminal as an SVG picture."""
    with open_store(str(database)) as store:
        viewer = Viewer(Replay(store.match(match)), frame)

    async def drawn() -> str:
        async with viewer.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            return viewer.export_screenshot()

    return asyncio.run(drawn())


def develop(camera: Camera, picture: str, name: str) -> None:
    """Make a PNG of an SVG picture."""
    page = camera.page(viewport={"width": 1240, "height": 900})
    page.context.set_offline(True)  # it would ask for a font
    page.set_content(picture)
    page.locator("svg").screenshot(path=camera.file(name))
    page.close()


if __name__ == "__main__":
    words = parser("Take pictures of the pages.")
    words.add_argument("tour", type=Path, nargs="?", metavar="TOUR", help="where to put those that the documents show")
    given = words.parse_args()
    main(given.folder, given.tour, given.language or list(LANGUAGES), given.data)
