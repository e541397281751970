"""Records of random matches, as the referee would make them."""

import json
from dataclasses import fields, replace
from random import Random
from typing import Any, TypeVar

from arena.values.canonical_json import canonical_json
from arena.values.definition import Definition, Entrant, TimeControl
from arena.values.rows import (
    EntrantRow,
    EventRow,
    FaultRow,
    MatchRow,
    NewEvent,
    NoteRow,
    SeatRow,
    SingleMatchRow,
    TournamentRow,
)
from referee.engine.chance import Chance, deal_seed, seed_from_number
from referee.engine.draws import VERSION
from referee.engine.events import digest
from referee.engine.game import Game
from referee.engine.record import pack_answers, pack_time, ranks_with_forfeits

SECRET = seed_from_number(1)

Event = TypeVar("Event", bound=NewEvent | EventRow)


def tournament(game: Game, *, bots: int = 4, matches: int = 1000, options: dict[str, str] | None = None) -> NewEvent:
    """A tournament of bots a, b, c ..."""
    names = "abcdefghijklmnopqrst"[:bots]
    field = tuple(EntrantRow(name, (f"./{name}", "-q"), f"/bots/{name}", "0" * 64) for name in names)
    return NewEvent(
        game=game.name,
        options=options or {},
        behaviour=game.behaviour,
        definition_text=Definition(
            game=game.name,
            options={name: str(value) for name, value in (options or {}).items()},
            behaviour=game.behaviour,
            rounds=5,
            seats=4,
            matches_at_once=64,
            time=TimeControl(move_time_ms=0, bank_ms=0),
            field=tuple(Entrant(bot.name, bot.command, bot.folder, (), bot.sha256) for bot in field),
        ).text,
        secret=SECRET,
        seed="1",
        versions={"arena": "0.1.0", "chance": str(VERSION)},
        entrants=field,
        matches=matches,
    )


def planned(event: Event, **values: Any) -> Event:
    """The event with other values in its definition; of bots, those that differ."""
    defined = json.loads(event.definition_text)
    if values.get("field"):
        bots = (Entrant(bot.name, bot.command, bot.folder, (), bot.sha256).to_json() for bot in event.entrants)
        values["field"] = [bot | other for bot, other in zip(bots, values["field"], strict=True)]
    return replace(event, definition_text=canonical_json(defined | values))


def single(event: EventRow) -> SingleMatchRow:
    """The event as that of a single match."""
    return SingleMatchRow(**_fields(event))


def numbered(event: EventRow, id: int) -> TournamentRow:
    """The event as a tournament of that number."""
    return TournamentRow(id=id, **_fields(event))


def _fields(event: EventRow) -> dict[str, Any]:
    return {field.name: getattr(event, field.name) for field in fields(EventRow)}


def match(
    game: Game,
    number: int = 0,
    *,
    seats: int = 4,
    bots: int = 4,
    options: dict[str, str] | None = None,
    faults: dict[int, str] | None = None,
    notes: bool = False,
    micros: int = 100,
) -> MatchRow:
    """Play match `number` at random: deal number // seats in rotation number % seats.

    faults: answers that fail, by ply, with the kind; a seat's third failure forfeits it.
    notes: every answer comes with a note that tells whose it is.
    micros: the time of the first answer in µs; each later one takes 1 µs more than the one before.
    """
    key = (id(game), number, seats, bots, repr(options), repr(faults), notes, micros)
    if key not in _known:
        _known[key] = game, _play(game, number, seats, bots, options or {}, faults or {}, notes, micros)
    return _known[key][1]


_known: dict[tuple[object, ...], tuple[Game, MatchRow]] = {}
"""The matches that were played, which many tests want: each with its game, so that no other one gets its id."""


def _play(
    game: Game,
    number: int,
    seats: int,
    bots: int,
    options: dict[str, str],
    faults: dict[int, str],
    notes: bool,
    micros: int,
) -> MatchRow:
    rng = Random(number)
    deal, rotation = divmod(number, seats)
    seed = deal_seed(SECRET, deal)
    state = game.start(game.options.parse(options), seats, Chance(seed))
    answers: list[int] = []
    times = bytearray()
    failed: list[FaultRow] = []
    noted: list[NoteRow] = []
    decisions, charged, strikes, forfeits = [0] * seats, [0] * seats, [0] * seats, [False] * seats
    while state.asked:
        moves = []
        for seat in state.asked:
            ply = len(answers)
            legal = state.legal(seat)
            kind = faults.get(ply)
            if kind and not forfeits[seat]:
                strikes[seat] += 1
                forfeits[seat] = strikes[seat] == 3
                failed.append(FaultRow(seat, ply, kind, f"seat {seat} failed at {ply}", forfeits[seat]))
            if kind or forfeits[seat]:
                move, time = state.default(seat), 0
            else:
                move, time = legal[int(rng.random() * len(legal))], micros + ply
                decisions[seat] += 1
                charged[seat] += time
                if notes:
                    noted.append(NoteRow(seat, ply, f"thought {ply} of seat {seat}"))
            answers.append(legal.index(move))
            times.append(pack_time(time))
            moves.append(move)
        state.apply(moves)
    outcome = state.outcome()
    ranks = ranks_with_forfeits(outcome.ranks, forfeits)
    return MatchRow(
        number=number,
        phase=rotation,
        round=deal,
        table=0,
        deal=deal,
        rotation=rotation,
        seed=seed,
        behaviour=game.behaviour,
        answers=pack_answers(answers),
        times=bytes(times),
        digest=digest(state.events),
        duration_ms=len(answers) * 3,
        standstill_ms=number % 3 * 1000,
        seats=tuple(
            SeatRow((seat + rotation) % bots, seat, *rest)
            for seat, rest in enumerate(zip(outcome.scores, ranks, decisions, charged, forfeits, strict=True))
        ),
        faults=tuple(failed),
        notes=tuple(noted),
    )


def with_seat(row: MatchRow, seat: int, **changes: Any) -> MatchRow:
    """Return the record with one seat changed."""
    seats = tuple(replace(each, **changes) if n == seat else each for n, each in enumerate(row.seats))
    return replace(row, seats=seats)
