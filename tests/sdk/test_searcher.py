"""The sample bot `searcher`: one program for all games."""

import re
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

import sample_bots
from arena.plan.field import samples, usual_samples
from arena.positions import NoWorld
from arena.run.sample_policies import UnknownPolicy, check_policy
from arena.sdk.message_codec import MessageCodec
from arena.search import ThinkingTime
from referee.engine import registry
from sample_bots.python.searcher import Searcher
from tests.sdk.test_look_ahead import GAMES, messages


@pytest.mark.parametrize("name", GAMES)
def test_it_plays_every_game_and_says_what_it_saw(name: str) -> None:
    codec = MessageCodec(Searcher(), "")
    for number, (response, _, move) in enumerate(messages(name, 4, 6)):
        for start in response.turns.starts:
            start.move_time_ms = 60
        [question] = codec.questions(codec.read(response.SerializeToString(), lambda message: None))
        if number in (0, 6):
            assert codec.choose(question) in question.legal
            assert re.search(r"; \d+ worlds?$|, the only legal move$", question._note)
        codec.add_answer(question, move)
        codec.take_message()


def test_without_a_world_it_plays_any_move_and_says_why() -> None:
    class Asked:
        legal = ("a", "b")
        rng = Random(1)
        bank_ms = charged_us = 0
        notes = ""

        class match:
            memory: ClassVar[tuple[object, ...]] = (ThinkingTime(), {})
            move_time_ms = 10
            bank_ms = 0
            fischer = False

        @property
        def position(self) -> object:
            raise NoWorld("no world was found")

        def note(self, text: str) -> None:
            self.notes = text

    asked = Asked()
    assert Searcher().choose(asked) in ("a", "b")  # type: ignore[arg-type]
    assert asked.notes == "any move: no world was found"


def test_no_game_is_named_in_it() -> None:
    source = Path(sample_bots.SAMPLES["searcher"].path).read_text()
    assert not [game.name for game in registry.installed()[0] if game.name in source.lower()]
    assert len(source.splitlines()) <= 45


def test_it_plays_only_where_it_is_named() -> None:
    assert "searcher" in samples("cambio")
    assert "searcher" not in usual_samples("cambio")
    assert "random" in usual_samples("cambio")
    with pytest.raises(UnknownPolicy, match='no sample bot "searcher" plays perudo: choose one of random, actuary'):
        check_policy("searcher", "perudo")
