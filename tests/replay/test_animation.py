"""Rounds as animated SVG: what is shown when, and within what size."""

import itertools
import re
from xml.etree import ElementTree

import pytest

from arena.replay.picture import animation as module
from arena.replay.picture.animation import MOST_BYTES, NoSuchRound, animation
from arena.replay.picture.picture import Moment, picture
from arena.replay.rounds import rounds
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from tests.replay.replays import GAMES, replay

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_round_of_every_game_is_animated_within_its_size(game: Game) -> None:
    whole = replay(game)
    for number in {1, len(rounds(whole))}:
        svg = animation(whole, number)
        assert len(svg.encode()) <= MOST_BYTES
        assert not re.search(r"<script|<style|url\(|http(?!://www\.w3\.org/2000/svg)", svg)
        root = ElementTree.fromstring(svg)
        animated = [(group, step) for group in root for step in group.findall(f"{SVG}animate")]
        assert animated
        for group, step in animated:
            times = [float(time) for time in step.attrib["keyTimes"].split(";")]
            values = step.attrib["values"].split(";")
            assert times[0] == 0
            assert times == sorted(set(times))
            assert len(times) == len(values)
            assert all(one != other for one, other in itertools.pairwise(values))
            assert (values[0] == "hidden") == (group.get("visibility") == "hidden")
        assert len({step.attrib["dur"] for _, step in animated}) == 1


def test_the_first_table_is_shown_where_nothing_moves() -> None:
    whole = replay(CAMBIO)
    first = rounds(whole)[2].frame
    root = ElementTree.fromstring(animation(whole, 3))
    shown = [text.text for group in root if group.get("visibility") != "hidden" for text in group.iter(f"{SVG}text")]
    plain = [text.text for text in ElementTree.fromstring(picture(whole, Moment(first, 0))).iter(f"{SVG}text")]
    assert {text for text in shown if text and text.startswith("set")} <= set(plain)
    assert f"move {first} of {whole.count() - 1}" in (text.text for text in root.iter(f"{SVG}text"))


def test_a_long_round_has_fewer_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = animation(replay(CAMBIO), 1)
    monkeypatch.setattr(module, "MOST_BYTES", len(whole) - 1)
    assert len(animation(replay(CAMBIO), 1)) < len(whole)
    monkeypatch.setattr(module, "MOST_BYTES", 0)
    assert "<animate" not in animation(replay(CAMBIO), 1)


@pytest.mark.parametrize("number", [0, 10_000])
def test_a_round_that_was_not_played_is_named(number: int) -> None:
    with pytest.raises(NoSuchRound, match="it has the rounds 1 to"):
        animation(replay(CAMBIO), number)
