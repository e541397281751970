"""How fast the pages are, in Debian's chromium on this machine: `make bench-web`.

    python -m tools.web_figures [MATCHES]

replay   a match of 2,000 moves: from asking for its page until its table is on the screen and its buttons work; one
         that nobody has looked at before, and one that is kept ready; with the CPU time of the server for it
ranking  the page of a tournament of 200 bots and so many MATCHES (a million by default): at first, and afterwards
live     what a page that is left open costs a tournament under way: CPU time of the server by that of the tournament
scrub    dragging the slider over 5,000 moves: CPU time of script, style and layout for each frame, as Chromium counts
         it, and the time by the clock, when the tables are loaded
weight   bytes that the browser is sent for a page, with all that it loads
story    how many of those are for the story and the banner at the end: their script and what the server tells
shift    how far content moves as a page loads (cumulative layout shift, 0 is not at all), on a laptop and on a phone

Each figure but the first of the ranking and the live one is a median of several. Leave the machine alone meanwhile.
"""

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from gzip import compress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx
from playwright.sync_api import Browser, sync_playwright

from arena.replay import static
from arena.results.stored_tournament import StoredTournament
from arena.store import open_store
from tools.serving import served

ARENA = [sys.executable, "-m", "arena"]
BOTS = 200
TIMES = 7
FOLLOWED = 20.0
"""Seconds for which a tournament is followed."""

LONG = ["-o", "max_sets=200", "-o", "chips=90", "--seed", "3"]
"""Options of Cambio, and a deal, with which a match at random takes 2,000 moves."""

DRAWN = """
new MutationObserver((_, observer) => {
    if (!document.querySelector("#table .place")) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.drawn = performance.now(); }, 0));
}).observe(document, { childList: true, subtree: true });
"""
"""Notes in a page when the table has come onto the screen."""

SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""Adds up how far content moves without anybody having asked for it (https://web.dev/articles/cls)."""

WINDOWS = ((1440, 900), (390, 844))
SETTLED = 1000
"""Milliseconds after everything has come for which a page is still watched."""

SCRUB = """async ([frames, step]) => {
    const field = document.getElementById("scrub");
    const times = [];
    for (let frame = 0; frame < frames; frame += step) {
        const began = performance.now();
        const shown = new Promise((done) => addEventListener("frameshown", done, { once: true }));
        field.value = frame;
        field.dispatchEvent(new Event("input"));
        await shown;
        document.documentElement.getBoundingClientRect();
        times.push(performance.now() - began);
    }
    return times;
}"""
"""Drags the slider over the first frames of a match, in steps; returns the milliseconds for each."""

SCRUBBED = 5000
"""Moves over which the slider is dragged."""

VERY_LONG = ["-o", "max_sets=500", "-o", "chips=150", "--seed", "3"]
"""As LONG, for SCRUBBED moves."""

MULTIPLY = """
WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < :last)
INSERT INTO matches SELECT :first + n, event_id, phase, n / 4, 0, n / 4, n % 4, seed, behaviour, answers, times, digest,
    duration_ms FROM matches, more WHERE id = :first
"""
SEAT = """
INSERT INTO seats SELECT m.id, s.seat, s.seat * 50 + abs(m.id * 7919 + s.seat * 53) % 50, s.player, abs(random()) % 80,
    1 + (s.seat + abs(random()) % 4) % 4, s.decisions, s.charged_us, 0
    FROM matches m, seats s WHERE s.match_id = :first AND m.id <> :first
"""


def main(matches: int) -> None:
    """Measure and print."""
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    with (
        TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments) as browser,
    ):
        replay(browser, Path(folder) / "long.db")
        scrub(browser, Path(folder) / "very-long.db")
        live(browser, Path(folder) / "live.db")
        ranking(Path(folder) / "many.db", matches)


