"""What holds in every match of Cambio and Cucco: random play under random options, at every size of table."""

from random import Random
from typing import Any

import pytest

from referee.engine.chance import ScriptedChance, seed_from_number
from referee.engine.events import history
from referee.engine.game import Game
from referee.games.cambio import CAMBIO, CambioState
from referee.games.cucco import CUCCO
from referee.games.cuckoo_pack import UNKNOWN
from referee.games.reveals import RULES
from referee.wire import view_message
from tests.games.dealt import random_match, step

GAMES = [CAMBIO, CUCCO]
SWITCHES = ("indian", "misery", "rebirth", "double_turn", "double_pack", "child_time")


def any_options(game: Game, rng: Random) -> tuple[dict[str, Any], int]:
    """Return options that go together, and a number of seats."""
    if game is CUCCO:
        length, opens = rng.choice(["short", "standard"]), rng.choice(["auto", "manual"])
        return {"length": length, "cancellation": rng.random() < 0.5, "open": opens}, rng.randint(2, 15)
    options: dict[str, Any] = {switch: rng.random() < 0.3 for switch in SWITCHES}
    options |= {"reveal": rng.choice([*RULES]), "final_tie": rng.choice(["carry", "overtime"])}
    options |= {"chips": rng.choice([2, 5, 10]), "max_sets": 4, "max_rounds": 200}
    if options["reveal"] != "cancel":
        options["cuckoos"] = rng.choice(["auto", "1", "2", *(["3"] if options["double_pack"] else [])])
    return options, rng.randint(2, 30 if options["double_pack"] else 15)


def start(game: Game, number: int) -> tuple[CambioState, Random]:
    rng = Random(number)
    options, seats = any_options(game, rng)
    state = random_match(game, seats, number, **options)
    assert isinstance(state, CambioState)
    return state, rng


def cards(state: CambioState) -> list[int]:
    """Return all the cards of the match, wherever they are."""
    pile = state.table.pile
    held = [card for card in state.table.cards if card != UNKNOWN]
    aside = [card for _, card, _ in state.table.aside]
    return sorted([*held, *aside, *pile.discards, *pile.cards[len(pile.cards) - pile.left :]])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("number", range(60))
def test_chips_and_cards_are_conserved_and_the_match_ends(game: Game, number: int) -> None:
    state, rng = start(game, number)
    chips = state.rules.seats * state.rules.chips
    pack = sorted(state.rules.pack)
    while state.asked:
        assert sum(state.chips) + state.box == chips
        assert min(state.chips) >= 0
        assert cards(state) == pack
        for seat in range(state.rules.seats):
            legal = state.legal(seat)
            assert (len(legal) > 1) == (seat in state.asked)
            assert not legal or state.default(seat) in legal
        step(state, rng)
    assert sum(state.chips) + state.box == chips
    outcome = state.outcome()
    assert outcome.scores == state.chips
    assert min(outcome.ranks) == 1


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("number", range(20))
def test_a_copy_goes_on_alike_and_leaves_the_original_alone(game: Game, number: int) -> None:
    state, rng = start(game, number)
    for _ in range(rng.randrange(40)):
        if state.asked:
            step(state, rng)
    twin = state.copy()
    before = [state.view(seat) for seat in range(state.rules.seats)], list(state.events), state.asked
    goes_on = rng.getstate()
    while twin.asked:
        step(twin, rng)
    assert ([state.view(seat) for seat in range(state.rules.seats)], state.events, state.asked) == before
    rng.setstate(goes_on)
    while state.asked:
        step(state, rng)
    assert state.events == twin.events
    assert state.outcome() == twin.outcome()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_same_seed_gives_the_same_events(game: Game) -> None:
    logs = []
    for _ in range(2):
        state, rng = start(game, 7)
        while state.asked:
            step(state, rng)
        logs.append(state.events)
    assert logs[0] == logs[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("number", range(40))
def test_a_view_tells_nothing_of_hidden_cards(game: Game, number: int) -> None:
    state, rng = start(game, number)
    for _ in range(rng.randrange(60)):
        if state.asked:
            step(state, rng)
    for seat in range(state.rules.seats):
        twin = state.copy()
        hidden = [
            i for i in range(twin.rules.seats) if not twin.table.seen[i] >> seat & 1 and twin.table.cards[i] != UNKNOWN
        ]
        left = list(twin.table.pile.cards[len(twin.table.pile.cards) - twin.table.pile.left :])
        mixed = [twin.table.cards[i] for i in hidden] + left
        rng.shuffle(mixed)
        for i in hidden:
            twin.table.cards[i] = mixed.pop()
        twin.table.pile.cards = tuple(mixed)
        assert twin.view(seat) == state.view(seat)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("number", range(40))
def test_the_log_of_a_seat_tells_nothing_of_hidden_cards(game: Game, number: int) -> None:
    rng = Random(number)
    options, seats = any_options(game, rng)
    parsed: Any = game.options.parse(options)
    deck = list(parsed.rules(seats).pack)
    rng.shuffle(deck)
    first = rng.randrange(seats)

    def begun() -> CambioState:
        chance = ScriptedChance(seed_from_number(0), deck, picks={"first": first})
        state = game.start(parsed, seats, chance)
        assert isinstance(state, CambioState)
        return state

    state = begun()
    if state.round > 1 or not state.asked:  # a cuckoo has opened and shown all cards, or there is nothing to play
        return
    seat = state.asked[0]
    seen = [i for i, holder in enumerate(state.table.order) if state.table.seen[holder] >> seat & 1]
    rest = [card for i, card in enumerate(deck) if i not in seen]
    rng.shuffle(rest)
    deck = [card if i in seen else rest.pop() for i, card in enumerate(deck)]
    other = begun()
    if other.round == 1:
        assert history(game.lines, other.events, seat) == history(game.lines, state.events, seat)
        if other.asked == state.asked:
            assert other.view(seat) == state.view(seat)
            assert other.legal(seat) == state.legal(seat)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_view_has_the_fields_of_its_message(game: Game) -> None:
    state, _ = start(game, 1)
    view: Any = state.view(0)
    assert list(view._fields) == [field.name for field in view_message(game).DESCRIPTOR.fields]
    assert len(view) == len(view._fields)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_stable_fields_are_the_same_for_all_seats(game: Game) -> None:
    state, rng = start(game, 3)
    for _ in range(30):
        if state.asked:
            views = {state.view(seat)[: game.stable] for seat in range(state.rules.seats)}
            assert len(views) == 1
            step(state, rng)
