"""Cucù and Lu Stù in seeded random play: ends, cards, tokens and money, hiding, talk."""

from collections.abc import Iterator
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from referee.codec import ViewEncoder
from referee.engine.chance import Chance, ScriptedChance
from referee.engine.errors import OptionError, SeatsError
from referee.engine.events import history
from referee.engine.game import Game
from referee.games.cuckoo_pack import UNKNOWN
from referee.games.cucu import CUCU, TALK_LIMIT, CucuState
from referee.games.lustu import LUSTU
from referee.games.visibility import knows
from referee.wire import view_message

RULES: list[dict[str, Any]] = [
    {},
    {"endgame_agreement": True},
    {"syndicates": True, "stake": 3},
    {"syndicates": True, "endgame_agreement": True, "table_talk": True},
    {"bankroll": 40, "syndicates": True},
    {"bankroll": 30, "syndicates": True, "open_syndicates": True},
    {"max_deals": 4, "endgame_agreement": True},
]
TABLES = [(game, rules, seats) for game in (CUCU, LUSTU) for rules in RULES for seats in (2, 3, 6)] + [
    (CUCU, {}, 20),
    (LUSTU, {"fools": 1}, 20),
    (LUSTU, {"fools": 1}, 2),
]


def named(value: object) -> str:
    if isinstance(value, Game):
        return value.name
    return "-".join(f"{name}={given}" for name, given in value.items()) if isinstance(value, dict) else str(value)


tables = pytest.mark.parametrize(("game", "rules", "seats"), TABLES, ids=named)


def seed(number: int) -> bytes:
    return sha256(b"cucu %d" % number).digest()


def start(game: Game, rules: dict[str, Any], seats: int, number: int) -> CucuState:
    state = game.start(game.options.parse(rules), seats, Chance(seed(number)))
    assert isinstance(state, CucuState)
    return state


def positions(game: Game, rules: dict[str, Any], seats: int, number: int) -> Iterator[CucuState]:
    """Yield the state before every question of a random match, and at its end."""
    rng = Random(number)
    state = start(game, rules, seats, number)
    while state.asked:
        yield state
        state.apply([rng.choice(state.legal(state.asked[0]))])
    yield state


def finish(state: CucuState, number: int) -> CucuState:
    rng = Random(number)
    while state.asked:
        state.apply([rng.choice(state.legal(state.asked[0]))])
    return state


@tables
def test_matches_end_and_keep_cards_tokens_and_money(game: Game, rules: dict[str, Any], seats: int) -> None:
    for number in range(4):
        for state in positions(game, rules, seats, number):
            outcome = state.outcome()
            assert sum(outcome.scores) + state.pool.amount == 0
            assert min(state.tokens) >= 0
            assert min(state.pool.purses) >= 0
            assert all(state.tokens[seat] == 3 for seat in state.virgins)
            table = state.table
            cards = [card for card in table.cards if card != UNKNOWN] + [card for card, _ in table.aside]
            assert sorted([*cards, *table.pile.undealt()]) == sorted(state.pack)
            for seat in range(seats):
                legal = state.legal(seat)
                assert bool(legal) == (seat in state.asked)
                assert len(set(legal)) == len(legal) != 1
                if legal:
                    assert state.default(seat) == legal[0]
        assert state.pool.amount == 0
        assert state.deal <= state.options.max_deals
        assert min(outcome.ranks) == 1


def hide_and_change(state: CucuState, seat: int, rng: Random) -> CucuState:
    """Return a copy in which the cards that `seat` does not know have changed places."""
    twin = state.copy()
    table, pile = twin.table, twin.table.pile
    hidden = [
        other for other in range(table.seats) if table.cards[other] != UNKNOWN and not knows(seat, table.seen[other])
    ]
    dealt = len(pile.cards) - pile.left
    cards = [table.cards[other] for other in hidden] + [card for card, seen in table.aside if not knows(seat, seen)]
    cards += pile.cards[dealt:]
    rng.shuffle(cards)
    for other in hidden:
        table.cards[other] = cards.pop()
    table.aside = tuple([(card if knows(seat, seen) else cards.pop(), seen) for card, seen in table.aside])
    pile.cards = (*pile.cards[:dealt], *cards)
    return twin


