"""The rules and a second reading of their pages, side by side in random matches under random options."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from referee.games.coch import COCH
from referee.games.cucco import CUCCO
from referee.games.cucu import CUCU
from referee.games.hypp import HYPP
from referee.games.kille import KILLE
from referee.games.lustu import LUSTU
from referee.games.perudo import PERUDO
from referee.games.scopa import SCOPA
from referee.games.torionfo import TORIONFO
from referee.games.zifuli import ZIFULI
from tests.readings.cambio import Cambio, Cucco
from tests.readings.coch import Coch
from tests.readings.cucu import Cucu
from tests.readings.hypp import Hypp
from tests.readings.kille import Kille
from tests.readings.lustu import Lustu
from tests.readings.perudo import Perudo
from tests.readings.reading import Reading, side_by_side
from tests.readings.scopa import Scopa
from tests.readings.torionfo import Torionfo
from tests.readings.zifuli import Zifuli

MATCHES = range(120)
HOT = ((), (-4, 15, 12, 13, 7), (-4, 14, 7, 11, -3), (15, 13, 11, 7))
"""Cards that come early, so that fools meet, cuckoos are held, and passes and ties are frequent."""

KINGS = ("C10", "U10", "S10", "B10")
TAKEN = (10, 14, 15)
"""Cards that are taken to the hand before play, so that others are put back."""
ARRESTS = ((), (11, 12, 13, 14), (-4, 0, 11), (12, 15, 14, 11), (-4, 15), (-4, 14), (0, 11, 14))
"""Cards that come early, so that arrests, inns and fools are frequent."""


def any_of(moves: Sequence[str], rng: Random) -> str:
    return rng.choice(moves)


@pytest.mark.parametrize("number", MATCHES)
def test_cambio(number: int) -> None:
    rng = Random(number)
    options: dict[str, Any] = {
        switch: rng.random() < 0.25
        for switch in ("indian", "misery", "rebirth", "double_turn", "double_pack", "child_time")
    }
    options["reveal"] = rng.choice(["lowest", "anti", "cancel", "second", "high_low", "two", "lion"])
    options["final_tie"] = rng.choice(["carry", "overtime"])
    options |= {"chips": rng.choice([1, 2, 3, 5, 10, 25]), "max_sets": rng.choice([1, 3, 6]), "max_rounds": 100}
    if options["reveal"] != "cancel":
        options["cuckoos"] = rng.choice(["auto", "1", "2", *(["3", "4"] if options["double_pack"] else [])])
    seats = rng.choice([2, 2, 3, 3, 4, 5, 6, 7, 8, 15, *([16, 30] if options["double_pack"] else [])])
    side_by_side(CAMBIO, Cambio, options, seats, number, any_of, HOT[number % 4])


@pytest.mark.parametrize("number", MATCHES)
def test_cucco(number: int) -> None:
    rng = Random(number)
    options = {
        "length": rng.choice(["standard", "short"]),
        "cancellation": rng.random() < 0.5,
        "open": rng.choice(["auto", "manual"]),
        "coins": rng.choice([0, 0, 1, 4, 15, 40]),
        "sets": rng.choice([0, 0, 1, 2, 9]),
    }
    side_by_side(CUCCO, Cucco, options, rng.choice([2, 2, 3, 4, 5, 6, 8, 15]), number, any_of, HOT[number % 4])


@pytest.mark.parametrize("number", MATCHES)
def test_kille(number: int) -> None:
    rng = Random(number)
    kinds: list[dict[str, Any]] = [{}, {"duplicate": True}, {"target": rng.choice([1, 2, 3])}]
    options = rng.choice(kinds)
    if rng.random() < 0.3:
        options["max_deals"] = rng.choice([1, 2, 4, 9])
    side_by_side(KILLE, Kille, options, rng.choice([3, 4, 5, 6, 7, 10, 13, 20]), number, any_of)


@pytest.mark.parametrize("number", MATCHES)
def test_hypp(number: int) -> None:
    rng = Random(number)
    options = {"limit": rng.choice([1, 2, 3, 10, 40]), "max_rounds": rng.choice([1, 3, 10, 200])}
    bold = rng.random()

    def choose(moves: Sequence[str], rng: Random) -> str:
        return moves[-1] if moves[0] == "bet 1" and rng.random() < bold else rng.choice(moves)

    side_by_side(HYPP, Hypp, options, rng.randint(2, 8), number, choose)


@pytest.mark.parametrize("number", MATCHES)
def test_perudo(number: int) -> None:
    rng = Random(number)
    options: dict[str, Any] = {
        variant: rng.random() < 0.5 for variant in ("hidden", "high_risk", "showdown", "first_blood")
    }
    options["max_rounds"] = rng.choice([1, 8, 2000, 2000])

    def choose(moves: Sequence[str], rng: Random) -> str:
        """Bid low and doubt soon, so that counts are near to bids and all kinds of rounds are played."""
        if "showdown" in moves and rng.random() < 0.7:
            return "showdown"
        if "no" in moves and rng.random() < 0.4:
            return rng.choice([move for move in moves if move in ("no", "exact")])
        return rng.choice(moves[:8]) if rng.random() < 0.8 else rng.choice(moves)

    side_by_side(PERUDO, Perudo, options, rng.choice([2, 2, 3, 3, 4, 5, 6]), number, choose)


@pytest.mark.parametrize("number", MATCHES[::2])
def test_scopa(number: int) -> None:
    rng = Random(number)
    options: dict[str, Any] = {
        "target": rng.choice([1, 4, 7, 11, 11, 15]),
        "primiera": rng.choice(["best", "sum", "sevens"]),
        "faces": rng.choice(["king", "all"]),
        "teams": rng.choice(["auto", "none"]),
        "mercy": rng.random() < 0.5,
        "max_deals": rng.choice([1, 3, 200, 200]),
        "strict_discard": rng.random() < 0.5,
    }
    greed = rng.random()

    def choose(moves: Sequence[str], rng: Random) -> str:
        """Capture several cards where it can be chosen, so that tables are swept and captures are of many kinds."""
        return max(moves, key=len) if rng.random() < greed else rng.choice(moves)

    side_by_side(SCOPA, Scopa, options, rng.randint(2, 6), number, choose, KINGS if number % 8 == 0 else ())


@pytest.mark.parametrize("number", [9, 15, 82, 89, 286])
def test_scopa_that_ends_with_seven_to_nothing(number: int) -> None:
    side_by_side(SCOPA, Scopa, {"mercy": True, "target": 15}, 2, number, any_of)


@pytest.mark.parametrize("number", MATCHES[::2])
def test_torionfo(number: int) -> None:
    side_by_side(TORIONFO, Torionfo, {}, 2 if number % 3 == 0 else 4, number, any_of, TAKEN if number % 2 else ())


@pytest.mark.parametrize("number", MATCHES)
def test_coch(number: int) -> None:
    options = {"deals": number % 4} if number % 4 else {}
    side_by_side(COCH, Coch, options, 4, number, any_of)


@pytest.mark.parametrize("number", [383, 1934, 2100])
def test_coch_that_is_drawn_at_the_second_count(number: int) -> None:
    side_by_side(COCH, Coch, {}, 4, number, any_of)


@pytest.mark.parametrize("number", MATCHES[::2])
def test_zifuli(number: int) -> None:
    rng = Random(number)
    options: dict[str, Any] = {"chips": rng.choice([1, 3, 4, 20])}
    if rng.random() < 0.5:
        options |= {"end": "broke", "max_deals": rng.choice([1, 5, 500])}
    else:
        options["deals"] = rng.choice([1, 4, 10])
    caution = rng.choice([0.3, 0.6, 0.9])

    def choose(moves: Sequence[str], rng: Random) -> str:
        return "pass" if "pass" in moves and rng.random() < caution else rng.choice(moves)

    side_by_side(ZIFULI, Zifuli, options, 5, number, choose)


@pytest.mark.parametrize("number", [20, 39])
def test_zifuli_with_a_deal_for_which_nobody_pays(number: int) -> None:
    side_by_side(ZIFULI, Zifuli, {}, 5, number, any_of)


def stakes(number: int) -> tuple[dict[str, Any], int, float]:
    """Return options of Cucù and Lu Stù, how many play, and how boldly."""
    rng = Random(number)
    stake = rng.choice([1, 3, 10, 50])
    options: dict[str, Any] = {
        switch: rng.random() < 0.5 for switch in ("table_talk", "endgame_agreement", "syndicates")
    }
    options |= {
        "stake": stake,
        "bankroll": stake * rng.choice([1, 4, 30, 3000]),
        "max_deals": rng.choice([1, 4, 15, 60]),
    }
    options["open_syndicates"] = options["syndicates"] and rng.random() < 0.5
    return options, rng.choice([2, 2, 3, 3, 4, 5, 6, rng.randint(7, 20)]), rng.random()


def bold_with(boldness: float) -> Callable[[Sequence[str], Random], str]:
    def choose(moves: Sequence[str], rng: Random) -> str:
        """Exchange and answer boldly: what costs nothing is offered first, and what costs most last."""
        return rng.choice(moves[len(moves) // 2 :]) if rng.random() < boldness else rng.choice(moves)

    return choose


@pytest.mark.parametrize("number", MATCHES)
def test_cucu(number: int) -> None:
    options, seats, boldness = stakes(number)
    side_by_side(CUCU, Cucu, options, seats, number, bold_with(boldness), ARRESTS[number % 7])


def keen(moves: Sequence[str], rng: Random) -> str:
    """Mostly choose what binds one to others."""
    eager = [move for move in moves if move in ("exchange", "pay if zero", "agree", "enter", "join")]
    return eager[0] if eager and rng.random() < 0.8 else rng.choice(moves)


@pytest.mark.parametrize("number", [44, 98, 205, 249])
def test_cucu_with_an_innkeeper_who_has_not_the_tokens_for_two(number: int) -> None:
    side_by_side(CUCU, Cucu, {}, 3, number, keen, (0, 11, 14))


@pytest.mark.parametrize("number", [35, 51])
def test_cucu_with_syndicates_of_several_and_new_entries(number: int) -> None:
    side_by_side(CUCU, Cucu, {"syndicates": True, "bankroll": 10**7}, 8, number, keen)


@pytest.mark.parametrize("number", MATCHES[:40])
@pytest.mark.parametrize(("game", "reading"), [(CUCU, Cucu), (LUSTU, Lustu)], ids=["cucu", "lustu"])
def test_open_syndicates_of_the_poor(game: Game, reading: type[Reading], number: int) -> None:
    options = {"syndicates": True, "open_syndicates": True, "stake": 10, "bankroll": 11 + number}
    side_by_side(game, reading, options, 3 + number % 7, number, keen)


@pytest.mark.parametrize("number", MATCHES)
def test_lustu(number: int) -> None:
    options, seats, boldness = stakes(number)
    options["fools"] = 2 - number // 2 % 2
    side_by_side(LUSTU, Lustu, options, seats, number, bold_with(boldness), ARRESTS[number % 7])


@pytest.mark.parametrize("number", [18, 34])
def test_lustu_with_nothing_but_two_fools_to_compare(number: int) -> None:
    side_by_side(LUSTU, Lustu, {}, 2, number, any_of, (-4,))
