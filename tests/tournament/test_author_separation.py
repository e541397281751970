"""Bots of one author do not sit at the same table, and everybody still plays as often as the others."""

from collections import Counter
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from arena.plan.author_separation import (
    AuthorSeparatedRoundRobin,
    author_numbers,
    check_author_separation,
)
from arena.plan.definition_builder import define
from arena.plan.field import find_bots
from arena.plan.formats import format_of
from arena.plan.schedule import Plan
from arena.ratings import Result
from arena.values.definition import Definition, Entrant, Schedule, Settings
from arena.values.tournament_errors import PlanError
from referee.engine.chance import Chance
from referee.games.cambio import CAMBIO

SECRET = bytes(range(32))


def field(authors: str) -> tuple[Entrant, ...]:
    """Return a bot for each letter, its author; a dot is nobody known."""
    return tuple(
        Entrant(f"bot{place}", ("true",), "/", (), "", author="" if letter == "." else letter)
        for place, letter in enumerate(authors)
    )


def definition(authors: str, **kind: Any) -> Definition:
    values: dict[str, Any] = {"game": "cambio", "options": {}, "behaviour": 1, "rounds": 60, "field": field(authors)}
    return Definition(**values | {"same_author": "apart"} | kind)


@pytest.mark.parametrize(
    ("authors", "seats"),
    [("aabbcc", 3), ("aa......", 4), ("aabbccdd", 4), ("aaabbb......", 4), ("aaabbbcccddd", 4), ("aa...........", 6)],
)
def test_nobody_sits_with_its_author_s_others_and_all_sit_equally_often(authors: str, seats: int) -> None:
    plan = Plan.of(definition(authors, seats=seats), SECRET)
    sittings, met = Counter(range(len(authors))), Counter[tuple[int, int]]()
    for deal in plan.iter_deals():
        seated = sorted(player.entrant for player in deal.players)
        known = [authors[bot] for bot in seated if authors[bot] != "."]
        assert len(set(known)) == len(known)
        assert len(set(seated)) == seats
        sittings.update(seated)
        met.update(combinations(seated, 2))
        assert max(sittings.values()) - min(sittings.values()) <= 2
    others = [pair for pair in combinations(range(len(authors)), 2) if len({authors[bot] for bot in pair} - {"."}) > 0]
    assert all(met[pair] for pair in others if authors[pair[0]] != authors[pair[1]])


@pytest.mark.parametrize("authors", ["aab", "aaab", "aabb.", "aabbc.."])
def test_at_tables_of_two_all_pairs_of_different_authors_meet_equally_often(authors: str) -> None:
    numbers = author_numbers(definition(authors, seats=2))
    pairs = [pair for pair in combinations(range(len(authors)), 2) if numbers[pair[0]] != numbers[pair[1]]]
    tables = islice(AuthorSeparatedRoundRobin(len(authors), 2, numbers)(Chance(SECRET)), 3 * len(pairs))
    assert Counter(tuple(sorted(player.entrant for player in table)) for table in tables) == dict.fromkeys(pairs, 3)


def test_a_field_that_can_no_longer_be_kept_apart_goes_on_all_the_same() -> None:
    tables = list(islice(AuthorSeparatedRoundRobin(5, 4, (0, 0, 0, 3, 4))(Chance(SECRET)), 40))
    assert all(len({player.entrant for player in table}) == 4 for table in tables)
    alone = list(islice(AuthorSeparatedRoundRobin(3, 2, (0, 0, 0))(Chance(SECRET)), 6))
    assert Counter(player.entrant for table in alone for player in table) == {0: 4, 1: 4, 2: 4}
    few = list(islice(AuthorSeparatedRoundRobin(2, 4, (0, 1))(Chance(SECRET)), 6))
    assert all(sorted(table) == [(0, 0), (0, 1), (1, 0), (1, 1)] for table in few)


@pytest.mark.parametrize(("authors", "seats"), [("aaabbb", 2), ("aaaabbcc", 2), ("aaabbbccc", 3), ("aabbcc...", 4)])
def test_in_a_swiss_too(authors: str, seats: int) -> None:
    course = format_of(definition(authors, seats=seats, rounds=2, schedule="swiss", stages=5), SECRET)

    def read(numbers: range) -> list[Result]:
        """The bot with the higher number is always better."""
        found = []
        for plan in plans:
            for match in plan.iter_matches():
                if match.number in numbers:
                    seated = [player.entrant for player in match.players]
                    ranks = tuple(1 + sum(other > bot for other in seated) for bot in seated)
                    found.append(Result(match.deal.number, tuple(f"bot{bot}" for bot in seated), ranks, ranks))
        return found

    plans: list[Plan] = []
    while (plan := course.plan(len(plans), read)) is not None:
        plans.append(plan)
        for table in plan.fixed_tables:
            known = [authors[bot] for bot in table if authors[bot] != "."]
            assert len(set(known)) == len(known)
    assert len(plans) == 5


@pytest.mark.parametrize(
    ("authors", "kind", "sentence"),
    [
        ("aaab", {"seats": 3}, "a has 3 of the 4 bots, and at tables of 3 only 1 of one author"),
        ("aab.", {"seats": 3}, "only 1 of one author can be kept apart"),
        ("aaab", {"seats": 2, "schedule": "swiss", "stages": 2}, "a has 3 of the 4 bots"),
        ("aa", {"seats": 2}, "all bots have the same author, a"),
        ("ab", {"seats": 4}, "2 bots fill a table of 4 only with copies"),
        ("abcd", {"seats": 4, "teams": "mixed"}, "draws partners from the whole field"),
    ],
)
def test_where_it_is_impossible_a_sentence_says_so(authors: str, kind: dict[str, Any], sentence: str) -> None:
    made = definition(authors, **kind)
    with pytest.raises(PlanError, match=sentence):
        check_author_separation(made, made.field, made.seats)
    check_author_separation(replace(made, same_author="any"), made.field, made.seats)


@pytest.mark.parametrize(("schedule", "challengers"), [("gauntlet", 1), ("knockout", 0), ("ladder", 1)])
def test_pairings_that_are_fixed_separate_nobody(schedule: Schedule, challengers: int) -> None:
    options = CAMBIO.options()
    apart = Settings(rounds=1, seats=2, schedule=schedule, challengers=challengers, same_author="apart")
    with pytest.raises(PlanError, match=f"the pairings of a {schedule} are fixed: leave out --same-author apart"):
        define(CAMBIO, options, field("abcd"), apart)
    assert define(CAMBIO, options, field("abcd"), replace(apart, same_author="any")).schedule == schedule


def test_it_is_part_of_the_definition_where_it_is_wanted() -> None:
    apart = definition("ab", seats=2)
    assert Definition.from_json(apart.to_json()) == apart
    assert "same_author" not in replace(apart, same_author="any").to_json()
    assert author_numbers(replace(apart, same_author="any")) == ()
    assert author_numbers(definition("aab..", seats=2)) == (0, 0, 2, 3, 4)


def test_a_bot_toml_names_an_author(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text('language = "python"\ncommand = ["python", "bot.py"]\nauthor = "club"\n')
    (tmp_path / "bot.py").write_text("")
    (bot,) = find_bots([str(tmp_path)], {})
    assert bot.author == "club"
    assert Entrant.from_json(bot.to_json()) == bot
    assert "author" not in replace(bot, author="").to_json()
