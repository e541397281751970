"""The story of a match: who won, by what, since when they led, and the moments that made it so.

Each of our games names its key events from the lines of its log (`KEY_EVENTS` of its module in `games`). Of a game from
another package the eliminations that it marks are told. For all games the moment is added at which the winner took the
lead for good, and how the match ended. The story of a seat is made of what that seat knew.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from arena.language.message import Message
from arena.record.played_rules import rules
from arena.replay.log_lines import LogLine
from arena.replay.renderer import key_events, measure
from arena.replay.replay import Replay
from arena.replay.rounds import rounds
from referee.engine.events import Mark
from referee.engine.registry import in_units

MOST = 5
"""How many moments a story has."""

FOR_GOOD, FORFEIT, OUT, CHANGE, ENDED = 8.0, 8.5, 5.0, 3.0, 0.5
"""The weights of the last change of the lead, of a forfeit, of an elimination and another change of the lead in games
that name no key events, and of the line that ends a match.
"""
LEAD = "lead"
"""The kind of the event by which the winner took the lead for good."""
LATE = 1.5
"""How much more weight an event has at the end of a match than at its beginning."""
REPEATED = 1.2
"""How much less weight an event has for each one of its kind that is told already."""


class KeyEvent(NamedTuple):
    """Something that decided a part of a match, as its game tells it."""

    line: int
    """The number of the line of the log after which it is seen."""
    weight: float
    """How much it matters, from 0 to 9."""
    kind: str
    """What is told less often where it happens often."""
    text: str
    """A sentence, as a message."""


class Cast(NamedTuple):
    """Who plays, for the sentences of a game."""

    names: tuple[str, ...]
    """By seat; where a bot holds several seats, with the number of the seat."""
    teams: tuple[int, ...]
    unit: str

    players: tuple[str, ...]
    """The names of the bots by seat."""

    def side(self, seat: int) -> str:
        """Return the name of a seat and its partners."""
        return self.group([other for other, team in enumerate(self.teams) if team == self.teams[seat]])

    def group(self, seats: Sequence[int]) -> str:
        """Return the name of some seats: that of a bot that holds these and no others, or those of all."""
        [name, *others] = {self.players[seat] for seat in seats}
        is_one = not others and self.players.count(name) == len(seats)
        return name if is_one else listed([self.names[seat] for seat in seats])

    def says(self, one: str, many: str, seats: Sequence[int], *values: object) -> Message:
        """Return a sentence about some seats: `one` where a single name stands for them, or `many`."""
        name = self.group(seats)
        return Message(one if name in (*self.names, *self.players) else many, name, *values)


KeyEvents = Callable[[Sequence[LogLine], Cast], Iterable[KeyEvent]]
"""Returns the key events of a match from the lines of its log that are known."""


class Measure(NamedTuple):
    """What the line of a game shows in the ribbon where that is not the score."""

    label: str
    values: Callable[[Any], Sequence[float]]
    """Returns its values by seat in a state."""
    tells_lead: bool = True
    """Whether who has most is in front in the match."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a story."""

    frame: int
    event: int | None
    """The place of its table among those of the events before the frame; None: it is that of the frame."""
    where: str
    """The round, as a message."""
    text: str
    """What happened, as a message."""
    decisive: bool = False
    """Whether the winner took the lead for good with it."""
    weight: float = 0.0
    """How much it matters, as of a `KeyEvent`."""
    note: str = ""
    """What a better move would have changed, as a message; empty unless it is a move that cost much."""


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a match as a perspective knew it."""

    winners: tuple[int, ...]
    title: str
    """Who won."""
    by: str
    """By what; empty where there is nothing to compare."""
    since: str
    """Since when they led; empty where that is not known."""
    moments: tuple[Moment, ...]
    label: str
    """What the line of the game in the ribbon shows."""
    line: tuple[tuple[int, tuple[float, ...]], ...]
    """The numbers of the frames in which it changes, with its values by seat from there on."""
    has_line: bool
    """Whether that is not the score."""
    undecided: str = ""
    """That no single move decided the match, as a message; empty where one did, or where that is not known."""


@dataclass(slots=True)
class _Told:
    """The lines of a log that a perspective knows, each with its frame and round."""

    lines: list[LogLine] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)
    """Of each line the frame, its number among the events of that frame, and the number of the round, from 0."""


def story_of(replay: Replay, seat: int | None = None) -> Story:
    """Return the story of a match as a seat knew it, or the whole story; it is made once."""
    if seat not in replay.stories:
        game = rules(replay.match).game
        replay.stories[seat] = story(replay, key_events(game), measure(game), seat)
    made: Story = replay.stories[seat]
    return made


def story(replay: Replay, key_events: KeyEvents | None, measure: Measure | None, seat: int | None = None) -> Story:
    """Return the story of a match.

    key_events, measure: what the game declares.
    seat: the perspective; None for the whole match.
    """
    game, options = rules(replay.match)
    players = tuple(replay.match.players)
    cast = Cast(named(players), tuple(game.teams(options, replay.seats)), game.unit, players)
    told = _told(replay, seat)
    names = [played.name for played in rounds(replay, seat)]
    label, line = _line(replay, measure, seat, cast)
    ranks = [result.rank for result in replay.match.row.seats]
    scores = [in_units(replay.match.event.game, result.score) for result in replay.match.row.seats]
    winners = tuple(other for other, rank in enumerate(ranks) if rank == 1)
    is_standing = measure is None or measure.tells_lead or len(names) == 1
    standing = _Standing(*((label, line) if is_standing else (cast.unit, _scores(replay, seat))), winners)
    candidates = list(key_events(told.lines, cast) if key_events else _undeclared(told, standing, cast))
    candidates += [*_forfeits(replay, seat, told, cast), *_ending(told.lines, candidates)]
    chosen = _chosen(_with_lead(candidates, standing, told, cast), len(told.lines))
    return Story(
        winners,
        _title(winners, cast),
        _by(scores, ranks, winners, cast),
        _since(standing, names, told),
        tuple(_moment(replay, told, names, event, seat) for event in chosen),
        label,
        tuple(line),
        measure is not None,
    )


def story_lines(story: Story, read: Callable[[str], str] = str) -> list[str]:
    """Return a story as lines for a terminal: who won, and the moments, each with its move.

    read: returns a text of the game as people read it.
    """
    about = [text for text in (story.by, story.since) if text]
    moments = [
        f"{_sign(moment)}{moment.frame:>5}  {': '.join(map(read, filter(None, (moment.where, moment.text))))}"
        + (f". {read(moment.note)}" if moment.note else "")
        for moment in story.moments
    ]
    signs = "*: the lead changed for good" + (", ?: a costly move" if any(map(_is_costly, story.moments)) else "")
    heading = [f"the match in {len(moments)} moments, by move ({signs}):"] if moments else []
    title = ": ".join((story.title, ", ".join(about))) if about else story.title
    return [title, *heading, *moments, *filter(None, [story.undecided])]


def _sign(moment: Moment) -> str:
    return "?" if _is_costly(moment) else "*" if moment.decisive else " "


def _is_costly(moment: Moment) -> bool:
    return bool(moment.note)


def event_of(line: LogLine) -> tuple[Any, ...]:
    """Return the number and the values of a line of a log; the types of the values are those that its game logs."""
    return line.event


def listed(names: Sequence[str]) -> str:
    """Return names as one text."""
    text = names[0]
    for name in names[1:]:
        text = Message("{0} and {1}", text, name)
    return text


def named(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the seats as messages; where a bot holds several, with the number of the seat."""
    often = Counter(players)
    return tuple(
        Message("{0} (seat {1})", name, seat) if often[name] > 1 else name for seat, name in enumerate(players)
    )


