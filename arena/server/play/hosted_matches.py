"""The matches that people play on the pages, each under a secret key."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from secrets import token_bytes, token_urlsafe
from threading import Lock
from time import time
from typing import Any, NamedTuple

from arena.language.message import parts
from arena.packs.roster import Roster
from arena.plan.field import find_bots, samples, seat_attached
from arena.plan.match_prefix import (
    MatchPrefix,
    bots_of_match,
    prefix_at,
    redeal_for_seat,
)
from arena.replay.event_frames import EventFrame, event_frames
from arena.replay.json_values import replay_values, table_value
from arena.replay.log_lines import LogLine, log_line
from arena.replay.phrases import card_of, phrased
from arena.replay.recent_events import has_talk, with_recent_events, without_old_talk
from arena.replay.renderer import event_handlers, refusals, render, rule_section
from arena.replay.replay import Replay
from arena.replay.scene import Scene
from arena.run.hosting import Hosting
from arena.run.people.hosted_match import HostedMatch
from arena.run.people.remote_player import OpenQuestion, RemotePlayer
from arena.run.single_match import single
from arena.server.errors import PageNotFound
from arena.store import Store
from arena.values.definition import Entrant
from arena.values.errors import ArenaError
from arena.values.rows import StoredMatch
from arena.values.server_log import report_bug
from referee.engine import registry
from referee.engine.chance import Chance
from referee.engine.events import Event
from referee.engine.game import Game
from referee.engine.options import Options

AT_ONCE = 4
"""The largest number of unfinished matches."""

KEPT = 64
"""The number of finished matches that stay available."""

PERSON = "person"
"""The name that stands in a list of bots for a person at the browser in which the match is started."""

FRIEND = "friend"
"""The name that stands for a person at another browser, who gets a link."""


class MatchRefused(ArenaError):
    """A match cannot be started."""


class PlaySession(NamedTuple):
    """A hosted match with what the pages need to show it."""

    match: HostedMatch
    game: Game
    players: Sequence[str]
    """The names of the players by seat."""
    talk_limit: int
    """How many characters may be said with a move; 0 in games without table talk."""
    seats: tuple[int, ...]
    """The seats that are played with this key."""
    links: Mapping[int, str]
    """The keys of the seats whose people play in browsers of their own, by seat; only whoever started it has them."""
    number: int
    """The number of the match, from 1."""
    started: float
    """When it was started, in seconds since 1970."""
    options: Options
    """The options of the match."""
    is_guest: bool = False
    """Whether this is the key of a seat whose person plays in a browser of their own."""

    def state(self) -> dict[str, Any]:
        """Return which of the seats of this key are asked, and whether the match is over, as JSON values.

        asked: how many questions each of these seats has had. When the others are asked would tell who has a choice.
        """
        match = self.match
        waiting = [seat for seat in match.waiting if seat in self.seats]
        newest = [match.people[seat].questions[0] for seat in self.seats]
        asked = [question.number if question else 0 for question in newest]
        return {
            "waiting": waiting, "asked": asked, "over": match.over, "match": match.match_id, "trouble": match.trouble
        }  # fmt: skip

    def person(self, seat: int) -> RemotePlayer:
        """Return the person at a seat. Raises PageNotFound if the seat is not played with this key."""
        if seat not in self.seats:
            raise PageNotFound(f"seat {seat} is not played by hand here")
        return self.match.people[seat]

    def seat_state(self, seat: int) -> dict[str, Any]:
        """Return what the person at a seat sees, and what happened since the question before."""
        person = self.person(seat)
        asked, before = person.questions
        state: dict[str, Any] = {
            "seat": seat,
            "log": list(map(parts, self._lines(person.log))),
            "waits": person.waits,
        }
        if asked is None:
            return state
        after = self._scene(seat, asked)
        *between, last = self._event_frames(seat, before, asked, after)
        earlier = len(person.log) - len(asked.new_events)
        return state | {
            "number": asked.number,
            "legal": [parts(phrased(self.game.phrases, move)) for move in asked.legal],
            "cards": [card_of(self.game.phrases, move) for move in asked.legal],
            "refused": [
                list(map(parts, refusal))
                for refusal in refusals(self.game, self.options, asked.view, seat, asked.legal, after)
            ],
            "section": rule_section(self.game, int(getattr(asked.view, "stage", 0))),
            "new_events": len(asked.new_events),
            "between": [table_value(frame, parts) | {"logged": earlier + frame.end} for frame in between],
            "table": table_value(last, parts),
        }

    def _event_frames(
        self, seat: int, before: OpenQuestion | None, asked: OpenQuestion, after: Scene
    ) -> tuple[EventFrame, ...]:
        if before is None:
            return (EventFrame(0, after),)
        events = self._lines(asked.new_events)
        try:
            return event_frames(event_handlers(self.game), self._scene(seat, before), after, events, seat)
        except Exception as error:  # a mistake in what is drawn between two moves must not hold up a match
            report_bug(error)
            return (EventFrame(len(events), after),)

    def _scene(self, seat: int, asked: OpenQuestion) -> Scene:
        scene = with_recent_events(render({seat: asked.view}, len(self.players)), self._lines(asked.new_events))
        return without_old_talk(scene, reversed(self._lines(self.person(seat).log))) if has_talk(scene) else scene

    def _lines(self, events: Iterable[Event]) -> list[LogLine]:
        return [log_line(self.game.lines, event) for event in events]


def ending(match: StoredMatch, seat: int) -> dict[str, Any]:
    """Return the end of a match as the person at a seat sees it, from the last question on, with the result."""
    replay = Replay(match)
    frames = replay.frames(seat)
    last = max((number for number, frame in enumerate(frames) if seat in frame.asked), default=0)
    shown = [
        (table, sum(len(frame.events) for frame in frames[:number]) + table.end)
        for number in range(min(last + 1, len(frames) - 1), len(frames))
        for table in replay.event_frames(number, seat)
    ]
    *between, (final, _) = shown
    values = replay_values(replay, seat, first=len(frames) - 1, count=1)
    return {
        "seat": seat,
        "log": [parts(line) for frame in frames for line in frame.events],
        "waits": False,
        "between": [table_value(frame, parts) | {"logged": logged} for frame, logged in between],
        "table": table_value(final, parts),
        "result": [row | {"player": name} for row, name in zip(values["result"], match.players, strict=True)],
        "unit": values["unit"],
    }


class PlaySessions:
    """All hosted matches by key; thread-safe.

    hosting: how their bots are run.
    """

    def __init__(self, store: Store, hosting: Hosting) -> None:
        self._store = store
        self.hosting = hosting
        self._sessions: dict[str, PlaySession] = {}
        self._numbers = count(1)
        self._lock = Lock()

    def roster(self) -> Roster:
        """Return the submitted bots."""
        return Roster(self._store.where, self._store.submissions.all())

    def bots(self, game: str) -> list[str]:
        """Return the available opponents: the sample bots and the submitted bots of a game."""
        return [*samples(game), *self.roster().playing(game)]

    def start(self, game: str, seats: Sequence[str], options: Mapping[str, str]) -> str:
        """Start a match and return its key.

        seats: the name of a bot, PERSON or FRIEND, by seat.

        Raises MatchRefused, or the errors of the game for its options and number of seats.
        """
        rules = registry.game(game)
        unknown = [name for name in seats if name not in (PERSON, FRIEND, *self.bots(game))]
        if unknown:
            raise MatchRefused(f"{unknown[0][:80]} is not one of the available bots: {', '.join(self.bots(game))}")
        people = [seat for seat, name in enumerate(seats) if name in (PERSON, FRIEND)]
        friends = [seat for seat in people if seats[seat] == FRIEND]
        bots = [name for name in seats if name not in (PERSON, FRIEND)]
        field = seat_attached(find_bots(bots, samples(game), self.roster(), game=game), people, PERSON)
        return self._start(rules, rules.options.parse(options), field, people, None, friends)

    def continue_match(self, match: int, frame: int, perspective: int | None, redeal: bool = False) -> str:
        """Continue a stored match from a frame, with a person in one seat; return the key.

        perspective: the seat whose frames are counted; None: all frames, and the person plays the seat to move.
        redeal: whether what that seat could not know is dealt again.

        Raises MatchRefused, PlanError or FieldError.
        """
        stored = self._store.match(match)
        prefix = prefix_at(stored, self._ply(stored, frame, perspective))
        people = [prefix.seat if perspective is None else perspective]
        if redeal:
            prefix = redeal_for_seat(prefix, stored, people[0], token_bytes(32))
        rules = registry.game(stored.event.game)
        others = bots_of_match(stored, self._store.decisions_of(stored), self.roster(), people)
        field = seat_attached(others, people, PERSON)
        return self._start(rules, rules.options.parse(stored.event.options), field, people, prefix)

    def _ply(self, match: StoredMatch, frame: int, perspective: int | None) -> int:
        """Return the first answer to the question of a frame."""
        replay = Replay(match)
        if perspective is not None and perspective >= replay.seats:
            raise MatchRefused(f"match {match.id} has the seats 0 to {replay.seats - 1}")
        known = replay.frames(perspective)
        steps = replay.positions[known[min(frame, len(known) - 1)].position].steps
        if not steps:
            raise MatchRefused("the match is over at this move: continue from an earlier one")
        return steps[0].ply

    def _start(
        self,
        game: Game,
        options: Options,
        field: tuple[Entrant, ...],
        people: Sequence[int],
        prefix: MatchPrefix | None,
        friends: Sequence[int] = (),
    ) -> str:
        if not people:
            raise MatchRefused("nobody plays by hand: choose a seat for a person")
        game.check(options, len(field))
        self.hosting.check_mode()
        play = partial(single, game, options, field, opening=prefix, hosting=self.hosting, say=lambda line: None)
        talk_limit = game.start(options, len(field), Chance(bytes(32))).talk_limit()
        with self._lock:
            if len(self.open()) >= AT_ONCE:
                raise MatchRefused(f"{AT_ONCE} matches are already open here: finish one, or end one on the page Play")
            for key in [key for key, session in self._sessions.items() if session.match.over][:-KEPT]:
                del self._sessions[key]
            match = HostedMatch(
                lambda invite: play(invite=invite),
                people,
                lambda played: self._store.add_single(played.frame, played.match, played.outputs, played.failures),
            )
            key = token_urlsafe(16)
            here = tuple(seat for seat in people if seat not in friends)
            links = {seat: token_urlsafe(16) for seat in friends}
            names, number = [bot.name for bot in field], next(self._numbers)
            self._sessions[key] = PlaySession(match, game, names, talk_limit, here, links, number, time(), options)
        return key

    def seat_state(self, key: str, seat: int) -> dict[str, Any]:
        """Return what the person at a seat sees. Raises PageNotFound if the seat is not played with this key."""
        session = self.find(key)
        number = session.match.match_id
        session.person(seat)
        return session.seat_state(seat) if number is None else ending(self._store.match(number), seat)

    def find(self, key: str) -> PlaySession:
        """Return a match by its key, or by that of one of its seats. Raises PageNotFound if there is none."""
        if key in self._sessions:
            return self._sessions[key]
        for session in list(self._sessions.values()):
            for seat, link in session.links.items():
                if link == key:
                    return session._replace(seats=(seat,), links={}, is_guest=True)
        raise PageNotFound("this match is no longer open: start another one")

    def started(self, key: str, number: int) -> bool:
        """Return whether a key is that of whoever started the match of a number."""
        return key in self._sessions and self._sessions[key].number == number

    def open(self) -> dict[str, PlaySession]:
        """Return the matches that are not over, by key."""
        return {key: session for key, session in list(self._sessions.items()) if not session.match.over}

    def end(self, number: int) -> None:
        """End a match that is not over. Raises PageNotFound if none of that number is open."""
        for session in self.open().values():
            if session.number == number:
                session.match.leave()
                return
        raise PageNotFound(f"match {number} of this page is not open")

    def leave(self, key: str) -> None:
        """End a match that is not over. Raises PageNotFound if whoever started it had another key."""
        if key not in self._sessions:
            raise PageNotFound("whoever started the match can end it")
        self._sessions[key].match.leave()

    def close(self) -> None:
        """End all matches."""
        for session in self._sessions.values():
            session.match.leave()
