"""Pictures of the pages of leagues, in three sizes, light and dark: a part of `make shots`.

    python -m tools.league_shots FOLDER

Plays a short league of Cambio with submitted bots, one of which crashes, to the end of a season, and creates another
one in which nothing has been played, and whose season is frozen.
"""

import subprocess
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from arena.store import Store, open_store
from arena.store.submissions import PackRow
from arena.submissions.candidate import read_candidate
from sample_bots import SAMPLES
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

CRASHES = """
from arena.sdk import Bot

class Crashes(Bot):
    def choose(self, question):
        raise SystemExit(3)

Crashes().run()
"""


def main(folder: Path) -> None:
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work, sync_playwright() as playwright:
        database = Path(work) / "arena.db"
        token = play(database, Path(work))
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        with (
            served(database, "--sign-in") as server,
            playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments) as browser,
        ):
            for (size, (width, height)), scheme in product(SIZES.items(), ("light", "dark")):
                page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                page.goto(f"{server.address}/sign-in")
                page.screenshot(path=folder / f"sign-in-{size}-{scheme}.png")
                page.fill("input[name=token]", token)
                page.click("button.main")
                for name, path in pages(database).items():
                    page.goto(f"{server.address}{path}")
                    page.screenshot(path=folder / f"{name}-{size}-{scheme}.png", full_page=True)
                page.close()
            hand_in(browser, server.address, token, folder)
    print(folder)


def pages(database: Path) -> dict[str, str]:
    """Return the paths of the pages by the names of their pictures."""
    with open_store(database) as store:
        league = store.leagues.named("spring")
        number = {entry.name: entry.number for entry in store.leagues.entries(league.id)}
        waiting, played = (row.number for row in store.batches.of(league.id) if row.kind == "challenge")
        stored = max(row.number for row in store.batches.of(league.id) if row.state == "stored")
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


def hand_in(browser: Browser, address: str, token: str, folder: Path) -> None:
    """Take pictures of a hand-in, which is refused."""
    page = browser.new_page(viewport={"width": 390, "height": 844}, java_script_enabled=False)
    page.goto(f"{address}/sign-in")
    page.fill("input[name=token]", token)
    page.click("button.main")
    page.fill("#name", "club/wren")
    page.set_input_files("#file", {"name": "wren.py", "mimeType": "text/x-python", "buffer": b"print('no bot')\n"})
    page.click("#send")
    page.screenshot(path=folder / "hand-in-waiting-phone-light.png", full_page=True)
    page.wait_for_selector("#verdict.refused", timeout=300_000)  # the page loads itself again
    page.screenshot(path=folder / "hand-in-refused-phone-light.png", full_page=True)
    page.close()


def play(database: Path, folder: Path) -> str:
    """Play the leagues; return the token of the owner of club/owl."""

    def arena(*words: str) -> str:
        command = [*ARENA, *words, "--db", str(database)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    arena("league", "create", "spring", "--game", "cambio", "--deals", "5", "-o", "chips=2")
    arena("league", "create", "autumn", "--game", "cambio", "--deals", "5")
    crashes = folder / "crashes.py"
    crashes.write_text(CRASHES)
    with open_store(database, write=True) as store:
        for name, sample in BOTS.items():
            submit(store, name, SAMPLES[sample].path)
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
    return arena("accounts", "create", "club").strip()


def submit(store: Store, name: str, file: Path) -> None:
    """Store a bot without a check."""
    candidate = read_candidate(file)
    source = PackRow(candidate.source.sha256, candidate.source.to_bytes(), 1, candidate.source.size)
    store.submissions.add(name, source, source, candidate.manifest.to_json(), {"steps": []})


if __name__ == "__main__":
    main(Path(sys.argv[1]))
