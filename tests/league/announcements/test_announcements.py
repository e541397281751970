"""Announcements of leagues: written, changed, retracted, and what becomes of their texts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.league.announcements.announcement import parts_of
from arena.league.announcements.control import LONGEST, announce, announcements, retract
from arena.league.control import LeagueError
from arena.league.store.league_rows import LeagueRow
from arena.league.store.leagues import Leagues
from arena.league.verification import league_problems
from arena.store import NoSuchRow, Store, open_store
from tests import leagues


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        yield opened


@pytest.fixture
def league(store: Store) -> LeagueRow:
    made = leagues.cambio(store)
    for name in ("club/owl", "club/elk", "fox/hen"):
        Leagues(store).enter(made.id, leagues.entry(leagues.submit(store, name)), "arena", 2)
    return made


def test_every_text_stays_and_a_retracted_one_is_no_more_changed(store: Store, league: LeagueRow) -> None:
    first = announce(store, league.name, "  The hall is H2.\r\nBring bots.\n", "ann")
    assert (first.number, first.text, first.who, first.changed) == (1, "The hall is H2.\nBring bots.", "ann", None)
    assert announce(store, league.name, "The exam is on Monday.", "ann").number == 2
    changed = announce(store, league.name, "The hall is H3.", "bob", 1)
    assert [text for _, text in changed.texts] == ["The hall is H2.\nBring bots.", "The hall is H3."]
    assert announce(store, league.name, "The hall is H3.", "bob", 1) == changed, "it has this text already"
    assert retract(store, league.name, 1, "ann", "a mistake").retracted is not None
    assert [(row.number, row.retracted is None) for row in announcements(store, league)] == [(2, True), (1, False)]
    said = "announcement 1 of the league cambio was retracted"
    with pytest.raises(LeagueError, match=said):
        retract(store, league.name, 1, "ann")
    with pytest.raises(LeagueError, match=said):
        announce(store, league.name, "x", "ann", 1)
    assert [row.kind for row in Leagues(store).log(league.id)[-4:]] == ["announce", "announce", "announce", "retract"]
    assert list(league_problems(store, Leagues(store).named(league.name), replay=False)) == []


@pytest.mark.parametrize(
    ("text", "said"), [(" \n ", "must not be empty"), ("x" * (LONGEST + 1), "has up to 2,000 characters")]
)
def test_texts_have_bounds(store: Store, league: LeagueRow, text: str, said: str) -> None:
    with pytest.raises(LeagueError, match=said):
        announce(store, league.name, text, "ann")
    with pytest.raises(NoSuchRow, match="has no announcement 7"):
        announce(store, league.name, "x", "ann", 7)
    with pytest.raises(NoSuchRow, match="has no announcement 7"):
        retract(store, league.name, 7, "ann")
    assert announcements(store, league) == []


def test_control_characters_are_written_as_such(store: Store, league: LeagueRow) -> None:
    assert announce(store, league.name, "a\x1b[31mb\u202ec", "ann").text.isprintable()


def test_each_owner_is_told_once(store: Store, league: LeagueRow) -> None:
    announce(store, league.name, "The hall is H2.", "ann")
    with closing(sqlite3.connect(store.where)) as connection:
        told = connection.execute("SELECT account FROM outbox WHERE kind = 'league.announcement'").fetchall()
    assert told == [("club",), ("fox",)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("no link", [("no link", False)]),
        ("see https://a.example/x?y=1.", [("see ", False), ("https://a.example/x?y=1", True), (".", False)]),
        ("(http://a.example)", [("(", False), ("http://a.example", True), (")", False)]),
        ("javascript:alert(1) data:x HTTPS://A", [("javascript:alert(1) data:x HTTPS://A", False)]),
        ('https://a"onclick=x', [("https://a", True), ('"onclick=x', False)]),
        ("https://...", [("https://...", False)]),
    ],
)
def test_only_addresses_of_pages_become_links(text: str, parts: list[tuple[str, bool]]) -> None:
    assert list(parts_of(text)) == parts
    assert "".join(part for part, _ in parts_of(text)) == text
