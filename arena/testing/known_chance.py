"""What a game tells bots that look ahead of the answers of chance."""

from collections.abc import Sequence
from typing import Any

from arena.testing.case import MatchCase
from arena.testing.contract_check import check
from arena.testing.seat_knowledge import seat_history
from arena.testing.violation import Violation
from referee.engine.known import Known, SeatLog, beginnings


@check
def check_known_chance(case: MatchCase) -> None:
    """What `known_chance` tells is true of every match that its seat could take for the real one, so of this one too.

    It is asked as bots ask it: with the log since the last beginning of a set, deal or round, and with all of it.
    """
    game, played = case.game, case.played
    answers = {request.place: request.answer for request in played.chance_requests}
    begins = beginnings(game.lines)
    for seat in range(case.seats):
        history = seat_history(case, seat)
        lines = history.lines
        last = max((number for number, event in enumerate(lines) if event[0] in begins), default=0)
        for step, (count, _) in enumerate(history.moments):
            asked = played.asked[step] if step < len(played.asked) else ()
            if seat not in asked:
                continue
            first = max((number for number in range(count) if lines[number][0] in begins), default=0)
            for begin in {first, 0} if count > last else {first}:
                log = SeatLog(case.rules, case.seats, seat, lines[begin:count])
                if wrong := _wrong(game.known_chance(log), answers):
                    raise Violation(f"of seat {seat} it says {wrong}", step)


def _wrong(known: Sequence[Known], answers: dict[str, tuple[Any, ...]]) -> str:
    """Return what is told wrongly, in words; "" if nothing is."""
    told: dict[str, set[int]] = {}
    for part in known:
        place = "/".join(map(str, part.place))
        answer = answers.get(place)
        before = told.setdefault(place, set())
        if answer is None:
            return f'something of "{place}", for which chance was not asked'
        if strange := [index for index in part.at if index in before or not 0 <= index < len(answer)]:
            return f'something twice, or beyond the end, of the answer at "{place}": index {strange[0]}'
        before.update(part.at)
        rest = [answer[index] for index in part.at]
        for value in part.values:
            if value not in rest:
                return f'that {value!r} is in the answer at "{place}" at {_indices(part)}, where it is not'
            rest.remove(value)
        if part.among is not None:
            others = [value for value in rest if value not in part.among]
            if len(others) > part.spare:
                return f'that {others[0]!r} is not in the answer at "{place}" at {_indices(part)}, where it is'
    return ""


def _indices(part: Known) -> str:
    return ", ".join(map(str, part.at))
