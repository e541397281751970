"""Take pictures of the pages, of a match of every game, and of the viewer in the terminal: `make shots`.

    python -m tools.shots FOLDER [TOUR]

Those that docs/viewer.md and the site of the documentation show are put into the folder TOUR as well. Plays a short
tournament of each game with the sample bots, from a fixed seed, and looks at it with Debian's chromium.
"""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from arena.store import open_store
from arena.viewer.replay import Replay
from arena.viewer.terminal.app import Viewer
from sample_bots import SAMPLES
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


TOUR = ("tournament", "cambio", "fog", "play", "submit", "terminal-cambio", "fog-narrow")
"""Those that docs/viewer.md shows."""


def main(folder: Path, tour: Path | None = None) -> None:
    """Take all pictures. tour: where to put those that the documents show."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work:
        database = Path(work) / "arena.db"
        first = [play(game, database) for game in GAMES]
        # Before the browser: Playwright keeps an event loop running, and the viewer wants its own.
        drawn = {game: terminal(database, match, GAMES[game]) for game, match in zip(GAMES, first, strict=True)}
        with served(database) as server, sync_playwright() as playwright:
            address = server.address
            arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
            with playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments) as browser:
                for name, path, whole in (
                    ("tournaments", "/", False),
                    ("tournament", "/tournaments/1", False),
                    ("matches", "/matches", False),
                    ("bot", "/bots/counter", True),
                ):
                    take(browser, f"{address}{path}", folder / f"{name}.png", whole=whole)
                for (game, frame), match in zip(GAMES.items(), first, strict=True):
                    take(browser, f"{address}/matches/{match}#move={frame}", folder / f"{game}.png", frame=frame)
                there = f"{address}/matches/1#move=40&seat=2"
                take(browser, there, folder / "fog.png", frame=40)
                take(browser, there, folder / "fog-dark.png", frame=40, dark=True)
                take(browser, there, folder / "fog-narrow.png", frame=40, size=NARROW, whole=True)
                by_hand(browser, address, folder / "play.png")
                for game, picture in drawn.items():
                    develop(browser, picture, folder / f"terminal-{game}.png")
                handed_in(browser, database, folder / "submit.png")
    if tour is not None:
        tour.mkdir(parents=True, exist_ok=True)
        for name in TOUR:
            shutil.copy(folder / f"{name}.png", tour)
        (tour / "games").mkdir(exist_ok=True)
        for game in GAMES:
            shrink(folder / f"{game}.png", tour / "games" / f"{game}.png")


def shrink(picture: Path, file: Path) -> None:
    """Write a picture three quarters as large, with 128 colours: a tenth of the bytes."""
    with Image.open(picture) as image:
        smaller = image.convert("RGB").resize((image.width * 3 // 4, image.height * 3 // 4), Image.Resampling.LANCZOS)
    smaller.quantize(128).save(file, optimize=True)


def by_hand(browser: Browser, address: str, file: Path) -> None:
    """Take one picture of a match that is played by hand."""
    page = browser.new_page(viewport=WIDE)
    page.goto(f"{address}/play/perudo")
    page.click("button.main")
    for _ in range(2):
        page.locator("#moves button:not([disabled])").first.click()
        page.wait_for_function("() => document.querySelector('#moves button:not([disabled])')")
    page.screenshot(path=file)
    page.click("#leave")
    page.close()
    print(file)


def handed_in(browser: Browser, database: Path, file: Path) -> None:
    """Take one picture of a bot that was handed in and checked."""
    made = [*ARENA, "accounts", "create", "club", "--db", str(database)]
    token = subprocess.run(made, check=True, capture_output=True, text=True).stdout.strip()
    with served(database, "--sign-in") as server:
        page = browser.new_page(viewport={"width": 1360, "height": 760})
        page.goto(f"{server.address}/sign-in")
        page.fill("input[name=token]", token)
        page.click("button.main")
        page.fill("#name", "club/owl")
        page.set_input_files("#file", str(SAMPLES["banker"].path))
        page.click("#send")
        page.wait_for_selector("#verdict.accepted", timeout=300_000)
        page.screenshot(path=file)
        page.close()
    print(file)


def play(game: str, database: Path) -> int:
    """Play a tournament of a game; return the id of its first match."""
    command = [*ARENA, "tourney", "--game", game, "--rounds", "12", "--seed", "1", "--db", str(database)]
    subprocess.run(command, check=True, capture_output=True)
    listed = subprocess.run(
        [*ARENA, "matches", "--limit", "0", "--db", str(database)], check=True, capture_output=True, text=True
    )
    return min(int(line.split()[0]) for line in listed.stdout.splitlines() if f" {game} " in line)


def take(
    browser: Browser,
    address: str,
    file: Path,
    *,
    frame: int | None = None,
    size: dict[str, int] = WIDE,
    dark: bool = False,
    whole: bool = False,
) -> None:
    """Take one picture. frame: of a replay, which is waited for. whole: the page as long as it is."""
    page = browser.new_page(viewport=size, color_scheme="dark" if dark else "light")
    page.goto(address)
    if frame is not None:
        page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
        page.wait_for_load_state("networkidle")  # the marks come with the rest of the match
    page.screenshot(path=file, full_page=whole)
    page.close()
    print(file)


def terminal(database: Path, match: int, frame: int) -> str:
    """Return the viewer in the terminal as an SVG picture."""
    with open_store(str(database)) as store:
        viewer = Viewer(Replay(store.match(match)), frame)

    async def drawn() -> str:
        async with viewer.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            return viewer.export_screenshot()

    return asyncio.run(drawn())


def develop(browser: Browser, picture: str, file: Path) -> None:
    """Make a PNG of an SVG picture."""
    page = browser.new_page(viewport={"width": 1240, "height": 900})
    page.context.set_offline(True)  # it would ask for a font
    page.set_content(picture)
    page.locator("svg").screenshot(path=file)
    page.close()
    print(file)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
