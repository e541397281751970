"""Make the archives in `data` anew: only before the first release, after which they stay as they are.

    python -m tests.archive.make_data

The tournament is that of the database of the first release (tests/store/data); the league is played: two authors' bots
and the anchors, to the end of a season with a final.
"""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from arena.cli import main
from arena.league.store.leagues import Leagues
from arena.store import open_store
from sample_bots import SAMPLES
from tests import leagues

DATA = Path(__file__).parent / "data"
DATABASE = Path(__file__).parent.parent / "store" / "data" / "first_release.sql"
TOURNAMENT, LEAGUE = DATA / "tournament.jsonl", DATA / "league.jsonl.gz"


def make() -> None:
    """Write both."""
    DATA.mkdir(exist_ok=True)
    with TemporaryDirectory() as work:
        released, played, season = (Path(work) / name for name in ("released.db", "played.db", "season.jsonl"))
        with closing(sqlite3.connect(released)) as connection:
            connection.executescript(DATABASE.read_text())
        arena("tourney", "export", "1", "--to", str(TOURNAMENT), db=released)
        play_league(played)
        arena("league", "export", "cambio", str(season), db=played)
        LEAGUE.write_bytes(gzip.compress(season.read_bytes(), mtime=0))


def play_league(path: Path) -> None:
    """Play a season of a small league."""
    with open_store(path, create=True) as store:
        league = leagues.cambio(store, deals=1, final_top=2, final_deals=2)
        leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
        leagues.submit_file(store, "town/jay", SAMPLES["random"].path)
        leagues.play(store, 2)
        for number in (5, 6):
            Leagues(store).change_entry(league.id, number, "standing", "test")
        leagues.play(store, 1)
        arena("league", "end-season", "cambio", "--yes", db=path)
        while Leagues(store).seasons(league.id)[0].ended is None:
            leagues.play(store, 1)


def arena(*words: str, db: Path) -> None:
    """Run a command. Raises RuntimeError with what it printed, if it fails."""
    done = CliRunner().invoke(main, [*words, "--db", str(db)], prog_name="arena")
    if done.exit_code:
        raise RuntimeError(done.output)


if __name__ == "__main__":
    make()
