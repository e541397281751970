"""Positions: worlds that fit, all those that fit, and what is said where there are none."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from arena.positions import NoWorld, Position, World, course
from arena.positions.course import play
from referee.engine import registry
from referee.engine.chance import Chance, ScriptedChance, seed_from_number
from referee.engine.events import Event
from referee.engine.game import Game, State
from referee.engine.known import Known, SeatLog
from referee.games.cuckoo_pack import pack
from tests.positions.observed import Shown, observed, told
from tests.swapping import DEALT, PACK, ROUND, SHOWS, SWAPPING, TAKES, Swapping

PRESETS = [
    (game.name, preset)
    for game in registry.installed()[0]
    if type(game).__module__.startswith("referee.games.")
    for preset in game.presets
]
MOST_QUESTIONS = 14


def match(name: str, preset: str, seats: int | None = None) -> tuple[Game, Any, int]:
    game = registry.game(name)
    options = game.options.parse(game.presets[preset])
    return game, options, seats or game.recommended


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_world_cannot_be_told_from_the_real_state(name: str, preset: str) -> None:
    game, options, seats = match(name, preset)
    asked = 0
    for number in range(2):
        seat = (number + 1) % seats
        position = Position(game, options, seats, seat, number)
        for shown, _ in zip(observed(game, options, seats, seat, number), range(MOST_QUESTIONS), strict=False):
            position.ask(shown.events, shown.view, shown.legal)
            for world in position.worlds(2):
                assert world.view(seat) == shown.view
                assert world.legal(seat) == shown.legal
                assert seat in world.asked
                assert world.scores == shown.state.outcome().scores
                world.playout(Random(asked), most=30)
            position.answer(shown.move)
            asked += 1
    assert asked


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_seat_that_is_told_the_log_alone_of_what_it_was_asked_before_has_worlds(name: str, preset: str) -> None:
    game, options, seats = match(name, preset)
    seat = 1 % seats
    log: list[Event] = []
    for number, shown in enumerate(observed(game, options, seats, seat, 2)):
        log += shown.events
        if number == MOST_QUESTIONS:
            break
        if number % 3 == 1:
            position = Position(game, options, seats, seat, number, is_late=True)
            position.ask(log, shown.view, shown.legal)
            for world in position.worlds(2):
                assert world.view(seat) == shown.view
                assert world.legal(seat) == shown.legal
                assert world.scores == shown.state.outcome().scores


class Telling(Swapping):
    """The small game, which tells what its log says of the pack."""

    def known_chance(self, log: SeatLog) -> list[Known]:
        known: list[Known] = []
        place: tuple[int | str, ...] = ()
        taken: dict[int, int] = {}
        left = 0
        for line, *values in log.events:
            if line == ROUND:
                place, taken, left = ("deal", int(values[0] or 0)), {}, log.seats
            elif line in (DEALT, SHOWS) and int(values[0] or 0) not in taken:
                seat = int(values[0] or 0)
                taken[seat] = seat
                known.append(Known(place, (seat,), (values[1],)))
            elif line == TAKES:
                known.append(Known(place, (left,), (values[1],)))
        return known


TELLING = Telling()


def inside(world: World) -> Any:
    """Return the state of a world, of which the rules of its game know more."""
    return world.state


def exact(questions: list[Shown], seats: int, seat: int) -> Counter[tuple[int, ...]]:
    """Return how many of all deals of the first round give the cards on the table, and the seat the same questions."""
    counts: Counter[tuple[int, ...]] = Counter()
    for hand in permutations(PACK, seats):
        state: Any = SWAPPING.start(SWAPPING.options(), seats, ScriptedChance(seed_from_number(1), deck=hand))
        seen = [event for event in state.events if event[0] != DEALT or event[1] == seat]
        if seen == questions[0].events[: len(seen)]:
            counts[tuple(state.cards)] += 1
    return counts


@pytest.mark.parametrize("game", [SWAPPING, TELLING], ids=["not told", "told"])
def test_all_deals_come_equally_often(game: Game) -> None:
    questions = [next(observed(game, game.options(), 3, 0, 4))]
    expected = exact(questions, 3, 0)
    position = told(Position(game, game.options(), 3, 0, 1), questions)
    drawn = Counter(tuple(inside(world).cards) for world in position.worlds(6000))
    assert drawn.keys() == expected.keys()
    assert chi_square(drawn, expected) < 2 * len(expected)


def test_deals_are_as_likely_to_a_seat_that_knows_of_its_answers_by_the_log_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second, *_ = observed(TELLING, TELLING.options(), 3, 0, 4)
    log = first.events + second.events
    late = Position(TELLING, TELLING.options(), 3, 0, 1, is_late=True)
    late.ask(log, second.view, second.legal)
    drawn = Counter(inside(world).cards[1] for world in late.worlds(3000))
    rest = +Counter({card: count - (card == second.view.card) for card, count in Counter(PACK).items()})
    assert drawn.keys() == rest.keys()
    assert chi_square(drawn, rest) < 20
    monkeypatch.setattr("arena.positions.position.TRIES", 50)
    strict = Position(TELLING, TELLING.options(), 3, 0, 1)
    strict.ask(log, second.view, second.legal)
    with pytest.raises(NoWorld):  # it would have been asked before
        strict.world()


def chi_square(drawn: Counter[Any], expected: Counter[Any]) -> float:
    """Return how far frequencies are from what is expected; in the mean the number of kinds less one."""
    scale = drawn.total() / expected.total()
    return sum((drawn[kind] - count * scale) ** 2 / (count * scale) for kind, count in expected.items())


def cambio_questions(deck: tuple[int, ...]) -> Iterator[Shown]:
    game, options, _ = match("cambio", "default")
    chance = ScriptedChance(seed_from_number(3), deck=deck, picks={"first": 1})
    yield from observed(game, options, 2, 1, 5, chance)


def test_in_cambio_the_other_card_has_the_probability_of_all_deals_that_give_the_same_log() -> None:
    """Seat 0 exchanges with seat 1 and gets its 3; what it had was no 14, 13, 12 or 11, or it would not have come."""
    game, options, _ = match("cambio", "default")
    deck = (7, 3)
    state = game.start(options, 2, ScriptedChance(seed_from_number(3), deck=deck, picks={"first": 1}))
    assert state.asked == (0,)
    log = [event for event in state.events if event[0] != 0 or event[1] == 1]
    known = len(state.events)
    state.apply(["exchange"])
    assert state.asked == (1,)
    log += [event for event in state.events[known:] if event[0] != 7 or event[1] == 1]
    position = Position(game, options, 2, 1, 1)
    position.ask(log, state.view(1), state.legal(1))
    worlds = position.worlds(2000)
    assert {inside(world).table.cards[1] for world in worlds} == {7}
    assert {inside(world).table.cards[0] for world in worlds} == {3}

    # Before the exchange nothing but its own card is known to seat 1: all other 39 cards are equally likely.
    first: Any = game.start(options, 2, ScriptedChance(seed_from_number(3), deck=deck, picks={"first": 0}))
    assert first.asked == (1,)
    position = Position(game, options, 2, 1, 1)
    position.ask([event for event in first.events if event[0] != 0 or event[1] == 1], first.view(1), first.legal(1))
    drawn = Counter(inside(world).table.cards[0] for world in position.worlds(4000))
    rest = Counter({card: count - (card == first.table.cards[1]) for card, count in Counter(pack()).items()})
    assert drawn.keys() == (+rest).keys()
    assert chi_square(drawn, +rest) < 45


@pytest.mark.parametrize(
    ("name", "seed"), [(name, seed) for name, preset in PRESETS if preset == "default" for seed in (0, 1)]
)
def test_a_world_is_weighed_by_what_was_played_in_it(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is played again for that, with the same cards and dice, whatever other answers were tried before."""
    game, options, seats = match(name, "default")
    position = Position(game, options, seats, 1, seed)
    played: list[State] = []

    def spy(state: State, answers: Any) -> None:
        played.append(state)
        play(state, answers)

    monkeypatch.setattr(course, "play", spy)
    weighed = 0
    for shown, _ in zip(observed(game, options, seats, 1, seed), range(MOST_QUESTIONS), strict=False):
        position.ask(shown.events, shown.view, shown.legal)
        for _ in range(4):
            world = position.world(lambda view, legal: [1.0] * len(legal))
            if played:
                weighed += 1
                assert [played[-1].view(seat) for seat in range(seats)] == [world.view(seat) for seat in range(seats)]
            played.clear()
        position.answer(shown.move)
    assert weighed


