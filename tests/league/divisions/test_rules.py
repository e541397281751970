"""Who is in which division after a span."""

import pytest

from arena.league.divisions.decisions import DivisionDecision
from arena.league.divisions.rules import Places, divide, ended_span
from arena.league.plan.definition import LeagueDefinition, LeagueSettings, define_league
from arena.league.plan.matchmaking.snapshot import RatedEntry, Snapshot
from arena.league.store.league_details import missing_detail
from arena.values.rows import DecisionRow
from arena.values.tournament_errors import PlanError
from referee.engine.registry import game
from tests import leagues

RULES: LeagueDefinition = leagues.small("cambio", divisions=3, division_size=2, division_moves=1)


def field(*elos: int, placing: tuple[int, ...] = (), unplayed: tuple[int, ...] = ()) -> Snapshot:
    """Entries with these ratings, numbered from 1; entry 1 is an anchor."""
    return Snapshot(
        9,
        [
            RatedEntry(number, f"owner {number}", elo, 30, 0 if number in unplayed else 100, 0, 1000,
                       is_placing=number in placing)
            for number, elo in enumerate((0, *elos), 1)
        ],
    )  # fmt: skip


def places(snapshot: Snapshot, before: Places = (), rules: LeagueDefinition = RULES) -> Places:
    return divide(snapshot, [1], before, rules).places


def test_the_first_divisions_follow_the_ratings() -> None:
    assert places(field(10, 50, 40, 30, 20)) == ((3, 4), (5, 6))
    assert places(field(10, 50)) == ((3, 2), ()), "with too few the lower ones wait"


def test_who_is_placed_or_has_not_played_waits_in_the_lowest() -> None:
    assert places(field(10, 50, 40, 30, 20, placing=(3,), unplayed=(4,))) == ((5, 6), (2, 4)), "4 has not played"


def test_the_best_and_the_worst_change_places_where_the_ratings_say_so() -> None:
    before = ((2, 3), (4, 5))
    assert divide(field(50, 20, 40, 30, 35), [1], before, RULES).exchanges == ((4, 3), (6, 5))
    assert places(field(50, 20, 40, 30, 35), before) == ((2, 4), (6, 3))
    assert places(field(50, 40, 30, 20, 10), before) == before, "nobody is better than those above"
    assert places(field(50, 40, 40, 20, 20), before) == before, "equals stay"


def test_no_more_than_the_definition_says_move_between_two_divisions() -> None:
    before = ((2, 3), (4, 5))
    assert places(field(1, 2, 30, 40, 50), before) == ((5, 3), (6, 2)), (
        "one up and one down each, though all are better"
    )
    two = leagues.small("cambio", divisions=2, division_size=4, division_moves=2)
    outcome = divide(field(1, 2, 3, 4, 50, 60, 70), [1], ((2, 3, 4, 5),), two)
    assert outcome.places == ((8, 7, 5, 4),)
    assert outcome.moves(((2, 3, 4, 5),), 2) == [(8, 2, 1), (7, 2, 1), (2, 1, 2), (3, 1, 2)]


def test_free_places_are_filled_from_the_division_below_beyond_the_exchange() -> None:
    assert places(field(50, 40, 30, 20, 10), ((2,), (3, 4))) == ((2, 3), (4, 5))
    assert places(field(50, 10, 20, 30, 40), ((2, 7), (3, 4))) == ((2, 4), (6, 5)), "7 plays no more, and 4 stays"


def test_a_member_without_a_rating_is_the_worst_of_its_division() -> None:
    assert places(field(50, 60, 5, 6, 1, unplayed=(3,)), ((2, 3), (4, 5))) == ((2, 5), (4, 3))


def test_the_order_of_the_snapshot_and_of_the_places_has_no_effect() -> None:
    forwards = field(10, 50, 40, 40, 20)
    backwards = Snapshot(9, forwards.entries[::-1])
    assert divide(backwards, [1], ((4, 2), (3,)), RULES) == divide(forwards, [1], ((2, 4), (3,)), RULES)


@pytest.mark.parametrize(("days", "length", "span"), [(0, 7, 0), (6, 7, 0), (7, 7, 1), (30, 7, 4), (300, 0, 0)])
def test_spans_end_after_so_many_days(days: int, length: int, span: int) -> None:
    assert ended_span(days, length) == span


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"division_days": 7}, "--division-days is for leagues with divisions"),
        ({"divisions": 1}, "one division is a league without any"),
        ({"divisions": 2, "division_size": 3}, "a division of 3 fills no table"),
        ({"divisions": 2, "division_size": 5, "division_moves": 3}, "make --division-moves 2 or less"),
    ],
)
def test_divisions_that_cannot_be_are_refused(settings: dict[str, int], sentence: str) -> None:
    rules = game("cambio")
    with pytest.raises(PlanError, match=sentence):
        define_league(rules, rules.options.parse({}), LeagueSettings(seats=4, **settings))


def test_a_decision_reads_what_it_wrote() -> None:
    decision = DivisionDecision(2, 3, 40, 7, ((5, 6, 7), (8, 9), (), (10, 11)), (5, 8), (9,), "2026-03-01", 12)
    row = DecisionRow(12, "2026-03-01", "arena", "divide", decision.details(), "", "")
    assert DivisionDecision.of_row(row) == decision
    assert missing_detail("divide", decision.details()) is None


def test_a_league_without_divisions_has_the_hash_that_it_always_had() -> None:
    assert not {name for name in leagues.small("cambio").to_json() if name.startswith("division")}
