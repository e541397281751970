"""Playing a scenario: its script, then its plays one by one."""

from referee.engine.chance import ScriptedChance, deal_seed, seed_from_number
from referee.engine.errors import ScenarioError
from referee.engine.events import history
from referee.engine.game import Game, State
from referee.engine.near import did_you_mean
from referee.engine.registry import game
from referee.engine.scenario.file import Play, Scenario, Script


class Stage:
    """A scenario being played.

    answers: sealed answers of a group that is not complete yet, by seat.
    said: what is said with these answers, by seat.
    played: how many plays were made.
    """

    __slots__ = ("answers", "chance", "game", "played", "said", "state")

    game: Game
    """The rules."""
    state: State
    """The match."""

    def __init__(self, scenario: Scenario) -> None:
        """Deal the opening position. Raises EngineError where game, options, seats or script are wrong."""
        self.game = game(scenario.game)
        options = self.game.options.parse(scenario.options)
        self.game.check(options, scenario.seats)
        self.chance = _chance(scenario.script)
        self.state = self.game.start(options, scenario.seats, self.chance)
        self.answers: dict[int, str] = {}
        self.said: dict[int, str] = {}
        self.played = 0

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats asked now that have not answered."""
        return tuple(seat for seat in self.state.asked if seat not in self.answers)

    def legal(self, seat: int) -> tuple[str, ...]:
        """Return the moves that `seat` is offered now; () where it is not asked."""
        return self.state.legal(seat) if seat in self.asked else ()

    def play(self, play: Play) -> None:
        """Make the next play. Raises ScenarioError where it is not that seat's turn or no move of it.

        Raises ScriptError where a card of the script could not be dealt: the plays are then another match's.
        """
        if (left := self.state.undealt()) is not None:
            self.chance.check(left)
        number = self.played + 1
        if not self.state.asked:
            raise ScenarioError(
                f"play {number} is seat {play.seat}'s, but the match is over after {_plays(self.played)}"
            )
        if play.seat not in self.asked:
            answered = " it has answered:" if play.seat in self.answers else ""
            raise ScenarioError(f"play {number} is seat {play.seat}'s, but{answered} {_asked(self.asked)}")
        legal = self.state.legal(play.seat)
        if play.move not in legal:
            offered = ", ".join(f'"{move}"' for move in legal)
            fault = f'"{play.move}" is not legal' if self._knows(play.move) else f'unknown move "{play.move}"'
            raise ScenarioError(
                f"{fault} at play {number}: seat {play.seat} may {offered}{did_you_mean(play.move, legal)}"
            )
        if play.say:
            self._hear(play, number)
        self.answers[play.seat] = play.move
        self.played = number
        if not self.asked:
            for seat in sorted(self.said):
                self.state.say(seat, self.said[seat])
            moves = [self.answers[seat] for seat in self.state.asked]
            self.answers, self.said = {}, {}
            self.state.apply(moves)

    def close(self) -> None:
        """Raise EngineError where the script asks for more than the match could give, or for what no rule asks."""
        if unasked := self.chance.unasked():
            raise ScenarioError(
                f"chance.{unasked[0]} is given, but {self.game.name} has not asked for it by the last play"
            )
        if (left := self.state.undealt()) is not None:
            self.chance.dealt(left)

    def log(self) -> list[str]:
        """Return the omniscient log so far."""
        return history(self.game.lines, self.state.events)

    def _hear(self, play: Play, number: int) -> None:
        """Keep what is said until the move is played. Raises ScenarioError where the table would not hear it so."""
        most = self.state.talk_limit()
        if not most:
            raise ScenarioError(f"play {number} says something, but {self.game.name} has no table talk there")
        if len(play.say) > most or not play.say.isprintable():
            raise ScenarioError(f"what is said with play {number} must be one line of at most {most} characters")
        self.said[play.seat] = play.say

    def _knows(self, move: str) -> bool:
        """Tell whether the game's grammar has a line that begins with `move`."""
        lines = (line.strip().replace("`", "") for line in self.game.moves.splitlines())
        return bool(move) and any(f"{line} ".startswith(f"{move} ") for line in lines)


def _chance(script: Script) -> ScriptedChance:
    """Return the dealer of a script; its seed deals what `arena match --seed N` deals."""
    seed = deal_seed(seed_from_number(script.seed), 0)
    return ScriptedChance(seed, script.deck, script.dice, script.picks)


def _plays(number: int) -> str:
    return f"{number} play" if number == 1 else f"{number} plays"


def _asked(seats: tuple[int, ...]) -> str:
    if len(seats) == 1:
        return f"seat {seats[0]} is asked"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} are asked"