@tables
def test_what_a_seat_does_not_know_changes_nothing_it_sees(game: Game, rules: dict[str, Any], seats: int) -> None:
    rng = Random(1)
    for state in positions(game, rules, seats, 8):
        for seat in range(min(seats, 6)):
            twin = hide_and_change(state, seat, rng)
            assert twin.view(seat) == state.view(seat)
            assert twin.legal(seat) == state.legal(seat)


@tables
def test_views_survive_the_wire(game: Game, rules: dict[str, Any], seats: int) -> None:
    encode = ViewEncoder(game).encode
    for state in positions(game, rules, seats, 9):
        view = state.view(0)
        message = view_message(game).FromString(encode(view))
        for name, value in view._asdict().items():
            sent = getattr(message, name)
            if value is None:
                assert not message.HasField(name)
            elif name == "claims":
                assert [(claim.seat, claim.to, claim.paid or claim.percent) for claim in sent] == [
                    (claim.seat, claim.to, claim.paid or claim.percent or 0) for claim in value
                ]
            else:
                assert (tuple(sent) if isinstance(value, tuple) else sent) == value


@pytest.mark.parametrize("game", [CUCU, LUSTU], ids=named)
def test_history_of_a_seat_tells_its_cards_and_no_others(game: Game) -> None:
    state = finish(start(game, {}, 6, 10), 2)
    for seat in range(6):
        lines = history(game.lines, state.events, seat)
        for verb in ("is dealt", "receives", "takes"):
            assert {line.split()[1] for line in lines if f" {verb} " in line} <= {str(seat)}
    assert any(" reveals " in line for line in history(game.lines, state.events, 0))


def test_talk_is_heard_by_all_and_bounded() -> None:
    state = start(CUCU, {"table_talk": True}, 3, 11)
    state.say(2, "I have a cat {}")
    state.say(0, "x" * 100)
    state.say(1, "")
    assert state.view(0).said == ("x" * TALK_LIMIT, "", "I have a cat {}")
    assert history(CUCU.lines, state.events, 1)[-2:] == [
        "seat 2 says: I have a cat {}",
        f"seat 0 says: {'x' * TALK_LIMIT}",
    ]
    twin = state.copy()
    twin.say(1, "me too")
    assert state.view(0).said[1] == ""


def test_nothing_is_said_without_table_talk() -> None:
    state = start(LUSTU, {}, 3, 11)
    before = list(state.events)
    state.say(2, "hello")
    assert state.events == before
    assert state.view(0).said == ()


def test_a_bankroll_pays_for_the_stake() -> None:
    with pytest.raises(OptionError, match="bankroll=5 does not pay for stake=10"):
        CUCU.options.parse({"bankroll": 5})


@pytest.mark.parametrize("game", [CUCU, LUSTU], ids=lambda game: game.name)
def test_open_syndicates_need_syndicates(game: Game) -> None:
    with pytest.raises(OptionError, match="open_syndicates=true needs syndicates=true"):
        game.options.parse({"open_syndicates": True})


@pytest.mark.parametrize("seats", [1, 21])
def test_two_to_twenty_play(seats: int) -> None:
    with pytest.raises(SeatsError, match="2 to 20"):
        LUSTU.start(LUSTU.options(), seats, Chance(seed(1)))


def test_most_cards_that_a_deal_can_need() -> None:
    """Twenty seats, and both horses with the last two: the three last cards come from the pack."""
    low = [card for card in range(1, 10) for _ in range(2)]
    deck = [*low, 13, 13, 0, -1, -2]
    state = CUCU.start(CUCU.options(), 20, ScriptedChance(seed(2), deck=deck, picks={"first": 0}))
    for _ in range(17):
        state.apply(["keep"])
    state.apply(["exchange"])
    state.apply(["exchange"])
    assert state.undealt() == 40 - 22
    state.apply(["exchange"])
    assert "seat 0 takes -2" in history(CUCU.lines, state.events)