def test_a_belief_weighs_worlds_by_what_others_have_done() -> None:
    """Seat 0 keeps its card, which it does with an 8 and better, and else one time in four."""
    game, options, _ = match("cambio", "default")
    state: Any = game.start(options, 2, ScriptedChance(seed_from_number(3), deck=(9, 3), picks={"first": 1}))
    state.apply(["keep"])
    position = Position(game, options, 2, 1, 1)
    events = [event for event in state.events if event[0] != 0 or event[1] == 1]
    position.ask(events, state.view(1), state.legal(1))

    def belief(view: Any, legal: Sequence[str]) -> list[float]:
        assert view.seat == 0
        if "keep" not in legal:  # the holder of a cuckoo is asked before the turn of the seat
            return [1, 0]
        keep = 1.0 if view.card >= 8 else 0.25
        return [keep if move == "keep" else (1 - keep) / (len(legal) - 1) for move in legal]

    for world in position.worlds(200, belief):
        assert world.weight == (1.0 if inside(world).table.cards[0] >= 8 else 0.25)
    with pytest.raises(ValueError, match=r"the belief gave \[1\] for 2 legal moves: it must give a number"):
        position.world(lambda view, legal: [1])
    assert position.world().weight == 1


def test_in_perudo_the_dice_of_others_are_fair() -> None:
    game, options, _ = match("perudo", "hidden")
    questions = [next(observed(game, options, 2, 0, 1))]
    position = told(Position(game, options, 2, 0, 1), questions)
    drawn = Counter(face for world in position.worlds(2400) for face in inside(world).cups[1])
    assert chi_square(drawn, Counter(dict.fromkeys(range(1, 7), 1))) < 20


