"""Tournaments of games that are played in teams: who sits where, and what counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from arena.plan.definition_builder import define
from arena.plan.field import find_bots, samples
from arena.plan.new_event import new_event
from arena.plan.schedule import Plan
from arena.plan.secret import new_secret
from arena.ratings import Result
from arena.results.standings import Standings, standings
from arena.results.stored_tournament import StoredTournament
from arena.results.team_results import team_result
from arena.run.runner import run
from arena.store import Store, open_store
from arena.values.definition import Definition, Settings, Teams, TimeControl
from arena.values.failure_rows import ProcessFailureRow
from arena.values.rows import MatchRow
from arena.values.rows import ResultRow as StoredResult
from arena.values.tournament_errors import PlanError
from referee.engine.registry import game

pytestmark = pytest.mark.usefixtures("in_process")

TIME = TimeControl(move_time_ms=0, start_time_ms=60_000)


class Silent:
    """Takes no notice."""

    def stored(self, rows: Sequence[MatchRow]) -> None:
        pass

    def failed(self, rows: Sequence[ProcessFailureRow]) -> None:
        pass

    def recount(self, stored: int) -> None:
        pass

    def stands(self, how: str) -> None:
        pass

    def say(self, line: str) -> None:
        pass


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


def defined(
    name: str, *bots: str, rounds: int = 1, seats: int | None = None, who: Teams = "one", **options: str
) -> Definition:
    rules = game(name)
    playing = rules.options.parse(options)
    return define(
        rules, playing, find_bots(bots, samples(name)), Settings(rounds=rounds, seats=seats or 0, teams=who), time=TIME
    )


def played(store: Store, definition: Definition) -> tuple[list[MatchRow], Standings]:
    """Play a tournament with real processes; return its matches and its ranking."""
    secret = new_secret(5)
    number = store.add_tournament(new_event(definition, secret, 5, Plan.of(definition, secret).matches))
    tournament = StoredTournament.load(store, number)
    run(tournament, tournament.resumable_definition(), 1, Silent())
    return [store.match(id).row for id in store.match_ids(number)], standings(tournament.reload())


def test_one_bot_plays_a_team_each_seat_by_a_process_of_its_own(store: Store) -> None:
    rows, found = played(store, defined("coch", "random", "tactician", rounds=12))
    assert len(rows) == 24
    for row in rows:
        assert len({seat.player for seat in row.seats}) == 4
        one, other, *partners = (seat.entrant for seat in row.seats)
        assert {one, other} == {0, 1}
        assert partners == [one, other]
        assert not row.faults
    assert {row.number: row.rotation for row in rows} == {number: number % 2 for number in range(24)}
    for even, odd in zip(rows[::2], rows[1::2], strict=True):
        assert even.seed == odd.seed
        assert even.seats[0].entrant == odd.seats[1].entrant

    won = sum(seat.score for row in rows for seat in row.seats[:2] if seat.entrant == 1)
    ranking = {row.bot: row for row in found.table.rows}
    assert found.matches == 24
    assert {(row.matches, row.deals) for row in found.table.rows} == {(24, 12)}
    assert ranking["tactician"].score == game("coch").in_units(won / 24)
    assert ranking["tactician"].elo == -ranking["random"].elo
    assert found.table.seats == 2
    assert all(1 <= row.expected_place <= 2 for row in found.table.rows)


def test_a_bot_that_draws_no_chance_ties_with_itself_as_a_team(store: Store) -> None:
    _, found = played(store, defined("coch", "tactician", "tactician", rounds=4))
    assert [(row.elo, row.score, row.rank) for row in found.table.rows] == [(0.0, 0.5, 1), (0.0, 0.5, 1)]


def test_mixed_teams_are_of_bots_drawn_from_the_field(store: Store) -> None:
    bots = ("random", "tactician", "random", "tactician")
    rows, found = played(store, defined("coch", *bots, rounds=6, who="mixed"))
    assert len(rows) == 24
    together: Counter[frozenset[int]] = Counter()
    for row in rows:
        a, b, c, d = (seat.entrant for seat in row.seats)
        assert {a, b, c, d} == {0, 1, 2, 3}
        together.update((frozenset((a, c)), frozenset((b, d))))
    assert set(together.values()) == {8}
    assert len(together) == 6
    held = Counter((row.deal, place, seat.entrant) for row in rows for place, seat in enumerate(row.seats))
    assert set(held.values()) == {1}
    assert [row.matches for row in found.table.rows] == [24] * 4
    assert {row.bot for row in found.table.rows} == {"random", "random#2", "tactician", "tactician#2"}


def test_the_definition_says_who_plays_a_team() -> None:
    definition = defined("coch", "random", "random", who="mixed")
    assert (definition.teams, definition.team_of) == ("mixed", (0, 1, 0, 1))
    values = definition.to_json()
    assert (values["teams"], values["team_of"]) == ("mixed", [0, 1, 0, 1])
    assert Definition.from_json(values) == definition
    alone = defined("zifuli", "random", "random").to_json()
    assert (alone["teams"], alone["team_of"]) == ("one", [])


@pytest.mark.parametrize(
    ("name", "bots", "seats", "teams"),
    [
        ("torionfo", 2, 4, 2),
        ("torionfo", 3, 4, 2),
        ("torionfo", 9, 4, 2),
        ("coch", 2, 4, 2),
        ("zifuli", 2, 5, 5),
        ("scopa", 5, 2, 2),
        ("cambio", 3, 3, 3),
    ],
)
def test_tables_are_of_the_recommended_size_if_there_is_a_bot_for_each_team(
    name: str, bots: int, seats: int, teams: int
) -> None:
    definition = defined(name, *["random"] * bots)
    assert (definition.seats, len(set(definition.team_of) or range(seats))) == (seats, teams)


def test_teams_depend_on_seats_and_options() -> None:
    assert defined("scopa", "random", "random", seats=4).team_of == (0, 1, 0, 1)
    assert defined("scopa", "random", "random", seats=6).team_of == (0, 1, 0, 1, 0, 1)
    assert defined("scopa", "random", "random", seats=4, teams="none").team_of == ()
    assert defined("torionfo", "random", "random", seats=2).team_of == ()


@pytest.mark.parametrize(("name", "seats"), [("cambio", 4), ("zifuli", 5), ("torionfo", 2), ("scopa", 3)])
def test_what_has_no_teams_cannot_be_mixed(name: str, seats: int) -> None:
    with pytest.raises(PlanError, match=f"^{name} has no teams at tables of {seats}: leave out --teams"):
        defined(name, *["random"] * 6, seats=seats, who="mixed")


NAMES = ("ann", "bob", "cat", "dan")


def test_a_result_of_teams_has_one_entry_for_each() -> None:
    stored = StoredResult(deal=3, entrants=(2, 0, 1, 3), scores=(5, 7, 5, 7), ranks=(2, 1, 2, 1))
    assert team_result(stored, NAMES, (0, 1, 0, 1)) == Result(3, (("cat", "bob"), ("ann", "dan")), (2, 1), (5, 7))
    assert team_result(stored, NAMES, ()) == Result(3, ("cat", "ann", "bob", "dan"), (2, 1, 2, 1), (5, 7, 5, 7))


def test_a_team_with_a_forfeited_seat_is_last() -> None:
    stored = StoredResult(deal=0, entrants=(0, 1, 2, 3), scores=(9, 1, 9, 1), ranks=(4, 2, 1, 2))
    assert team_result(stored, NAMES, (0, 1, 0, 1)).ranks == (4, 2)
    both = StoredResult(deal=0, entrants=(0, 1, 2, 3), scores=(9, 1, 9, 1), ranks=(3, 3, 1, 2))
    assert team_result(both, NAMES, (0, 1, 0, 1)).ranks == (3, 3)