def replay(browser: Browser, database: Path) -> None:
    """A long match opens."""
    for _ in range(1 + TIMES):
        run("match", "--game", "cambio", *["random"] * 6, *LONG, "--db", str(database))
    run("tourney", "--game", "cambio", "--bots", "random,random,random,random", "--rounds", "2", "--db", str(database))
    with served(database) as (address, server):

        def opened(match: int) -> float:
            page = browser.new_page()
            page.add_init_script(DRAWN)
            page.goto(f"{address}/matches/{match}", wait_until="commit")
            page.wait_for_function("() => window.drawn")
            moves = int(page.text_content("#last") or 0)
            assert moves >= 2000, f"the match has {moves} moves"
            drawn = float(page.evaluate("window.drawn"))
            page.close()
            return drawn

        print(f"replay: {opened(1):.0f} ms until 2,000 moves are on the screen, as the first page of a new server")
        for what, matches in (("new", range(2, 2 + TIMES)), ("kept", [1] * TIMES)):
            before = spent(server)
            times = [opened(match) for match in matches]
            cpu = (spent(server) - before) / TIMES * 1000
            told = f"{median(times):.0f} ms ({min(times):.0f} at best), {cpu:.0f} ms of them CPU time of the server"
            print(f"replay: {told}, where the match is {what}")
        for name, path in (("replay", "/matches/1"), ("tournament", "/tournaments/1"), ("matches", "/matches")):
            page = browser.new_page()
            sizes: list[int] = []
            page.on("requestfinished", lambda request, sizes=sizes: sizes.append(_size(request)))
            page.goto(f"{address}{path}", wait_until="networkidle")
            print(f"weight: {name} {sum(sizes) / 1000:.0f} kB in {len(sizes)} answers")
            page.close()
        story(address)
        moments = (
            "/matches/1",
            "/matches/1#move=999999",
            "/matches/1/compare",
            "/tournaments/1",
            "/matches",
            "/",
            "/play",
        )
        for path in moments:
            print(f"shift: {shifted(browser, address + path)} at {path}")


def story(address: str) -> None:
    """The story of a long match and its banner."""
    told = httpx.get(f"{address}/matches/1/story", timeout=600).json()
    without = {name: value for name, value in told.items() if name != "story"}
    values, script = _packed(json.dumps(told)) - _packed(json.dumps(without)), _packed(static.text("story.js"))
    print(f"story: {(values + script) / 1000:.1f} kB, {script / 1000:.1f} of them script")


def shifted(browser: Browser, address: str) -> str:
    """Return the layout shift of a page, at each size of the window."""
    found = []
    for width, height in WINDOWS:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.add_init_script(SHIFTS)
        page.goto(address, wait_until="networkidle")
        page.wait_for_timeout(SETTLED)
        found.append(f"{page.evaluate('window.shifts'):.3f} ({width} pixels)")
        page.close()
    return ", ".join(found)


def _packed(text: str) -> int:
    return len(compress(text.encode(), 6))


def scrub(browser: Browser, database: Path) -> None:
    """The slider of a very long match is dragged."""
    run("match", "--game", "cambio", *["random"] * 6, *VERY_LONG, "--db", str(database))
    with served(database) as (address, _):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.goto(f"{address}/matches/1", wait_until="networkidle")
        moves = int(page.text_content("#last") or 0)
        assert moves >= SCRUBBED, f"the match has {moves} moves"
        chromium = page.context.new_cdp_session(page)
        chromium.send("Performance.enable", {"timeDomain": "threadTicks"})

        def counted() -> dict[str, float]:
            return {metric["name"]: metric["value"] for metric in chromium.send("Performance.getMetrics")["metrics"]}

        page.evaluate(SCRUB, [SCRUBBED, 16])  # the tables are loaded
        before = counted()
        times = sorted(page.evaluate(SCRUB, [SCRUBBED, 1]))
        after = counted()
        script, style, layout = (
            (after[name] - before[name]) / SCRUBBED * 1000
            for name in ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration")
        )
        print(
            f"scrub: {script + style + layout:.1f} ms of CPU time a frame of {SCRUBBED:,} ({script:.1f} script, "
            f"{style:.1f} style, {layout:.1f} layout); by the clock {median(times):.1f}, and "
            f"{times[len(times) * 95 // 100]:.1f} in 95 of 100"
        )
        page.close()