def test_what_is_hidden_makes_no_difference() -> None:
    """Two matches that are alike to a seat give it the same worlds from the same seed."""
    game, options, _ = match("perudo", "default")
    seen = []
    for others in ((2, 2, 3, 3, 4), (6, 6, "skull", "skull", 5)):
        dice = [(2, 3, 3, 5, "skull"), others]
        state = game.start(options, 2, ScriptedChance(seed_from_number(1), dice=dice, picks={"first": 0}))
        position = Position(game, options, 2, 0, 7)
        events = [event for event in state.events if event[0] != 1 or event[1] == 0]
        position.ask(events, state.view(0), state.legal(0))
        seen.append([world.view(1) for world in position.worlds(20)])
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > 10


def test_worlds_are_kept_from_question_to_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a bid in Perudo the seat is asked what it rolls again: nothing was told in between that rules one out."""
    game, options, seats = match("perudo", "default")
    position = Position(game, options, seats, 0, 1)
    for shown in observed(game, options, seats, 0, 4):
        if shown.legal[0] == "stand":
            break
        position.ask(shown.events, shown.view, shown.legal)
        before = [world.view(1) for world in position.worlds(3)]
        position.answer(shown.move)
    monkeypatch.setattr(Position, "_dealt", lambda self: pytest.fail("a world was dealt anew"))
    position.ask(shown.events, shown.view, shown.legal)
    assert [world.view(1).dice for world in position.worlds(3)] == [view.dice for view in before]


def test_a_world_is_asked_for_between_a_question_and_its_answer() -> None:
    game, options, seats = match("cambio", "default")
    position = Position(game, options, seats, 0)
    with pytest.raises(NoWorld, match="no question is open"):
        position.world()
    shown = next(observed(game, options, seats, 0, 1))
    position.ask(shown.events, shown.view, shown.legal)
    with pytest.raises(ValueError, match="call `answer` first"):
        position.ask(shown.events, shown.view, shown.legal)
    assert position.legal == shown.legal
    position.answer(shown.move)
    assert position.legal == ()
    with pytest.raises(NoWorld, match="no question is open"):
        position.worlds(3)
    with pytest.raises(ValueError, match="no question to answer"):
        position.answer("keep")


@pytest.mark.parametrize("count", [-1, 1_000_000])
def test_too_many_worlds_are_refused(count: int) -> None:
    game, options, seats = match("cambio", "default")
    position = told(Position(game, options, seats, 0), [next(observed(game, options, seats, 0, 1))])
    with pytest.raises(ValueError, match=f"{count:,} worlds are asked for: take at most 10,000 at once"):
        position.worlds(count)
    assert position.worlds(0) == []


def test_a_question_that_cannot_be_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.positions.position.TRIES", 20)
    game, options, seats = match("cambio", "default")
    position = Position(game, options, seats, 0)
    shown = next(observed(game, options, seats, 0, 1))
    position.ask(shown.events, shown.view._replace(box=99), shown.legal)
    with pytest.raises(NoWorld, match="no world was found that fits what seat 0 was told: 20 were dealt in vain"):
        position.world()
    assert position.given_up == 20


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (
            SWAPPING,
            r"The rules of swapping do not tell what its log says of cards and dice \(`Game.known_chance`\), so",
        ),
        (TELLING, r"The log of swapping may say more of the cards than `Telling.known_chance` tells$"),
    ],
    ids=["not told", "told"],
)
def test_what_a_game_does_not_tell_is_said_where_no_world_is_found(
    game: Game, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.positions.position.TRIES", 20)
    shown = next(observed(game, game.options(), 3, 0, 4))
    position = Position(game, game.options(), 3, 0)
    position.ask(shown.events, shown.view, ("dance",))
    with pytest.raises(NoWorld, match=says):
        position.world()


def test_the_default_move_may_have_been_played_for_the_seat() -> None:
    """Its answer was late, or not legal: the log tells what was played."""
    game, options, _ = match("hypp", "default")
    for answer in ("bet 10", "dance"):
        questions = observed(game, options, 2, 0, 1, Chance(seed_from_number(6)))
        position = Position(game, options, 2, 0)
        asked = 0
        for shown in questions:
            position.ask(shown.events, shown.view, shown.legal)
            assert position.world().view(0) == shown.view
            position.answer(answer if shown.move == shown.state.default(0) else shown.move)
            asked += 1
        assert asked > 2


def test_a_match_can_be_looked_at_only_now_and_then() -> None:
    game, options, seats = match("cambio", "default")
    position = Position(game, options, seats, 2, 1)
    for number, shown in enumerate(observed(game, options, seats, 2, 3)):
        position.ask(shown.events, shown.view, shown.legal)
        if number % 9 == 8:
            assert position.world().view(2) == shown.view
        position.answer(shown.move)
    assert number > 9
