from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.results.seeding import ordered
from arena.results.stored_tournament import StoredTournament
from arena.store import open_store
from arena.values.definition import Entrant
from arena.values.rows import EntrantRow, MatchRow, NewEvent, SeatRow
from referee.games.cambio import CAMBIO
from tests import played


def bot(name: str, files: str) -> Entrant:
    return Entrant(name, ("true",), "/", (), files * 64)


def tournament(files: Sequence[str]) -> NewEvent:
    """A tournament of bots a, b, c ... with these files."""
    new = played.tournament(CAMBIO, bots=len(files))
    field = tuple(EntrantRow("abc"[place], ("true",), "/", of * 64) for place, of in enumerate(files))
    return replace(new, entrants=field)


def match(number: int, ranks: Sequence[int]) -> MatchRow:
    seats = tuple(SeatRow(place, place, 0, rank, 1, 1) for place, rank in enumerate(ranks))
    return replace(played.match(CAMBIO), number=number, deal=number, seats=seats)


def test_a_field_stands_as_it_was_ranked_and_bots_are_known_by_their_files(tmp_path: Path) -> None:
    with open_store(tmp_path / "arena.db", create=True, write=True) as store:
        number = store.add_tournament(tournament("111"))
        store.add_matches(number, [match(each, (3, 1, 2)) for each in range(12)])
        twins = bot("x", "1"), bot("x#2", "1"), bot("x#3", "1"), bot("x#4", "1")
        assert ordered(twins, StoredTournament.load(store, number)) == (twins[:3], twins[3:]), "as many as there were"

        number = store.add_tournament(tournament("123"))
        store.add_matches(number, [match(each, (3, 1, 2)) for each in range(12)])
        field = bot("new", "9"), bot("one", "1"), bot("a", "8"), bot("three", "3"), bot("two", "2")
        known, new = ordered(field, StoredTournament.load(store, number))
        assert [each.name for each in known] == ["two", "three", "one"]
        assert [each.name for each in new] == ["new", "a"]
