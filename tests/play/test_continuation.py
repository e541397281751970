"""`arena play --from ID --move N` continues a stored match with a person in one of its seats."""

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.record.match_verification import check_match
from arena.replay.replay import Replay
from arena.store import open_store
from arena.values.definition import Definition
from arena.values.rows import StoredMatch
from referee.engine.record import unpack_answers
from referee.games.cambio import CAMBIO
from tests import played
from tests.play.typed_input import pipe

MATCH = ("play", "--game", "cambio", "--against", "counter,random", "-o", "chips=2", "--seed", "3")


def stored(folder: Path, id: int) -> StoredMatch:
    with open_store(folder / "arena.db") as store:
        return store.match(id)


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a match that was played by hand."""
    folder = tmp_path_factory.mktemp("by_hand")
    assert pipe(folder, "k\n" * 40, *MATCH).returncode == 0
    return folder / "arena.db"


@pytest.fixture
def piped(by_hand: Path, tmp_path: Path) -> Callable[..., "subprocess.CompletedProcess[str]"]:
    """Run `arena` with lines as its standard input, where that match is stored."""
    shutil.copy(by_hand, tmp_path)
    return partial(pipe, tmp_path)


@pytest.mark.processes
def test_a_match_continues_against_its_bots(piped: Callable[..., Any], tmp_path: Path) -> None:
    first = stored(tmp_path, 1)
    answers = unpack_answers(first.row.answers)
    done = piped("exchange\n" + "k\n" * 40, "play", "--from", "1", "--move", "2", "--seat", "0")
    assert done.returncode == 0, done.stderr
    second = stored(tmp_path, 2)
    assert second.players == ["person", "counter", "random"]
    assert unpack_answers(second.row.answers)[:2] == answers[:2]
    assert (second.row.seed, second.event.options) == (first.row.seed, {"chips": "2"})
    assert second.event.definition.opening == (1, 2)
    assert check_match(second).wrong == ()


@pytest.mark.processes
def test_a_redeal_changes_what_the_seat_could_not_know(piped: Callable[..., Any], tmp_path: Path) -> None:
    words = ("play", "--from", "1", "--move", "2", "--seat", "0", "--redeal")
    for seed in ("5", "6"):
        done = piped("k\n" * 40, *words, "--seed", seed)
        assert done.returncode == 0, done.stderr
        assert "continues match 1 after 2 answers, with what seat 0 could not know dealt anew" in done.stdout
    first, second, other = (stored(tmp_path, id) for id in range(1, 4))
    assert [check_match(match).wrong for match in (second, other)] == [(), ()]
    assert second.event.definition.redeal != other.event.definition.redeal
    assert second.row.seed == first.row.seed
    known = [
        next(f for f in Replay(match).frames(0) if 0 in f.asked or not f.asked).events for match in (first, second)
    ]
    assert known[0] == known[1]
    assert Definition.from_json(json.loads(second.event.definition_text)).text == second.event.definition_text


@pytest.mark.processes
def test_a_person_of_the_record_is_replaced_by_a_named_bot(piped: Callable[..., Any], tmp_path: Path) -> None:
    refused = piped("k\n" * 40, "play", "--from", "1", "--move", "1", "--seat", "1")
    assert refused.returncode == 2
    assert "person of match 1 is not a program of this machine: name the bots to play with" in refused.stderr
    done = piped("k\n" * 40, "play", "--from", "1", "--move", "1", "--seat", "1", "--against", "random,random")
    assert done.returncode == 0, done.stderr
    assert stored(tmp_path, 2).players == ["random", "person", "random#2"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--from", "1"), "--from and --move need each other"),
        (("--from", "1", "--move", "1", "--game", "cambio"), "leave out --game, --option and --seed"),
        (("--from", "1", "--move", "1", "--seed", "1"), "leave out --game, --option and --seed"),
        (("--from", "1", "--move", "9999"), "match 1 has no answer 9999"),
        (("--from", "2", "--move", "1"), "once tournament 1 is over"),
        (("--from", "1", "--move", "1", "--against", "random"), "match 1 has 4 seats, not 2"),
        (("--from", "1", "--move", "1", "--redeal", "--seat", "4"), "match 1 has the seats 0 to 3"),
        # Seat 2 holds a cuckoo there and passes, which nobody else may know.
        (
            ("--from", "1", "--move", "24", "--redeal", "--seat", "1"),
            "seat 1 cannot see that question, and a redeal would reveal it",
        ),
        (("--game", "cambio", "--redeal"), "--redeal needs --from and --move"),
        ((), "Missing option '--game'"),
    ],
)
def test_what_cannot_be_continued_is_an_error(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_store("arena.db", create=True) as store:
        store.add_single(played.tournament(CAMBIO, matches=1), played.match(CAMBIO))
        number = store.add_tournament(played.tournament(CAMBIO, matches=4))
        store.add_matches(number, [played.match(CAMBIO)])
    result = CliRunner().invoke(main, ["play", *words])
    assert result.exit_code == 2
    assert sentence in result.stderr
