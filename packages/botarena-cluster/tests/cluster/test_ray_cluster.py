"""Referees on several Ray nodes: all of them on this machine, and one of them killed."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from arena_cluster.ray_cluster import Ray, ray_cluster
from msgspec.structs import replace

from arena.league.run.runner import LeagueRunner, run_leagues
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.results.stored_tournament import StoredTournament
from arena.run.executor import Local
from arena.run.hosting import Hosting
from arena.run.runner import RunResult, run
from arena.store import Store, open_store
from arena.values.definition import Definition, TimeControl
from arena.values.tournament_errors import ExecutorError, FieldError, RefereeError
from sample_bots import SAMPLES
from tests import leagues
from tests.tournament.processes import command, descendants
from tests.tournament.runs import Watcher, begin, results

if TYPE_CHECKING:
    from ray.cluster_utils import Cluster

pytestmark = pytest.mark.toolchain

Make = Callable[..., Definition]

NODES = 3


@pytest.fixture(scope="module")
def cluster() -> "Iterator[Cluster]":
    """Nodes of one core each, and a head that plays nothing."""
    pytest.importorskip("ray", reason="Ray is not installed (uv sync --inexact --extra cluster)")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(NODES):
            cluster.add_node(num_cpus=1)
        yield cluster
    finally:
        cluster.shutdown()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def ray(cluster: "Cluster", store: Store) -> Iterator[Ray]:
    with ray_cluster(cluster.address, store) as joined:
        yield joined


@pytest.fixture
def short(cambio: Make, tmp_path: Path) -> Definition:
    """A tournament of sample bots, one of several files and one of a single file, with short matches."""
    project = tmp_path / "project"
    (project / "lib").mkdir(parents=True)
    (project / "bot.toml").write_text('language = "python"\ncommand = ["python3", "main.py"]\n')
    (project / "main.py").write_text("import sys\nsys.path.insert(0, 'lib')\nimport mine\nmine.Mine().run()\n")
    (project / "lib" / "mine.py").write_text(MINE)
    alone = tmp_path / "elsewhere" / "alone.py"
    alone.parent.mkdir()
    alone.write_text(MINE + "Mine().run()\n")
    names = ("random", "cautious", str(project), str(alone))
    definition = cambio(*names, rounds=12, seats=4)
    time = TimeControl(move_time_ms=0, start_time_ms=60_000)
    return replace(definition, options={"chips": "2"}, block=4, time=time)


MINE = """\
from arena.sdk import Bot


class Mine(Bot):
    games = ("cambio",)

    def choose(self, question):
        question.note(f"of {len(question.legal)}")
        return question.rng.choice(question.legal)


"""


def play(store: Store, definition: Definition, watcher: Watcher, executor: Any) -> tuple[int, RunResult]:
    number = begin(store, definition)
    return number, run(StoredTournament.load(store, number), definition, executor.room(), watcher, executor=executor)


def kill_one(cluster: "Cluster") -> None:
    """Kill a node on which a referee is at work, with all its processes, as when its machine goes dark."""
    for node in cluster.worker_nodes:
        [raylet] = node.all_processes["raylet"]
        below = descendants(raylet.process.pid)
        if any("-m referee" in command(pid) for pid in below):
            for pid in below:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            cluster.remove_node(node, allow_graceful=False)
            return
    raise AssertionError("no node plays")


def test_results_are_those_of_this_machine_with_a_node_killed_in_mid_run(
    store: Store, short: Definition, cluster: "Cluster", capsys: pytest.CaptureFixture[str]
) -> None:
    # A phase for each node, and few matches at a time: each node has most of them before it at the first news.
    long = replace(short, rounds=100, block=100, matches_at_once=2)
    here, _ = play(store, long, Watcher(), Local())
    cluster.add_node(num_cpus=1)
    with ray_cluster(cluster.address, store) as ray:
        assert ray.room() == NODES + 1
        whole = Watcher()
        there, played = play(store, long, whole, ray)
        assert (played.matches, whole.lines) == (400, [])
        assert results(store, there) == results(store, here)

        watcher = Watcher(lambda: kill_one(cluster))
        killed, played = play(store, long, watcher, ray)
    assert played.matches == watcher.matches == 400, "none is lost, none is stored twice"
    assert any(line.startswith("a referee process died, and another one takes over") for line in watcher.lines)
    assert results(store, killed) == results(store, here)
    assert store.tournament(killed).finished
    assert capsys.readouterr().out == "", "stdout is for results, whatever Ray says"


def test_a_tournament_that_is_stopped_goes_on_anywhere(store: Store, short: Definition, ray: Ray) -> None:
    here, _ = play(store, short, Watcher(), Local())
    number, played = play(store, short, Watcher(lambda: os.kill(os.getpid(), signal.SIGINT)), ray)
    assert played.stopped == signal.SIGINT
    assert 0 < played.matches < 48
    rest = run(StoredTournament.load(store, number), short, 2, Watcher())
    assert played.matches + rest.matches == 48
    assert results(store, number) == results(store, here)


def test_what_a_node_cannot_play_is_a_sentence(store: Store, short: Definition, ray: Ray) -> None:
    with pytest.raises(RefereeError, match="3 referees in a row could not go on with the same matches.*no_such_option"):
        play(store, replace(short, options={"no_such_option": "1"}), Watcher(), ray)
    missing = replace(short.field[0], command=("/opt/nothing/node", short.field[0].command[1]))
    with pytest.raises(RefereeError, match=r"the program /opt/nothing/node of the bot random does not exist on "):
        play(store, replace(short, field=(missing, *short.field[1:])), Watcher(), ray)


def test_a_cluster_that_is_not_there_is_a_sentence(store: Store) -> None:
    pytest.importorskip("ray", reason="Ray is not installed (uv sync --inexact --extra cluster)")
    message = "there is no Ray cluster at 127.0.0.1:1 that could be joined"
    with pytest.raises(ExecutorError, match=message), ray_cluster("127.0.0.1:1", store):
        pass
    with pytest.raises(ExecutorError, match="is for Ray's clients"), ray_cluster("ray://127.0.0.1:1", store):
        pass


def test_a_bot_that_somebody_else_starts_is_refused(store: Store, short: Definition, ray: Ray) -> None:
    attached = replace(short.field[0], command=())
    with pytest.raises(FieldError, match="random is started by somebody else"):
        play(store, replace(short, field=(attached, *short.field[1:])), Watcher(), ray)


def test_a_league_is_played_on_the_nodes(store: Store, ray: Ray) -> None:
    league = leagues.cambio(store)
    leagues.submit_file(store, "club/owl", SAMPLES["counter"].path)
    runner = LeagueRunner(
        store,
        [LeagueScheduler(store, store.where, league)],
        Hosting(trusted=True),
        lambda line: None,
        ray,
        most_batches=2,
    )
    assert run_leagues(runner, ray.room()).batches >= 2
    assert list(league_problems(store, Leagues(store).named("cambio"))) == []