def _size(request: object) -> int:
    told = request.sizes()  # type: ignore[attr-defined]
    return int(told["responseBodySize"] + told["responseHeadersSize"])


def ranking(database: Path, matches: int) -> None:
    """The ranking of many matches."""
    run("tourney", "--game", "cambio", "--bots", "random,random,random,random", "--rounds", "1",
        "--seed", "1", "--db", str(database))  # fmt: skip
    with closing(sqlite3.connect(database)) as connection:
        (event,) = connection.execute("SELECT id FROM events WHERE tournament = 1").fetchone()
        (first,) = connection.execute("SELECT min(id) FROM matches").fetchone()
        connection.execute("DELETE FROM seats WHERE match_id <> ?", (first,))
        connection.execute("DELETE FROM matches WHERE id <> ?", (first,))
        for place in range(4, BOTS):
            row = (place, f"bot{place}", event)
            connection.execute(
                "INSERT INTO entrants SELECT event_id, ?, ?, command, folder, sha256, withdrawn FROM entrants "
                "WHERE event_id = ? AND place = 0",
                row,
            )
        connection.execute(MULTIPLY, {"first": first, "last": matches - 1})
        connection.execute(SEAT, {"first": first})
        connection.execute("UPDATE events SET matches = ?", (matches,))
        connection.execute("DELETE FROM summaries")
        connection.execute("DELETE FROM loose")
        connection.execute("INSERT INTO loose SELECT id FROM matches")
        connection.commit()
    with open_store(str(database), write=True) as store:
        StoredTournament(store, store.tournament(1)).summarise(is_over=True)  # as it is done while matches are stored
    with served(database) as (address, _):
        with httpx.Client(timeout=3600) as client:
            times = []
            for _ in range(TIMES):
                began = time.perf_counter()
                answer = client.get(f"{address}/tournaments/1")
                times.append((time.perf_counter() - began) * 1000)
                assert f"{matches:,} of {matches:,} matches" in answer.text
        print(
            f"ranking: {median(times[1:]):.0f} ms ({min(times):.0f} at best) for the page of {BOTS} bots and "
            f"{matches:,} matches; at first {times[0] / 1000:.0f} s"
        )


def live(browser: Browser, database: Path) -> None:
    """A tournament is followed."""
    field = "random,cautious,counter,bluffer"
    command = [*ARENA, "tourney", "--game", "cambio", "--bots", field, "--rounds", "100000", "--db", str(database)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as play:
        try:
            while not database.exists():
                os.sched_yield()
            with served(database) as (address, server):
                page = browser.new_page()
                page.goto(f"{address}/tournaments/1")
                page.wait_for_function("() => document.getElementById('live').textContent.includes('live')")
                before = spent(server), spent(play.pid)
                page.wait_for_timeout(FOLLOWED * 1000)
                share = (spent(server) - before[0]) / (spent(play.pid) - before[1])
                print(f"live: {100 * share:.2f} % of the tournament's CPU time, for one open page")
                page.close()
        finally:
            play.terminate()


def spent(root: int) -> float:
    """Return the seconds of CPU time of a process with all below it that still run, and those it has waited for."""
    parents, times = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        times[int(stat.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    family, found = {root}, 1
    while found:
        more = {child for child, parent in parents.items() if parent in family} - family
        family |= more
        found = len(more)
    return sum(times.get(process, 0.0) for process in family)


def run(*words: str) -> None:
    """Run a command of arena."""
    subprocess.run([*ARENA, *words], check=True, capture_output=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
