"""`arena tune`: runs that are played, stopped, resumed, shown and applied."""

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import trio
from arena_tune import runner
from arena_tune.course import Course
from arena_tune.errors import TuneError
from arena_tune.stored_runs import StoredRun, TuneRuns
from click.testing import CliRunner, Result

from arena.cli import main
from arena.run.executor import Local
from arena.run.hosting import Hosting
from arena.store import StoreError, open_store
from arena.store.matches.runs import Run
from tests.postgres import Server

pytestmark = pytest.mark.usefixtures("in_process")

BOT = """\
import sys
from arena.sdk import Bot

KEEP = int(sys.argv[1])


class Keeper(Bot):
    def choose(self, question):
        if "keep" in question.legal:
            return "keep" if question.view.card >= KEEP else "exchange"
        return "pass"


if __name__ == "__main__":
    Keeper().run()
"""

MANIFEST = """\
# Whoever reads this
language = "python"
command = ["python3", "main.py", "{keep}"]  # keeps cards from there up

[parameters.keep]
start = 12  # too many
min = 0
max = 15
step = 1
"""

LINE = f"{sys.executable} keeper/main.py {{keep}}"

USUAL = ("--game", "cambio", "--seed", "3", "--deals", "2", "--side-by-side", "2", "--jobs", "1")


@pytest.fixture(autouse=True)
def _bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)
    (tmp_path / "keeper").mkdir()
    (tmp_path / "keeper" / "main.py").write_text(BOT)
    (tmp_path / "keeper" / "bot.toml").write_text(MANIFEST)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["tune", *arguments], catch_exceptions=False)


def stored(number: int = 1, db: str = "arena.db") -> StoredRun:
    with open_store(db) as store:
        return TuneRuns(store).load(number)


def stop_after(count: int, patch: pytest.MonkeyPatch) -> None:
    """Have runs stopped, as by Ctrl-C, once so many iterations were told."""
    reached: list[trio.Event] = []

    def told(self: object, course: Course) -> None:
        if len(course.path) >= count:
            reached[0].set()

    async def stop(stop: Callable[[signal.Signals], None]) -> None:
        reached[:] = [trio.Event()]
        await reached[0].wait()
        stop(signal.SIGINT)

    patch.setattr("arena_tune.reporting._Progress.__call__", told)
    patch.setattr(runner.play, "__defaults__", (*(runner.play.__defaults__ or ())[:-1], stop))


def test_a_bot_of_a_folder_is_tuned_and_its_values_are_applied() -> None:
    played = run("keeper", "--iterations", "40", *USUAL)
    assert played.exit_code == 0, played.stderr
    lines = played.stdout.splitlines()
    assert lines[0] == "run 1: cambio, keeper"
    assert lines[1].startswith("spsa, 40 of 40 iterations of 2 deals, rate 0.")
    assert lines[3].split() == ["parameter", "start", "now", "spread", "min", "max", "step"]
    name, start, now, *_ = lines[5].split()
    assert (name, start) == ("keep", "12")
    assert int(now) < 11
    assert all(len(line) <= 80 for line in lines)
    assert run("show", "1").stdout == played.stdout
    values = json.loads(run("show", "1", "--json").stdout)
    assert (values["parameters"][0]["type"], values["parameters"][0]["now"]) == ("int", int(now))
    assert len(values["path"]) == values["played"] == 40
    assert run("apply", "1").stdout.endswith(f"bot.toml: keep = {now}\n")
    assert Path("keeper/bot.toml").read_text() == MANIFEST.replace("start = 12 ", f"start = {now} ")
    assert run("verify", "1", "--rounds", "1", "--seed", "1").exit_code == 0  # it is the same bot
    assert run("list").stdout.splitlines()[2].split()[:6] == ["1", "cambio", "keeper", "spsa", "1", "40"]


def test_each_iteration_is_stored_with_what_it_played() -> None:
    run("keeper", "--iterations", "4", *USUAL)
    rows = stored().iterations
    assert [row.number for row in rows] == [0, 1, 2, 3]
    assert [row.first_deal for row in rows] == [0, 2, 4, 6]
    for row in rows:
        assert row.wins + row.draws + row.losses == 2 * stored().definition.seats
        (one,), (other,) = row.proposal.one, row.proposal.other
        assert (one > other) == (row.proposal.signs == (1,))
        assert row.faults == 0
    assert stored().finished is not None
    assert stored().player is None


