"""Boards of groups of accounts, and who may choose them."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.league.groups import GroupError, are_public, board_of, groups_of, set_public
from arena.league.results.board import Board, BoardRow, load_board
from arena.league.store.league_rows import EntryRow, EntryState
from arena.league.store.leagues import Leagues
from arena.store import Store, open_store
from arena.values.rows import log_problems
from tests import leagues


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "arena.db", create=True) as opened:
        for name, group in {"ann": "A", "ben": "A", "cat": "B", "dan": None}.items():
            opened.accounts.add(name, "author", name.ljust(64, "0"))
            opened.accounts.describe(name, group=group)
        league = leagues.league(opened)
        for owner in ("ann", "ben", "cat", "dan"):
            Leagues(opened).enter(league.id, leagues.entry(leagues.submit(opened, f"{owner}/bot")), "arena")
        yield opened


def row(number: int, owner: str, rank: int | None, state: EntryState = "standing") -> BoardRow:
    entry = EntryRow(number, f"{owner}/bot@1", (f"{owner}/bot", 1), owner, False, state, "", "", None)
    return BoardRow(rank, entry, elo=None if rank is None else 100.0 - rank)


def arena(store: Store, *words: str, code: int = 0) -> str:
    done = CliRunner().invoke(main, ["league", *words, "--db", store.where], prog_name="arena")
    assert done.exit_code == code, done.output
    return done.output


def test_places_in_a_group_follow_the_joint_ranks(store: Store) -> None:
    league = Leagues(store).named("club")
    rows = (row(1, "cat", 1), row(2, "ben", 2), row(3, "dan", 3), row(4, "ann", 4), row(5, "ann", None, "retired"))
    board = board_of(Board(league, rows), store.accounts.groups(), "A")
    assert [(one.entry.number, one.rank, one.group_rank) for one in board.rows] == [
        (2, 2, 1),
        (4, 4, 2),
        (5, None, None),
    ]
    assert groups_of(Board(league, rows), store.accounts.groups()) == {"A": 2, "B": 1}


def test_a_team_has_the_group_that_all_its_members_have(store: Store) -> None:
    store.accounts.add("duo", "team", "")
    store.accounts.describe("ann", team="duo")
    store.accounts.describe("ben", team="duo")
    assert store.accounts.groups()["duo"] == "A"
    store.accounts.describe("ben", group="B")
    assert "duo" not in store.accounts.groups()
    store.accounts.describe("duo", group="C")
    assert store.accounts.groups()["duo"] == "C"


def test_the_group_of_an_account_is_gone_with_it(store: Store) -> None:
    store.accounts.remove("ann")
    assert "ann" not in store.accounts.groups()
    assert groups_of(load_board(store, "club"), store.accounts.groups()) == {"A": 1, "B": 1}


def test_who_sees_groups_is_decided_in_the_log(store: Store) -> None:
    league = Leagues(store).named("club")
    assert not are_public(store, league.id)
    with pytest.raises(GroupError, match="organisers alone see the groups of the league club already"):
        set_public(store, "club", "ann", "", is_public=False)
    set_public(store, "club", "ann", "all agreed", is_public=True)
    assert are_public(store, league.id)
    set_public(store, "club", "ann", "", is_public=False)
    assert not are_public(store, league.id)
    assert [one.kind for one in Leagues(store).log(league.id)][-2:] == ["show-groups", "hide-groups"]
    league = Leagues(store).named("club")
    assert not list(log_problems(Leagues(store).signed_log(league.id), league.definition_hash, league.log_end))


def test_the_commands(store: Store) -> None:
    board = json.loads(arena(store, "board", "club", "--group", "A", "--json"))
    assert (board["group"], [one["owner"] for one in board["rows"]]) == ("A", ["ann", "ben"])
    rows = list(csv.DictReader(io.StringIO(arena(store, "board", "club", "--group", "B", "--csv"))))
    assert [one["owner"] for one in rows] == ["cat"]
    text = arena(store, "board", "club", "--group", "A")
    assert "; group A\n" in text
    assert "place" in text
    head = arena(store, "board", "club", "--group", "A", "--names").splitlines()[2].split()
    assert head[:4] == ["place", "rank", "bot", "by"]
    assert "it has A, B" in arena(store, "board", "club", "--group", "C", code=2)
    assert json.loads(arena(store, "groups", "club", "--json"))["groups"] == [
        {"group": "A", "entries": 2},
        {"group": "B", "entries": 1},
    ]
    assert "everybody sees them" in arena(store, "groups", "club", "--show", "--reason", "all agreed")
    assert "organisers alone see them" in arena(store, "groups", "club", "--hide")
