"""Pictures of the pages of leagues, in three sizes, light and dark: a part of `make shots`.

    python -m tools.league_shots FOLDER [--language CODE]... [--data OTHER]

Plays a short league of Cambio with submitted bots, one of which crashes, to the end of a season, and creates another
one in which nothing has been played, and whose season is frozen.
"""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.language.languages import LANGUAGES
from arena.league.store.batches import Batches
from arena.league.store.leagues import Leagues
from arena.packs.candidate import read_candidate
from arena.store import Store, open_store
from arena.store.people.submissions import PackRow
from sample_bots import SAMPLES
from tools.camera import Camera, chromium, data, parser
from tools.serving import served

ARENA = [sys.executable, "-m", "arena"]
SIZES = {"large": (1440, 900), "usual": (1280, 720), "phone": (390, 844)}
BOTS = {
    "club/owl": "cautious",
    "fox/hen": "counter",
    "town/jay": "banker",
    "guild/a-bot-with-a-rather-long-name": "random",
}
BATCHES = 12
DATABASE, TOKEN = "league-shots.db", "league-shots.token"

CRASHES = """
from arena.sdk import Bot

class Crashes(Bot):
    def choose(self, question):
        raise SystemExit(3)

Crashes().run()
"""


def main(folder: Path, languages: Sequence[str], other: Path | None) -> None:
    """Take all pictures.

    other: whose leagues they show.
    """
    played = data(folder, other, [DATABASE, TOKEN], play)
    token = (played / TOKEN).read_text()
    with chromium() as browser:
        for language in languages:
            with TemporaryDirectory() as work:
                database = Path(shutil.copy(played / DATABASE, work))
                camera = Camera(browser, folder / language, language)
                with served(database, "--sign-in") as server:
                    take(camera, server.address, token, pages(database))
                    hand_in(camera, server.address, token)


def take(camera: Camera, address: str, token: str, paths: Mapping[str, str]) -> None:
    """Take the pictures of pages, in all sizes, light and dark.

    paths: by the names of pictures.
    """
    for (size, (width, height)), scheme in product(SIZES.items(), ("light", "dark")):
        page = camera.page(viewport={"width": width, "height": height}, color_scheme=scheme)
        page.goto(f"{address}/sign-in")
        camera.take(page, f"sign-in-{size}-{scheme}")
        page.fill("input[name=token]", token)
        page.click("button.main")
        for name, path in paths.items():
            page.goto(f"{address}{path}")
            camera.take(page, f"{name}-{size}-{scheme}", whole=True)
        page.close()


def pages(database: Path) -> dict[str, str]:
    """Return the paths of the pages by the names of their pictures."""
    with open_store(database) as store:
        league = Leagues(store).named("spring")
        number = {entry.name: entry.number for entry in Leagues(store).entries(league.id)}
        waiting, played = (row.number for row in Batches(store).of(league.id) if row.kind == "challenge")
        stored = max(row.number for row in Batches(store).of(league.id) if row.state == "stored")
    base = "/leagues/spring"
    return {
        "home": "/",
        "leagues": "/leagues",
        "board": base,
        "board-filtered": f"{base}?q=nobody",
        "board-empty": "/leagues/autumn",
        "entry": f"{base}/entries/{number['club/owl@2']}",
        "entry-of-others": f"{base}/entries/{number['fox/hen@1']}",
        "entry-suspended": f"{base}/entries/{number['lab/crow@1']}",
        "entry-retired": f"{base}/entries/{number['club/owl@1']}",
        "batches": f"{base}/batches",
        "batches-empty": "/leagues/autumn/batches",
        "batch": f"{base}/batches/{stored}",
        "challenge": f"{base}/batches/{played}",
        "challenge-waiting": f"{base}/batches/{waiting}",
        "season": f"{base}/seasons/1",
        "webhooks": "/webhooks",
        "hand-ins": "/hand-ins",
        "bot": "/bots/club/owl",
        "missing": "/leagues/winter",
        "submit": "/submit",
    }


def hand_in(camera: Camera, address: str, token: str) -> None:
    """Take pictures of a hand-in, which is refused."""
    page = camera.page(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page.goto(f"{address}/sign-in")
    page.fill("input[name=token]", token)
    page.click("button.main")
    page.fill("#name", "club/wren")
    page.set_input_files("#file", {"name": "wren.py", "mimeType": "text/x-python", "buffer": b"print('no bot')\n"})
    page.click("#send")
    camera.take(page, "hand-in-waiting-phone-light", whole=True, live=True)
    page.wait_for_selector("#verdict.refused", timeout=300_000)  # the page loads itself again
    camera.take(page, "hand-in-refused-phone-light", whole=True, live=True)
    page.close()


def play(folder: Path) -> None:
    """Play the leagues, and keep the token of the owner of club/owl beside them."""
    database = folder / DATABASE

    def arena(*words: str) -> str:
        command = [*ARENA, *words, "--db", str(database)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    arena("league", "create", "spring", "--game", "cambio", "--deals", "5", "-o", "chips=2")
    arena("league", "create", "autumn", "--game", "cambio", "--deals", "5")
    with open_store(database, write=True) as store, TemporaryDirectory() as work:
        for name, sample in BOTS.items():
            submit(store, name, SAMPLES[sample].path)
        crashes = Path(work) / "crashes.py"
        crashes.write_text(CRASHES)
        submit(store, "lab/crow", crashes)
    arena("league", "run", "spring", "--batches", str(BATCHES), "--trust-bots")
    with open_store(database, write=True) as store:
        submit(store, "club/owl", SAMPLES["counter"].path)
    arena("league", "run", "spring", "--batches", str(BATCHES), "--trust-bots")
    arena("league", "end-season", "spring", "--yes")
    arena("league", "run", "spring", "--batches", "3", "--trust-bots")
    arena("league", "end-season", "autumn", "--yes")
    challenge = ("league", "challenge", "spring", "club/owl", "fox/hen", "samples/counter", "--deals", "20")
    arena(*challenge)
    arena("league", "run", "spring", "--batches", "12", "--trust-bots")
    arena(*challenge)
    (folder / TOKEN).write_text(arena("accounts", "create", "club").strip())


def submit(store: Store, name: str, file: Path) -> None:
    """Store a bot without a check."""
    candidate = read_candidate(file)
    source = PackRow(candidate.source.sha256, candidate.source.to_bytes(), 1, candidate.source.size)
    store.submissions.add(name, source, source, candidate.manifest.to_json(), {"steps": []})


if __name__ == "__main__":
    given = parser("Take pictures of the pages of leagues.").parse_args()
    main(given.folder, given.language or list(LANGUAGES), given.data)