def _told(replay: Replay, seat: int | None) -> _Told:
    told, number, is_open = _Told(), -1, False
    for frame, content in enumerate(replay.frames(seat)):
        for place, line in enumerate(content.events):
            begins = line.kind.begins
            if begins and not (is_open and begins != "set"):
                number += 1
            if begins:
                is_open = begins == "set"  # its first round is the same one
            told.lines.append(line)
            told.places.append((frame, place, max(number, 0)))
    return told


def _line(
    replay: Replay, measure: Measure | None, seat: int | None, cast: Cast
) -> tuple[str, list[tuple[int, tuple[float, ...]]]]:
    if measure is None:
        return cast.unit, _scores(replay, seat)
    changes: list[tuple[int, tuple[float, ...]]] = []
    for number, frame in enumerate(replay.frames(seat)):
        values = tuple(measure.values(replay.positions[frame.position].state))
        if not changes or values != changes[-1][1]:
            changes.append((number, values))
    return measure.label, changes


def _scores(replay: Replay, seat: int | None) -> list[tuple[int, tuple[float, ...]]]:
    game = replay.match.event.game
    return [(number, tuple(in_units(game, score) for score in scores)) for number, scores in replay.scores(seat)]


class _Standing:
    """Who is in front throughout a match.

    label: what is compared.
    line: its values, by frame.
    winners: the seats that won.
    since: the frame since which the winners alone are in front; None if they are not at the end, or all are winners.
    first: the frame in which anybody is in front for the first time.
    """

    def __init__(self, label: str, line: Sequence[tuple[int, tuple[float, ...]]], winners: tuple[int, ...]) -> None:
        self.label = label
        self.line = line
        self.winners = winners
        self.first = next((frame for frame, values in line if len(set(values)) > 1), 0)
        self.since: int | None = None
        self.best = self.second = 0.0
        for frame, values in reversed(line):
            others = [value for seat, value in enumerate(values) if seat not in winners]
            if not others or min(values[seat] for seat in winners) <= max(others):
                break
            self.since = frame
            self.best, self.second = max(values), max(others)

    @property
    def changed(self) -> int | None:
        """The frame in which the lead changed for the last time; None if nobody else was ever in front."""
        return self.since if self.since is not None and self.since > self.first else None


