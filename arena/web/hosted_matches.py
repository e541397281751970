"""The matches that people play on the pages, each under a secret key."""

from collections.abc import Mapping, Sequence
from functools import partial
from secrets import token_bytes, token_urlsafe
from threading import Lock
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.play.hosted_match import HostedMatch
from arena.store import Store
from arena.store.rows import StoredMatch
from arena.submissions.roster import Roster
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.field import find_bots, samples, seat_attached
from arena.tournament.plan.match_prefix import (
    MatchPrefix,
    bots_of_match,
    prefix_at,
    redeal_for_seat,
)
from arena.tournament.run.hosting import Hosting
from arena.tournament.run.single_match import single
from arena.viewer.json_values import json_value
from arena.viewer.recent_events import with_recent_events
from arena.viewer.renderer import render
from arena.viewer.replay import Replay
from arena.web.errors import PageNotFound
from referee.engine import registry
from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.options import Options

AT_ONCE = 4
"""The largest number of unfinished matches."""

KEPT = 64
"""The number of finished matches that stay available."""

PERSON = "person"
"""The name that stands for a person in a list of bots."""


class MatchRefused(ArenaError):
    """A match cannot be started."""


class PlaySession(NamedTuple):
    """A hosted match with what the pages need to show it.

    players: names by seat. has_talk: whether there is table talk.
    """

    match: HostedMatch
    game: Game
    players: Sequence[str]
    has_talk: bool

    def state(self) -> dict[str, Any]:
        """Return the public state of the match, as JSON values."""
        match = self.match
        return {"version": match.version, "waiting": match.waiting, "over": match.over, "match": match.match_id,
                "trouble": match.trouble}  # fmt: skip

    def seat_state(self, seat: int) -> dict[str, Any]:
        """Return what the person at a seat sees. Raises PageNotFound if the seat is not a person's."""
        person = self.match.people.get(seat)
        if person is None:
            raise PageNotFound(f"seat {seat} is not played by hand")
        asked = person.asked
        state: dict[str, Any] = {"seat": seat, "log": list(person.log), "waits": person.waits}
        if asked is not None:
            scene = with_recent_events(render({seat: asked.view}, len(self.players)), asked.new_events)
            state |= {
                "number": asked.number,
                "legal": list(asked.legal),
                "new_events": len(asked.new_events),
                "scene": json_value(scene),
            }
            state["scene"] = {"heading": "", "facts": [], "middle": [], **state["scene"]}
        return state


class PlaySessions:
    """All hosted matches by key; thread-safe."""

    def __init__(self, store: Store, hosting: Hosting) -> None:
        self._store = store
        self._hosting = hosting
        self._sessions: dict[str, PlaySession] = {}
        self._lock = Lock()

    def roster(self) -> Roster:
        """Return the submitted bots."""
        return Roster(self._store.where, self._store.submissions.all())

    def bots(self, game: str) -> list[str]:
        """Return the available opponents: the sample bots and the submitted bots of a game."""
        return [*samples(game), *self.roster().playing(game)]

    def start(self, game: str, seats: Sequence[str], options: Mapping[str, str]) -> str:
        """Start a match and return its key. seats: the name of a bot or PERSON, by seat.

        Raises MatchRefused, or the errors of the game for its options and number of seats.
        """
        rules = registry.game(game)
        unknown = [name for name in seats if name != PERSON and name not in self.bots(game)]
        if unknown:
            raise MatchRefused(f"{unknown[0][:80]} is not one of the available bots: {', '.join(self.bots(game))}")
        people = [seat for seat, name in enumerate(seats) if name == PERSON]
        others = find_bots([name for name in seats if name != PERSON], samples(game), self.roster(), game=game)
        return self._start(rules, rules.options.parse(options), seat_attached(others, people, PERSON), people, None)

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
    ) -> str:
        if not people:
            raise MatchRefused("nobody plays by hand: choose a seat for a person")
        game.check(options, len(field))
        self._hosting.check_mode()
        play = partial(single, game, options, field, opening=prefix, hosting=self._hosting, say=lambda line: None)
        has_talk = game.start(options, len(field), Chance(bytes(32))).talk_limit() > 0
        with self._lock:
            if sum(not session.match.over for session in self._sessions.values()) >= AT_ONCE:
                raise MatchRefused(f"{AT_ONCE} matches are already open here: finish or leave one of them")
            for key in [key for key, session in self._sessions.items() if session.match.over][:-KEPT]:
                del self._sessions[key]
            match = HostedMatch(
                lambda invite: play(invite=invite),
                people,
                lambda played: self._store.add_single(played.frame, played.match, played.outputs, played.failures),
            )
            key = token_urlsafe(16)
            self._sessions[key] = PlaySession(match, game, [bot.name for bot in field], has_talk)
        return key

    def find(self, key: str) -> PlaySession:
        """Return a match by its key. Raises PageNotFound if there is none."""
        try:
            return self._sessions[key]
        except KeyError:
            raise PageNotFound("this match is no longer open: start another one") from None

    def close(self) -> None:
        """End all matches."""
        for session in self._sessions.values():
            session.match.leave()
