"""Files of matches that packages write while a tournament is played: --matches-to and --live-to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from click import UsageError
from click.testing import CliRunner

from arena.cli import main
from arena.cli.tournament_options import OutputOptions
from arena.hooks import installed_entries
from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.plan.schedule import Plan
from arena.run.backlog import Backlog
from arena.run.dispatcher import ResultBatch, StageWork
from arena.run.hosting import USUAL
from arena.run.work_units import units
from arena.values.definition import Definition, Settings
from arena.values.rows import MatchRow
from referee.engine.registry import game
from referee.v1.work_pb2 import UnderWay, WorkResponse

WRITER = """
from arena.hooks.match_files import PluginMatchFile

LINES = PluginMatchFile(("cambio",), "owl_files:Lines", "owl_files:Live")

class Lines:
    def __init__(self, path, tournament, say):
        self.file = open(path, "a")
        self.seen = tournament.id

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def stored(self, rows):
        for row in rows:
            print(self.seen, row.number, file=self.file)

    def failed(self, rows): pass
    def say(self, line): pass
    def stands(self, how): pass
    def recount(self, stored): pass

class Live(Lines):
    def under_way(self, rows): pass
"""


@pytest.fixture
def cambio() -> Definition:
    rules = game("cambio")
    return define(rules, rules.options(), find_bots(("random", "cautious"), samples("cambio")), Settings(rounds=4))


@pytest.fixture
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "packages" / "owl-1.dist-info"
    folder.mkdir(parents=True)
    (folder.parent / "owl_files.py").write_text(WRITER)
    (folder / "entry_points.txt").write_text("[arena.match_files]\nowl = owl_files:LINES\n")
    monkeypatch.syspath_prepend(folder.parent)
    installed_entries._groups.cache_clear()
    yield
    installed_entries._groups.cache_clear()


def tourney(folder: Path, *words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["tourney", *words, "--db", str(folder / "arena.db")], prog_name="arena")
    return done.exit_code, done.output


@pytest.mark.usefixtures("_package", "in_process")
def test_each_match_is_written_as_it_ends(tmp_path: Path) -> None:
    file, live = tmp_path / "matches.owl", tmp_path / "live.owl"
    words = ["--game", "cambio", "--rounds", "3", "--bots", "random,random", "--jobs", "1", "-o", "chips=2"]
    code, said = tourney(tmp_path, *words, "--matches-to", str(file), "--live-to", str(live))
    assert code == 0, said
    assert (
        sorted(file.read_text().splitlines()) == sorted(live.read_text().splitlines()) == [f"1 {n}" for n in range(6)]
    )
    code, said = tourney(tmp_path, "resume", "1", "--matches-to", str(file))
    assert code == 0, said
    assert len(file.read_text().splitlines()) == 6, "nothing is left"


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--game", "cambio", "--matches-to", "m.txt"], "its suffix names no format of matches"),
        (["--game", "cambio", "--matches-to", "matches"], "its suffix names no format of matches"),
        (["--game", "scopa", "--live-to", "m.owl"], "--live-to m.owl: .owl holds matches of cambio, and not of scopa"),
        (["--game", "cambio", "--matches-to", "no/m.owl"], "--matches-to no/m.owl: there is no folder no"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_stored(
    tmp_path: Path, words: list[str], why: str
) -> None:
    code, said = tourney(tmp_path, *words, "--rounds", "1", "--bots", "random,random")
    assert code == 2
    assert why in " ".join(said.split())
    assert not (tmp_path / "arena.db").exists()


@pytest.mark.usefixtures("_package")
def test_matches_on_other_machines_are_not_shown_live() -> None:
    output = OutputOptions(live_to=Path("m.owl"))
    output.check("cambio", "local")
    with pytest.raises(UsageError, match="--live-to shows matches of this machine alone: use --executor local"):
        output.check("cambio", "ray")


def test_who_watches_is_told_of_matches_under_way(cambio: Definition) -> None:
    definition, secret = cambio, bytes(32)
    backlog, seen = Backlog(units(Plan.of(definition, secret), (), 1)), list[MatchRow]()

    async def keep(batch: ResultBatch) -> None:
        await trio.lowlevel.checkpoint()

    async def play() -> None:
        work = StageWork(
            definition, secret, USUAL, backlog, keep, set(), print, lambda _: None, live=lambda rows: seen.extend(rows)
        )
        unit = await backlog.wait()
        assert unit is not None
        reports = [UnderWay(match=number, answers=bytes([number])) for number in [*unit.left][:2]]
        await work.take(WorkResponse(under_way=[*reports, UnderWay(match=999)]), {unit.number: unit})
        assert [(row.number, row.answers) for row in seen] == [(one.match, one.answers) for one in reports]
        assert [seat.entrant for seat in seen[0].seats] == [player.entrant for player in unit.players]

    trio.run(play)
