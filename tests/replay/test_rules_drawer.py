"""The rules beside the table: sections for every question, options in words, and reasons for what cannot be chosen."""

from functools import cache
from itertools import islice
from typing import Any

import pytest

from arena.replay import renderer
from arena.replay.renderer import refusals, render, rule_pages, rule_section
from arena.replay.rule_pages import article, page, sections
from arena.replay.rules_drawer import options_in_words, rules_drawer
from arena.testing.policies import policy
from referee.codec import ViewEncoder
from referee.engine.chance import Chance, seed_from_number
from referee.engine.game import Game
from referee.wire import view_message, view_type
from tests.replay.replays import GAMES, replay


def stages(game: Game) -> set[int]:
    """The kinds of questions of a game: the stages of its view, or 0 where it has one kind only."""
    field = view_message(game).DESCRIPTOR.fields_by_name.get("stage")
    return {value.number for value in field.enum_type.values if value.number} if field and field.enum_type else {0}


def known_sections(game: Game) -> set[str]:
    return {
        section for name in rule_pages(game) for section in sections(next(g for g in GAMES if g.name == name)).values()
    }


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_kind_of_question_has_a_section_that_exists(game: Game) -> None:
    module = renderer._game_module(view_type(game))
    assert set(module.RULE_SECTIONS) == stages(game)
    drawer = str(rules_drawer(game, game.options()))
    for stage in stages(game):
        section = rule_section(game, stage)
        assert section in known_sections(game)
        assert f'<section id="{section}">' in drawer


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_frames_of_a_replay_name_their_section(game: Game) -> None:
    played = replay(game)
    named = {played.section(number) for number in range(played.count() - 1)}
    assert named <= known_sections(game)
    assert named
    assert played.section(played.count() - 1) == ""


def test_links_lead_to_pages_of_the_site_or_nowhere() -> None:
    cambio = next(game for game in GAMES if game.name == "cambio")
    assert 'href="/rules/cucco"' in str(article(cambio)[1])
    assert "href" not in str(article(cambio, linked=False)[1])
    assert "protos" not in str(article(cambio)[1]).replace(">cambio.proto", "")


def test_html_in_a_page_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    coch = next(game for game in GAMES if game.name == "coch")
    monkeypatch.setattr("arena.replay.rule_pages.page", lambda game, language="en": ("# A\n\n<b>x</b>\n\n## B\n", "en"))
    assert "&lt;b&gt;" in str(article.__wrapped__(coch)[1])


def test_options_in_force_are_told_in_plain_words() -> None:
    cambio = next(game for game in GAMES if game.name == "cambio")
    words = list(options_in_words(cambio.options.parse({"misery": "on", "reveal": "anti", "chips": "7"})))
    assert "whoever first has no chips left wins (extension 4)" in words
    assert "who is defeated when the cards are shown: the strongest (extension 1)" in words
    assert any(line.endswith(": 7") for line in words)
    assert not any("two laps" in line for line in words)


def questions(game: Game, preset: str, number: int) -> Any:
    """Yield the options, view, seat and legal moves of the questions of a random match."""
    options = game.options.parse(game.presets[preset])
    state = game.start(options, game.recommended, Chance(seed_from_number(number)))
    message, encode, choose = view_message(game), ViewEncoder(game).encode, policy(number)
    while state.asked:
        for seat in state.asked:
            yield options, message.FromString(encode(state.view(seat))), seat, state.legal(seat)
        state.apply([choose(state, seat) for seat in state.asked])


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_each_card_of_ones_own_is_legal_or_has_a_reason(game: Game) -> None:
    for number, preset in enumerate(game.presets):
        for options, view, seat, legal in islice(questions(game, preset, number), 60):
            scene = render({seat: view}, game.recommended)
            told = refusals(game, options, view, seat, legal, scene)
            own = {
                item.face
                for zone in scene.places[seat].zones
                if zone.label in renderer.OWN_ZONES
                for item in zone.items
                if item.kind == "card"
            }
            named = {move.split()[1] for move in legal if move.split()[0] in ("play", "bid", "discard")}
            reasons = {face: why for kind, face, why in told if kind == "card"}
            assert all(reasons.values())
            playable = own & named
            assert own == playable | set(reasons)
            assert not playable & set(reasons)
            for kind, move, why in told:
                assert why
                assert kind == "card" or not any(other.split()[0] == move for other in legal)


@cache
def reasons_of(game: Game) -> frozenset[str]:
    """The reasons that are given in random matches of a game."""
    reasons = set()
    for number, preset in enumerate(game.presets):
        for options, view, seat, legal in islice(questions(game, preset, number), 150):
            scene = render({seat: view}, game.recommended)
            reasons |= {why for _, _, why in refusals(game, options, view, seat, legal, scene)}
    return frozenset(reasons)


def test_reasons_are_those_of_the_rules() -> None:
    told = {game.name: " ".join(reasons_of(game)) for game in GAMES}
    for name in ("coch", "zifuli", "torionfo"):
        assert "number cards, which were led" in told[name]
    assert "stronger than" in told["kille"]
    assert "captures nothing" in told["scopa"]
    assert "weaker than the last bid" in told["zifuli"]
    assert "no bid yet" in told["perudo"]
    assert "holds a cuckoo (15)" in told["cambio"]


def test_a_page_is_english_where_there_is_no_translation() -> None:
    coch = next(game for game in GAMES if game.name == "coch")
    assert page(coch, "xx") == page(coch)
