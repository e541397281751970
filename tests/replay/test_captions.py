"""Captions at the places: none outlives the round, deal or trick that it tells of, nor the cards that it names."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from arena.language.message import arguments
from arena.record.played_rules import steps
from arena.replay.log_lines import LogLine, of_seat
from arena.replay.replay import Replay
from arena.replay.scene import Scene
from referee.engine import registry
from referee.engine.game import Game
from referee.engine.record import Say
from tests.replay.replays import GAMES, stored

ENDS_TRICK = "seat {} wins the trick"
NAMES_PIECES = ("plays", "reveals", "receives", "takes", "shows", "puts aside")
"""What lines say of a seat whose values after it are cards or dice."""
FACES = {"skull": "1"}
"""What is printed on dice of which lines have a word."""


def presets() -> Iterator[Any]:
    for game in GAMES:
        for name, options in game.presets.items():
            yield pytest.param(game, options, id=f"{game.name}-{name}")


def tables(film: Replay, seat: int | None) -> Iterator[tuple[Scene, list[LogLine]]]:
    """Yield each table of a whole match as a perspective sees it, with all lines of the log so far."""
    before: list[LogLine] = []
    for number, frame in enumerate(film.frames(seat)):
        for shown in film.event_frames(number, seat):
            yield shown.scene, [*before, *frame.events[: shown.end]]
        before += frame.events


def captions(scene: Scene, log: Sequence[LogLine]) -> Iterator[tuple[LogLine, int]]:
    """Yield the lines that the places repeat, with their numbers in the log: the newest of equal ones."""
    for place in scene.places:
        for said in arguments(place.recent):
            yield next(
                (line, number)
                for number, line in reversed([*enumerate(log)])
                if line.is_about(place.seat) and of_seat(line) == said
            )


def faces(scene: Scene) -> Counter[str]:
    zones = [*scene.middle, *(zone for place in scene.places for zone in place.zones)]
    return Counter(item.face for zone in zones for item in zone.items)


@pytest.mark.parametrize(("game", "options"), list(presets()))
@pytest.mark.parametrize("seat", [None, 0])
def test_no_caption_outlives_the_cards_it_speaks_of(game: Game, options: dict[str, Any], seat: int | None) -> None:
    film = Replay(stored(game, options=options))
    seen = 0
    for scene, log in tables(film, seat):
        for line, number in captions(scene, log):
            seen += 1
            later = log[number + 1 :]
            assert not [other for other in later if other.kind.begins or other.kind.text == ENDS_TRICK], (line, later)
            said = of_seat(line).split(maxsplit=1)
            if said[0] in NAMES_PIECES and "chips" not in f"{line.kind.text} {line.kind.meaning}":
                told = str(line.event[-1] if line.kind.text.count("{}") == 2 else line.event[2]).split()
                assert not Counter(FACES.get(face, face) for face in told) - faces(scene), (line, scene)
    assert seen > 10


@pytest.mark.parametrize("name", ["cucu", "lustu"])
def test_table_talk_goes_with_its_deal(name: str) -> None:
    silent = stored(registry.game(name), options={"table_talk": True})
    says = tuple(Say(step.seat, step.ply, f"said {step.ply}") for _, answers in steps(silent) for step in answers)
    film = Replay(replace(silent, row=replace(silent.row, says=says)))
    talk = 0
    for scene, log in tables(film, None):
        start = max(number for number, line in enumerate(log) if line.kind.begins)
        heard = {line.event[1:] for line in log[start:]}
        said = {(place.seat, place.said) for place in scene.places if place.said}
        talk += len(said)
        assert said <= heard
    assert talk
