"""Write a stored match, or its beginning, as a scenario file: the cards, the moves, and what is true after them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Self, TypeVar

from arena.record.played_rules import rules, stored_redeal
from arena.values.errors import ArenaError
from arena.values.rows import StoredMatch
from arena.values.texts import toml_text
from referee.engine.chance import Chance
from referee.engine.errors import EngineError
from referee.engine.events import history
from referee.engine.game import State
from referee.engine.record import Say, Step, replay, unpack_answers
from referee.engine.redeal import dealer
from referee.engine.scenario import Stage, parse

T = TypeVar("T")


class ScenarioExportError(ArenaError):
    """A position cannot be written as a scenario file."""


class _RecordingChance(Chance):
    """Chance that keeps what it answered: the packs, with how many cards of the one before were left; rolls; picks."""

    __slots__ = ("source", "packs", "rolls", "picks")

    def __init__(self, source: Chance) -> None:
        super().__init__(source.seed)
        self.source = source
        self.packs: list[tuple[tuple[Any, ...], int]] = []
        self.rolls: list[tuple[Any, ...]] = []
        self.picks: dict[str, int] = {}

    def copy(self) -> Self:
        return self

    def shuffle(self, cards: Sequence[T], *place: int | str, left: int = 0) -> tuple[T, ...]:
        pack = self.source.shuffle(cards, *place, left=left)
        self.packs.append((pack, left))
        return pack

    def pick(self, n: int, *place: int | str, low: int = 0) -> int:
        picked = self.source.pick(n, *place, low=low)
        self.picks.setdefault(str(place[0]), picked)
        return picked

    def roll(self, faces: Sequence[T], count: int, *place: int | str) -> tuple[T, ...]:
        rolled = self.source.roll(faces, count, *place)
        self.rolls.append(rolled)
        return rolled

    def deck(self, left: int) -> list[Any]:
        """Return the cards that were dealt of all packs.

        left: how many cards of the last pack were not dealt.
        """
        packs = [*self.packs, ((), left)]
        return [card for (pack, _), (_, undealt) in pairwise(packs) for card in pack[: len(pack) - undealt]]


def scenario_text(match: StoredMatch, answers: int) -> str:
    """Return the first answers of a match, which must be whole questions, as the text of a scenario file.

    Raises ScenarioExportError if the game draws what scenario files cannot name, as a cut in every deal; UnknownGame,
    OptionError or RecordError if the record does not fit the installed rules.
    """
    game, options = rules(match)
    chance = _RecordingChance(dealer(match.row.seed, stored_redeal(match)))
    given = unpack_answers(match.row.answers)[:answers]
    says = [say for say in match.row.says if say.ply < answers]
    played: list[Step] = []
    for state, answered in replay(game, options, len(match.row.seats), chance, given, says):  # noqa: B007
        played += answered
    text = "\n".join(
        [*_heading(match, answers), *_chance(match, chance, state), *_plays(played, says), *_expect(match, state)]
    )
    try:
        stage = Stage(scenario := parse(text))
        for play in scenario.plays:
            stage.play(play)
        stage.close()
        is_same = stage.log() == history(game.lines, state.events)
    except EngineError:
        is_same = False
    if not is_same:
        raise ScenarioExportError(
            f"this position of match {match.id} cannot be a scenario file: {game.name} draws what such files cannot "
            "name; save the question instead (`arena question export`)"
        )
    return text


def _heading(match: StoredMatch, answers: int) -> Iterator[str]:
    yield f"# Match {match.id}, after {answers} answers."
    yield f"game = {toml_text(match.event.game)}"
    yield f"seats = {len(match.row.seats)}"
    if (seed := _seed(match)) is not None:
        yield f"seed = {seed}"
    if match.event.options:
        yield "\n[options]"
        yield from (f"{name} = {toml_text(value)}" for name, value in sorted(match.event.options.items()))


def _seed(match: StoredMatch) -> int | None:
    """Return the number after --seed if it deals this match."""
    seed = match.event.seed
    is_plain = match.row.deal == 0 and match.event.entropy is None and match.event.definition.redeal is None
    return int(seed) if seed is not None and seed.isdecimal() and is_plain else None


def _chance(match: StoredMatch, chance: _RecordingChance, state: State) -> Iterator[str]:
    if _seed(match) is not None:
        return
    yield "\n[chance]"
    yield from (f"{name} = {number}" for name, number in chance.picks.items() if name in ("first", "cut"))
    if chance.packs:
        yield f"deck = {toml_text(chance.deck(state.undealt() or 0))}"
    if chance.rolls:
        yield f"dice = {toml_text(chance.rolls)}"


def _plays(played: Sequence[Step], says: Sequence[Say]) -> Iterator[str]:
    talk = {(say.ply, say.seat): say.text for say in says}
    for step in played:
        yield f"\n[[play]]\nseat = {step.seat}\nmove = {toml_text(step.move)}"
        if said := talk.get((step.ply, step.seat)):
            yield f"say = {toml_text(said)}"


def _expect(match: StoredMatch, state: State) -> Iterator[str]:
    game, _ = rules(match)
    yield f"\n[expect]\nover = {toml_text(not state.asked)}"
    yield f"scores = {toml_text([game.in_units(score) for score in state.outcome().scores])}"
    if state.asked:
        yield f"to_act = {toml_text(list(state.asked))}"
        legal = (f"{seat} = {toml_text(list(state.legal(seat)))}" for seat in state.asked)
        yield f"legal = {{ {', '.join(legal)} }}"
    yield ""