def _undeclared(told: _Told, standing: _Standing, cast: Cast) -> Iterator[KeyEvent]:
    """Yield the key events of a game that names none: eliminations, changes of the lead, the last round and line."""
    lines = told.lines
    for number, line in enumerate(lines):
        if line.kind.mark is Mark.ELIMINATION:
            yield KeyEvent(number, OUT, "out", line)
    leaders: set[int] = set()
    for frame, values in standing.line:
        best = max(values)
        now = {seat for seat, value in enumerate(values) if value == best}
        at = next((number for number, place in reversed([*enumerate(told.places)]) if place[0] == frame), None)
        if frame and now != leaders and len({cast.teams[seat] for seat in now}) == 1 and at is not None:
            one, many = "{0} takes the lead, {1} to {2}", "{0} take the lead, {1} to {2}"
            second = max((value for seat, value in enumerate(values) if seat not in now), default=best)
            yield KeyEvent(at, CHANGE, "change", cast.says(one, many, sorted(now), f"{best:g}", f"{second:g}"))
        leaders = now
    last = next((number for number, line in reversed([*enumerate(lines)]) if line.kind.begins), None)
    if last is not None:
        yield KeyEvent(last, ENDED, "last round", lines[last])
    if lines:
        yield KeyEvent(len(lines) - 1, ENDED, "end", lines[-1])


def _forfeits(replay: Replay, seat: int | None, told: _Told, cast: Cast) -> Iterator[KeyEvent]:
    for number, frame in enumerate(replay.frames(seat)):
        for fault in frame.faults:
            line = next((at for at, place in reversed([*enumerate(told.places)]) if place[0] <= number), None)
            if fault.forfeit and line is not None:
                yield KeyEvent(line, FORFEIT, "forfeit", Message("{0} forfeits the match", cast.names[fault.seat]))


def _ending(lines: Sequence[LogLine], candidates: Sequence[KeyEvent]) -> Iterator[KeyEvent]:
    """Yield the last line of the last round that is about no seat alone, unless the game tells how the match ended."""
    if lines and not any(event.line == len(lines) - 1 for event in candidates):
        for number, line in reversed([*enumerate(lines)]):
            if line.kind.begins:
                return
            if not line.kind.is_of_seat:
                yield KeyEvent(number, ENDED, "end", line)
                return


