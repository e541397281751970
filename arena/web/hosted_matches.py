"""The matches that people play on the pages, by keys that nobody guesses."""

from collections.abc import Mapping, Sequence
from functools import partial
from secrets import token_bytes, token_urlsafe
from threading import Lock
from typing import Any, NamedTuple

from arena.errors import ArenaError
from arena.play.hosted_match import Sitting
from arena.store import Store
from arena.store.errors import NoSuchRow
from arena.store.rows import StoredMatch
from arena.submissions.roster import Roster
from arena.tournament.plan.definition import Entrant
from arena.tournament.plan.field import attach, enter, samples
from arena.tournament.plan.match_prefix import (
    Opening,
    dealt_anew,
    opening,
    sat,
)
from arena.tournament.run.hosting import Hosting
from arena.tournament.run.single_match import single
from arena.viewer.json_values import plain
from arena.viewer.recent_events import with_news
from arena.viewer.renderer import paint
from arena.viewer.replay import Replay
from referee.engine import registry
from referee.engine.chance import Chance
from referee.engine.game import Game
from referee.engine.options import Options

AT_ONCE = 4
"""Matches under way at the same time."""

KEPT = 64
"""Matches that are over and still told of."""

PERSON = "person"
"""What stands for a person where a bot is named."""


class Refused(ArenaError):
    """A match cannot be begun."""


class Hosted(NamedTuple):
    """A match that people play, with what the pages need to show it."""

    sitting: Sitting
    game: Game
    players: Sequence[str]
    hears: bool

    def state(self) -> dict[str, Any]:
        """Return how far it is: for everybody at the machine."""
        told = self.sitting
        return {"version": told.version, "waiting": told.waiting, "over": told.over, "match": told.match,
                "trouble": told.trouble}  # fmt: skip

    def seen(self, seat: int) -> dict[str, Any]:
        """Return what a person at a seat sees. Raises NoSuchRow where none sits there."""
        guest = self.sitting.guests.get(seat)
        if guest is None:
            raise NoSuchRow(f"nobody plays seat {seat} here by hand")
        asked = guest.asked
        told: dict[str, Any] = {"seat": seat, "log": list(guest.log), "waits": guest.waits}
        if asked is not None:
            scene = with_news(paint({seat: asked.view}, len(self.players)), asked.news)
            told |= {"number": asked.number, "legal": list(asked.legal), "news": len(asked.news), "scene": plain(scene)}
            told["scene"] = {"heading": "", "facts": [], "middle": [], **told["scene"]}
        return told


class Sittings:
    """All of them; safe to be asked from several threads."""

    def __init__(self, store: Store, hosting: Hosting) -> None:
        self._store = store
        self._hosting = hosting
        self._hosted: dict[str, Hosted] = {}
        self._lock = Lock()

    def roster(self) -> Roster:
        """Return the submitted bots."""
        return Roster(self._store.where, self._store.submissions.all())

    def bots(self, game: str) -> list[str]:
        """Return the bots that may be played against: those that were submitted, and the samples."""
        return [*samples(game), *self.roster().playing(game)]

    def begin(self, game: str, seats: Sequence[str], options: Mapping[str, str]) -> str:
        """Begin a match and return its key. seats: by seat the name of a bot, or PERSON.

        Raises Refused, or what is raised where the game is not played so.
        """
        rules = registry.game(game)
        strange = [name for name in seats if name != PERSON and name not in self.bots(game)]
        if strange:
            raise Refused(f"{strange[0][:80]} is no bot of this list: {', '.join(self.bots(game))}")
        people = [seat for seat, name in enumerate(seats) if name == PERSON]
        others = enter([name for name in seats if name != PERSON], samples(game), self.roster(), game=game)
        return self._begin(rules, rules.options.parse(options), attach(others, people, PERSON), people, None)

    def go_on(self, match: int, frame: int, eye: int | None, anew: bool = False) -> str:
        """Go on from a stored match at a frame as a seat knew it, with a person in that seat; return the key.

        eye: the seat; None: the frame is one of all, and the person plays the seat that is asked. anew: what that seat
        could not know then is dealt anew.

        Raises Refused, PlanError or FieldError.
        """
        stored = self._store.match(match)
        begun = opening(stored, self._ply(stored, frame, eye))
        people = [begun.seat if eye is None else eye]
        if anew:
            begun = dealt_anew(begun, stored, people[0], token_bytes(32))
        rules = registry.game(stored.tournament.game)
        others = sat(stored, self._store.decisions_of(stored), self.roster(), people)
        field = attach(others, people, PERSON)
        return self._begin(rules, rules.options.parse(stored.tournament.options), field, people, begun)

    def _ply(self, match: StoredMatch, frame: int, eye: int | None) -> int:
        """Return the first answer to the question of a frame."""
        replay = Replay(match)
        if eye is not None and eye >= replay.seats:
            raise Refused(f"match {match.id} has the seats 0 to {replay.seats - 1}")
        known = replay.frames(eye)
        steps = replay.boundaries[known[min(frame, len(known) - 1)].boundary].steps
        if not steps:
            raise Refused("the match is over there: go on from a moment before")
        return steps[0].ply

    def _begin(
        self, game: Game, options: Options, field: tuple[Entrant, ...], people: Sequence[int], begun: Opening | None
    ) -> str:
        if not people:
            raise Refused("somebody must play by hand: choose a seat for yourself")
        game.check(options, len(field))
        self._hosting.settled()
        match = partial(single, game, options, field, opening=begun, hosting=self._hosting, say=lambda line: None)
        hears = game.start(options, len(field), Chance(bytes(32))).hears() > 0
        with self._lock:
            if sum(not each.sitting.over for each in self._hosted.values()) >= AT_ONCE:
                raise Refused(f"{AT_ONCE} matches are played here already: finish one, or leave it")
            for key in [key for key, each in self._hosted.items() if each.sitting.over][:-KEPT]:
                del self._hosted[key]
            sitting = Sitting(
                lambda invite: match(invite=invite),
                people,
                lambda played: self._store.add_single(played.frame, played.match, played.outputs, played.failures),
            )
            key = token_urlsafe(16)
            self._hosted[key] = Hosted(sitting, game, [bot.name for bot in field], hears)
        return key

    def find(self, key: str) -> Hosted:
        """Return a match by its key. Raises NoSuchRow where there is none."""
        try:
            return self._hosted[key]
        except KeyError:
            raise NoSuchRow("there is no such match here any more: begin another one") from None

    def close(self) -> None:
        """Leave all matches."""
        for each in self._hosted.values():
            each.sitting.leave()