def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_been(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(LINE, "--parameter", "keep=12,0..15", "--iterations", "12", "--db", "whole.db", *USUAL)
    assert whole.exit_code == 0, whole.stderr
    with monkeypatch.context() as patch:
        stop_after(5, patch)
        stopped = run(LINE, "--parameter", "keep=12,0..15", "--iterations", "12", *USUAL)
    assert stopped.exit_code == 128 + signal.SIGINT
    assert "stopped early; go on with: arena tune resume 1 --db arena.db" in stopped.stderr
    assert 5 <= len(stored().iterations) < 12
    resumed = run("resume", "1", "--jobs", "2")
    assert resumed.exit_code == 0, resumed.stderr
    assert stored().iterations == stored(db="whole.db").iterations
    assert resumed.stdout == whole.stdout


@pytest.mark.toolchain
def test_a_run_on_a_server_is_stopped_and_goes_on_as_one_in_a_file(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, arguments = postgres.database(), ("keeper", "--iterations", "6", *USUAL)
    whole = run(*arguments)
    with monkeypatch.context() as patch:
        stop_after(2, patch)
        assert run(*arguments, "--db", url).exit_code == 128 + signal.SIGINT
    with open_store(url, write=True) as store:
        TuneRuns(store).begin(1, Run.new()._replace(began="2026-01-01T00:00:00.000000"))
    assert "run 1 is being played by process" in run("resume", "1", "--db", url).stderr
    with open_store(url, write=True) as store:
        TuneRuns(store).end(1, Run.new()._replace(began="2026-01-01T00:00:00.000000"))
    resumed = run("resume", "1", "--db", url)
    assert resumed.exit_code == 0, resumed.stderr
    assert stored(db=url).iterations == stored().iterations
    assert resumed.stdout == whole.stdout


@pytest.mark.parametrize("search", ["grid", "tpe"])
def test_candidates_of_other_searches_play_an_opponent_on_the_same_deals(search: str) -> None:
    if search == "tpe":
        pytest.importorskip("optuna")
    played = run("keeper", "--iterations", "6", "--search", search, "--against", "random", *USUAL)
    assert played.exit_code == 0, played.stderr
    assert f"{search}, 6 of 6 iterations of 2 deals, against random" in played.stdout
    rows = stored().iterations
    assert [row.first_deal for row in rows] == [0] * 6
    best = max(rows, key=lambda row: row.result)
    assert stored().course().tuned == best.proposal.one
    if search == "grid":
        assert [row.proposal.one for row in rows] == [(0,), (3,), (6,), (9,), (12,), (15,)]


def test_it_is_verified_by_an_ordinary_tournament() -> None:
    run("keeper", "--iterations", "20", *USUAL)
    verified = run("verify", "1", "--rounds", "20", "--seed", "1", "--json")
    assert verified.exit_code == 0, verified.stderr
    ranking = json.loads(verified.stdout)["ranking"]
    assert {bot["bot"] for bot in ranking} == {"keeper-tuned", "keeper-start"}
    with open_store("arena.db") as store:
        tuned, start = store.tournament(1).entrants
    assert start.command[-1] == "12"
    assert int(tuned.command[-1]) < 12


def test_mistakes_are_told_in_a_sentence() -> None:
    for arguments, sentence in (
        (("keeper", "--iterations", "4", "--parameter", "kept=1,0..3", *USUAL), "the command of the bot has no {kept}"),
        (("keeper", "--against", "random", *USUAL), "--search spsa plays the bot against itself"),
        (("keeper", "--search", "grid", "--rate", "1", *USUAL), "--rate is one of --search spsa"),
        (("random", *USUAL), "there is nothing to tune"),
        (("nobody", *USUAL), "there is no bot nobody"),
        (("keeper",), "Missing option '--game'"),
        (("resum",), 'there is no command "resum"; did you mean "resume"?'),
        (("show", "1"), "there is no database"),
    ):
        refused = run(*arguments)
        assert refused.exit_code == 2
        assert sentence in refused.stderr
    run("keeper", "--iterations", "1", *USUAL)
    assert "the database arena.db has no run 7: arena tune list lists them" in run("show", "7").stderr


def test_a_bot_that_fails_in_its_first_matches_is_not_tuned() -> None:
    Path("keeper/main.py").write_text(BOT.replace("int(sys.argv[1])", "int('nothing')"))
    failed = run("keeper", "--iterations", "4", *USUAL)
    assert failed.exit_code == 2
    assert "keeper fails with keep = " in failed.stderr
    assert "nothing is tuned with a bot that fails in its first matches" in failed.stderr
    assert stored().iterations == ()
    Path("keeper/main.py").write_text(BOT.replace('return "pass"', 'return "nothing"').replace('"keep" if', '"no" if'))
    illegal = run("keeper", "--iterations", "4", *USUAL)
    assert "keeper forfeits each match, the first by a fault of the kind illegal" in illegal.stderr


def test_a_run_goes_on_only_with_the_same_bot() -> None:
    run("keeper", "--iterations", "2", *USUAL)
    Path("keeper/main.py").write_text(f"{BOT}\n")
    changed = run("resume", "1")
    assert changed.exit_code == 2
    assert "keeper+ has changed since run 1 began" in changed.stderr
    Path("keeper/main.py").unlink()
    assert "is gone: run 1 cannot go on without it" in run("verify", "1").stderr


def test_one_process_plays_a_run() -> None:
    run("keeper", "--iterations", "2", *USUAL)
    with open_store("arena.db", write=True) as store:
        runs, here, other = TuneRuns(store), Run.new(), Run.new()._replace(began="2026-01-01T00:00:00.000000")
        runs.begin(1, other)
        with pytest.raises(TuneError, match="run 1 is being played by process"):
            runs.begin(1, here)
        refused = run("resume", "1")
        assert "run 1 is being played by process" in refused.stderr
        row = runs.load(1).iterations[0]
        with pytest.raises(TuneError, match="another process has taken over run 1"):
            runs.save(1, row, here)
        runs.end(1, here)
        assert runs.load(1).player == other
        runs.end(1, other)
        runs.begin(1, here)
        runs.save(1, row, here)
        assert len(runs.load(1).iterations) == 2


def test_a_run_whose_search_has_changed_is_told() -> None:
    run("keeper", "--iterations", "2", *USUAL)
    with open_store("arena.db", write=True) as store:
        with store.write() as connection:
            connection.exec_driver_sql("UPDATE tune_iterations SET one = '[7.5]' WHERE number = 1")
        assert "iteration 2 of run 1 was played with other values than its search gives now" in run("show", "1").stderr
        with store.write() as connection:
            connection.exec_driver_sql("UPDATE tune_runs SET plan = '{}'")
        with pytest.raises(StoreError, match="run 1 of arena.db cannot be read"):
            TuneRuns(store).load(1)


def test_values_are_not_applied_to_a_bot_toml_that_lacks_the_parameter() -> None:
    run("keeper", "--iterations", "2", *USUAL)
    Path("keeper/bot.toml").write_text('language = "python"\ncommand = ["python3", "main.py", "3"]\n')
    assert "no longer declares the parameter keep of run 1" in run("apply", "1").stderr
    played = run(LINE, "--parameter", "keep=12,0..15", "--iterations", "2", *USUAL)
    assert played.exit_code == 0, played.stderr
    assert run("apply", "2").stdout.split()[1:2] == ["keeper/main.py"]


def test_matches_are_added_up_whoever_sits_where() -> None:
    from types import SimpleNamespace
    from typing import Any

    from arena_tune.iteration_work import outcome

    def row(*seats: tuple[int, int]) -> Any:
        return SimpleNamespace(seats=[SimpleNamespace(entrant=entrant, rank=rank) for entrant, rank in seats])

    assert outcome(row((0, 1), (1, 2))) == 1
    assert outcome(row((1, 1), (0, 1))) == 0
    assert outcome(row((0, 1), (1, 2), (0, 3))) == 0
    assert outcome(row((0, 1), (1, 2), (0, 2))) * 2 == 1


def test_the_executor_of_this_machine_plays_it() -> None:
    """A referee that is there already is kept for all iterations."""
    run("keeper", "--iterations", "1", *USUAL)
    with open_store("arena.db", write=True) as store:
        result = runner.play(store, TuneRuns(store).load(1), Local(), 1, Hosting(trusted=True), lambda _: None)
    assert (result.iterations, result.matches) == (0, 0)


def test_the_path_of_each_parameter_is_drawn() -> None:
    run("keeper", "--iterations", "8", *USUAL)
    assert run("show", "1", "--svg", "out/path.svg").exit_code == 0
    picture = ElementTree.fromstring(Path("out/path.svg").read_text())
    (path,) = picture.iter("{http://www.w3.org/2000/svg}polyline")
    points = [tuple(map(float, point.split(","))) for point in path.attrib["points"].split()]
    assert len(points) == 9
    assert points[0] == (76, 58 + 130 * 3 / 15)
    assert points[-1][0] == 800 - 96
    words = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert words[:2] == ["Run 1: cambio, keeper", "8 of 8 iterations, spsa"]
    assert "12 start" in words