def _with_lead(candidates: list[KeyEvent], standing: _Standing, told: _Told, cast: Cast) -> list[KeyEvent]:
    """Return the events with the one by which the winners took the lead for good."""
    lead = standing.changed
    here = [number for number, place in enumerate(told.places) if place[0] == lead]
    if lead is None or not here:
        return candidates
    text = cast.says(
        "{0} takes the lead for good, {1} to {2}",
        "{0} take the lead for good, {1} to {2}",
        standing.winners,
        f"{standing.best:g}",
        f"{standing.second:g}",
    )
    # What is paid for a round is told before the next one begins.
    line = next((number - 1 for number in here[1:] if told.lines[number].kind.begins), here[-1])
    causes = [event for event in candidates if here[0] <= event.line <= line]
    if not causes:
        return [*candidates, KeyEvent(line, FOR_GOOD, LEAD, text)]
    cause = max(causes, key=lambda event: event.weight)
    told_both = KeyEvent(cause.line, max(FOR_GOOD, cause.weight), LEAD, Message("{0}: {1}", cause.text, text))
    return [*(event for event in candidates if event is not cause), told_both]


def _chosen(candidates: list[KeyEvent], lines: int) -> list[KeyEvent]:
    """Return the heaviest events in their order, those of a kind that is told already less readily.

    lines: how many the log has.
    """

    def weight(event: KeyEvent) -> float:
        return event.weight + LATE * event.line / lines - REPEATED * kinds[event.kind]

    left = candidates
    chosen: list[KeyEvent] = []
    kinds: Counter[str] = Counter()
    while left and len(chosen) < MOST:
        best = max(left, key=weight)
        left = [event for event in left if event.line != best.line and event.text not in best.text]
        kinds[best.kind] += 1
        chosen.append(best)
    return sorted(chosen, key=lambda event: event.line)


def _moment(replay: Replay, told: _Told, names: Sequence[str], event: KeyEvent, seat: int | None) -> Moment:
    frame, place, number = told.places[event.line]
    shown = replay.event_frames(frame, seat)
    at = next((at for at, table in enumerate(shown) if table.end > place), len(shown) - 1)
    return Moment(
        frame,
        None if at == len(shown) - 1 else at + 1,
        _name(names, number),
        event.text,
        event.kind == LEAD,
        event.weight,
    )


def _name(names: Sequence[str], number: int) -> str:
    return names[min(number, len(names) - 1)] if names else ""


def _round_before(told: _Told, frame: int) -> int:
    """Return the number of the round that was played as a frame came about."""
    return next((number for at, _, number in reversed(told.places) if at < frame), 0)


def _title(winners: tuple[int, ...], cast: Cast) -> str:
    if len(winners) == len(cast.names):
        return Message("The match is a draw")
    if len({cast.teams[seat] for seat in winners}) > 1:
        return Message("{0} share the first place", listed([cast.names[seat] for seat in winners]))
    return cast.says("{0} wins the match", "{0} win the match", winners)


def _by(scores: Sequence[float], ranks: Sequence[int], winners: tuple[int, ...], cast: Cast) -> str:
    unit = Message(cast.unit)
    best = f"{scores[winners[0]]:g}"
    others = [seat for seat in range(len(scores)) if seat not in winners]
    if not others:
        return Message("{0} {1} each", best, Message(one_of(cast.unit)) if best == "1" else unit)
    second = min(others, key=lambda seat: (ranks[seat], seat))
    return Message("{0} to {1} {2}, ahead of {3}", best, f"{scores[second]:g}", unit, cast.side(second))


def one_of(unit: str) -> str:
    """Return what one of a unit is called; the unit itself where it is that of a game from another package."""
    return {"chips": "chip", "points": "point", "dice": "die", "deals won": "deal won"}.get(unit, unit)


def _since(standing: _Standing, names: Sequence[str], told: _Told) -> str:
    """Return since when the winners led; empty where no line tells it."""
    if standing.since is None:
        return ""
    if standing.changed is None:
        return Message("in front from the beginning")
    number = _round_before(told, standing.since)
    if len(names) <= 1:
        return Message("in front since move {0}", standing.since)
    if number >= len(names) - 1:
        return Message("in front only since {0}, the last one", _name(names, number))
    return Message("in front since {0}", _name(names, number))
