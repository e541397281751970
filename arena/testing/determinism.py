"""Determinism: one seed gives one match, and a record of it is enough to replay it."""

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.ending import LONGEST
from arena.testing.policies import policy
from arena.testing.violation import Violation
from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.events import Event, digest, text
from referee.engine.record import pack_answers, replay, unpack_answers

OTHER_SEEDS = 12


@check
def check_determinism(case: MatchCase) -> None:
    """The same options, seed and moves give the same questions, log and result; other seeds give other matches."""
    played = case.played
    state = case.start()
    for step, moves in enumerate(played.moves):
        if state.asked != played.asked[step]:
            raise Violation(f"seats {played.asked[step]} are asked the first time, {state.asked} the second", step)
        if (legal := tuple(state.legal(seat) for seat in state.asked)) != played.legal[step]:
            raise Violation(f"{played.legal[step]} is offered the first time, {legal} the second", step)
        state.apply(moves)
        # Lines that were logged before are compared by `check_log`, and here only now and then.
        begin = 0 if step % 32 == 0 else played.seen[step]
        compare(case, played.state.events, state.events, range(begin, played.seen[step + 1]), step)
    compare(case, played.state.events, state.events, range(max(map(len, (played.state.events, state.events)))), None)
    if state.outcome() != played.state.outcome():
        raise Violation(f"the standings are {played.state.outcome()} the first time, {state.outcome()} the second")
    # Options may leave nothing to chance: chess from the usual position.
    if case.scenario is None and case.game.chance and (played.chance_requests or not case.options):
        _check_seeds_differ(case)


def compare(case: MatchCase, first: list[Event], second: list[Event], numbers: range, step: int | None) -> None:
    """Raise Violation if two logs of one match differ in the lines of these numbers."""
    if first[numbers.start : numbers.stop] == second[numbers.start : numbers.stop]:
        return
    for number in numbers:
        one, other = (events[number] if number < len(events) else None for events in (first, second))
        if one != other:
            lines = ['"' + text(case.game.lines, event) + '"' if event else "nothing" for event in (one, other)]
            raise Violation(f"line {number} of the log is {lines[0]} the first time, {lines[1]} the second", step)


def _check_seeds_differ(case: MatchCase) -> None:
    logs = []
    for number in range(case.seed, case.seed + OTHER_SEEDS):
        choose = policy(case.play)
        state = case.game.start(case.rules, case.seats, Chance(deal_seed(seed_from_number(number), 0)))
        for _ in range(min(case.steps, 20)):
            if state.asked:
                state.apply([choose(state, seat) for seat in state.asked])
        logs.append(state.events)
    if all(log == logs[0] for log in logs):
        raise Violation(
            f"{OTHER_SEEDS} different seeds give the same match; a game without chance says so with `chance = False`"
        )


@check
def check_chance(case: MatchCase) -> None:
    """Every request to chance names a place of its own in the match, so that no two requests share an answer."""
    places: dict[str, int] = {}
    played = case.played
    for number, request in enumerate(played.chance_requests):
        if request.place in places:
            step = next(n for n, asked in enumerate([*played.requests[1:], number + 1]) if asked > number)
            raise Violation(f'a second {request.kind} is asked for at the place "{request.place}"', step)
        places[request.place] = number


@check
def check_replay(case: MatchCase) -> None:
    """A record, which holds the numbers of the chosen moves, gives the same log and result when it is replayed."""
    if case.scenario is not None:
        return  # a record holds a seed, not a script
    choose = policy(case.play)
    state = case.start(Chance(case.match_seed))
    answers: list[int] = []
    while state.asked and len(answers) < LONGEST:
        moves = [choose(state, seat) for seat in state.asked]
        answers += [state.legal(seat).index(move) for seat, move in zip(state.asked, moves, strict=True)]
        state.apply(moves)
    packed = unpack_answers(pack_answers(answers))
    *_, (again, _) = replay(case.game, case.rules, case.seats, Chance(case.match_seed), packed)
    compare(case, state.events, again.events, range(max(len(state.events), len(again.events))), None)
    if digest(again.events) != digest(state.events) or again.outcome() != state.outcome():
        raise Violation(f"the record ends with {again.outcome()}, the match ended with {state.outcome()}")
