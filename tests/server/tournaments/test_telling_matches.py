"""The most telling matches of a tournament: which they are, how many are replayed, and when they are found."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.replay.replay import Replay
from arena.replay.story import story_of
from arena.server.access import Access
from arena.server.tournaments import telling_matches
from arena.server.tournaments.ranking_cache import RankingCache
from arena.server.tournaments.telling_matches import TellingMatches, margin, winning_chance
from arena.store import Store, open_store
from arena.values.rows import ListedMatch
from referee.games.cambio import CAMBIO
from tests import played
from tests.server.conftest import Client

MATCHES = 16


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as store:
        number = store.add_tournament(played.tournament(CAMBIO, matches=MATCHES))
        store.add_matches(number, [played.match(CAMBIO, place) for place in range(MATCHES)])
        yield store


def listed(ranks: tuple[int, ...], scores: tuple[int, ...], players: tuple[str, ...] = ("a", "b", "c")) -> ListedMatch:
    return ListedMatch(1, 1, "cambio", 0, players, scores, ranks, ({},) * len(ranks))


def test_the_chance_of_a_win_follows_from_the_ratings() -> None:
    elo = {"a": 0.0, "b": 0.0, "c": 0.0}
    assert winning_chance(listed((1, 2, 3), (9, 1, 0)), elo) == pytest.approx(1 / 3)
    assert winning_chance(listed((1, 2, 2), (9, 1, 0)), {"a": 0.0, "b": 400.0, "c": 400.0}) == pytest.approx(1 / 21)
    assert winning_chance(listed((1, 1, 3), (9, 9, 0)), elo) == pytest.approx(2 / 3)
    assert winning_chance(listed((1, 1, 1), (9, 9, 9)), elo) is None
    assert winning_chance(listed((1, 2, 3), (9, 1, 0)), {"a": 0.0, "b": 0.0}) is None
    assert winning_chance(listed((1, 2, 3), (9, 1, 0), ("a", "b", "a")), elo) == pytest.approx(1 / 2)


def test_an_unexpected_win_is_told_first_and_an_expected_one_is_not(own: Store) -> None:
    own.finish_tournament(1)
    ranked = RankingCache(own).of(own.tournament(1))
    ratings = {row.bot: row.elo for row in ranked.standings.table.rows}
    for winner, is_told in (("weakest", True), ("strongest", False)):
        telling = TellingMatches(own)
        name = (min if winner == "weakest" else max)(ratings, key=lambda bot: ratings[bot])
        elo = {bot: (-400.0 if winner == "weakest" else 400.0) * (bot == name) for bot in ratings}
        won = [match for match in own.matches(tournament=1) if match.ranks[match.players.index(name)] == 1]
        rows = [replace(rated, elo=elo[rated.bot], bound="") for rated in ranked.standings.table.rows]
        found = list(telling._found(won, rows))
        assert found[0].why.startswith("the least expected win") is is_told


def test_the_margin_is_between_the_winner_and_the_next() -> None:
    assert margin(listed((1, 2, 3), (9, 4, 0))) == 5
    assert margin(listed((1, 1, 1), (4, 4, 4))) is None
    assert margin(listed((1, 2, 3), (4, 9, 0))) is None  # the second one forfeited


def test_three_matches_are_found_and_few_are_replayed(own: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling_matches, "REPLAYED", 4)
    own.finish_tournament(1)
    replayed: list[int] = []

    def replayed_of(id: int) -> Replay:
        replayed.append(id)
        return Replay(own.match(id))

    telling, row, ranked = TellingMatches(own, replayed_of), own.tournament(1), RankingCache(own).of(own.tournament(1))
    assert telling.known(row, ranked) is None
    telling.find(row, ranked)
    found = telling.known(row, ranked)
    assert found is not None
    assert len({match.match for match in found}) == len(found) == 3
    assert len(replayed) <= 4 + 3
    read = {match.id: match for match in own.matches(tournament=1)}
    narrowest = min((gap, id) for id, match in read.items() if (gap := margin(match)) is not None)
    by_why = {match.why.split(":")[0]: match for match in found}
    assert narrowest[1] in {match.match for match in found}
    for match in found:
        story = story_of(Replay(own.match(match.match)))
        assert match.title == story.title
        assert match.move in {0, *(moment.frame for moment in story.moments if moment.decisive)}
    assert by_why["the latest last change of the lead"].move > 0
    replayed.clear()
    telling.find(row, ranked)
    assert replayed == []


def test_a_page_has_them_once_its_tournament_is_over(own: Store) -> None:
    client = Client(own, Access())
    assert "telling" not in client.get("/tournaments/1").text
    assert "telling" not in client.get("/tournaments/1").text
    assert client.get("/tournaments/1/telling").text == ""
    own.finish_tournament(1)
    page = client.get("/tournaments/1").text  # they are found after this answer
    assert "they are looked for" in page
    assert "telling.js" in page
    page = client.get("/tournaments/1").text
    assert page.count("<li>") >= 3
    assert "The most telling matches" in page
    assert "#move=" in page
    assert "telling.js" not in page


def test_an_open_page_is_filled_once_they_are_found(own: Store) -> None:
    client = Client(own, Access())
    own.finish_tournament(1)
    first = client.get("/tournaments/1/telling")
    assert (first.status_code, first.text) == (202, "")
    found = client.get("/tournaments/1/telling")
    assert found.status_code == 200
    assert found.text.startswith('<section class="sheet telling" id="telling" lang="en">')
    assert found.text in client.get("/tournaments/1").text


@pytest.mark.parametrize("language", ["ko", "ja"])
def test_they_are_told_in_the_language_of_the_reader(own: Store, language: str) -> None:
    client = Client(own, Access())
    own.finish_tournament(1)
    client.get("/tournaments/1/telling")
    english, told = (client.get(f"/tournaments/1/telling?lang={code}").text for code in ("en", language))
    assert f'lang="{language}"' in told
    assert told.count("<li>") == english.count("<li>")
    for words in ("matches", "win", "lead", "margin", "front", "chips", "match"):
        assert not re.search(rf">[^<]*\b{words}\b", told), words


def test_a_match_that_cannot_be_replayed_is_left_out(own: Store) -> None:
    from referee.engine.errors import EngineError

    def replay(_id: int) -> Replay:
        raise EngineError("no such rules")

    own.finish_tournament(1)
    row, ranked = own.tournament(1), RankingCache(own).of(own.tournament(1))
    telling = TellingMatches(own, replay)
    telling.find(row, ranked)
    assert telling.known(row, ranked) == []
