"""PGN that is written while a tournament is played: no game is missing, torn or there twice."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from botarena_chess import pgn_files
from botarena_chess.pgn_files import SHOWN, LivePgn, PgnFile

HASH = "0123456789ab"
FOREIGN = '[Event "club"]\n[Result "1-0"]\n\n1. e4 1-0\n\n'


class Stored:
    """A stored tournament whose games have no moves, and what its database answers."""

    def __init__(self, *played: int) -> None:
        self.numbers = set(played)
        self.row = SimpleNamespace(id=3, first_match=100, secret_hash=HASH * 5, entrants=("owl", "fox"))
        self.store = SimpleNamespace(
            played=lambda id: set(self.numbers), match=lambda id: SimpleNamespace(row=row(id - 100))
        )

    def reload(self) -> "Stored":
        return self


def row(number: int) -> Any:
    return SimpleNamespace(number=number, seats=[SimpleNamespace(entrant=0), SimpleNamespace(entrant=1)])


def game(number: int, *, result: str = "1-0") -> str:
    return f'[Event "arena tournament 3"]\n[GameId "{HASH}-{number}"]\n\n1. e4 {result}\n\n'


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write games that are short."""

    def write(match: Any, *, game_id: str, is_over: bool) -> str:
        return game(int(game_id.partition("-")[2]), result="1-0" if is_over else "*").removesuffix("\n")

    monkeypatch.setattr(pgn_files, "StoredMatch", lambda id, event, row: None)
    monkeypatch.setattr(pgn_files, "match_pgn", write)


def opened(path: Path, stored: Stored, said: list[str] | None = None) -> PgnFile:
    tournament: Any = stored
    return PgnFile(path, tournament, ([] if said is None else said).append).__enter__()


@pytest.mark.parametrize(
    ("before", "played", "after"),
    [
        ("", [], ""),
        ("", [0, 2], game(0) + game(2)),
        (game(0), [0, 2], game(0) + game(2)),  # one was stored and not written
        (game(2) + game(0), [0, 2], game(2) + game(0)),  # in the order in which they ended
        (game(0) + game(0), [0], game(0)),
        (game(0) + game(1), [1], game(1)),  # one was made void
        (game(0) + game(1)[:-12], [0, 1], game(0) + game(1)),
        (game(0) + game(1)[:40], [0, 1], game(0) + game(1)),  # torn in its tags
        (game(0) + game(1)[:30], [0, 1], game(0) + game(1)),
        (game(0) + game(1)[:4], [0, 1], game(0) + game(1)),
        (FOREIGN + game(0)[:60], [], FOREIGN),
        (FOREIGN, [4], FOREIGN + game(4)),
        (FOREIGN.replace("\n\n", f'\n[GameId "{HASH[::-1]}-4"]\n\n', 1), [], None),
    ],
)
def test_a_file_has_each_stored_game_once(tmp_path: Path, before: str, played: list[int], after: str | None) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(before)
    opened(path, Stored(*played))
    assert path.read_text() == (before if after is None else after)
    assert list(tmp_path.iterdir()) == [path]


def test_games_are_added_as_they_end(tmp_path: Path) -> None:
    path, stored = tmp_path / "games.pgn", Stored()
    writer = opened(path, stored)
    writer.stored([row(5), row(1)])
    writer.stored([row(2)])
    assert path.read_text() == game(5) + game(1) + game(2)
    stored.numbers = {5, 2}
    writer.recount(2)
    assert path.read_text() == game(5) + game(2), "one was made void"


def test_a_file_that_cannot_be_written_ends_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "games.pgn").mkdir()
    writer = opened(tmp_path / "games.pgn", Stored(1), said)
    writer.stored([row(2)])
    [sentence] = said
    assert "games.pgn cannot be written: Is a directory; the tournament goes on" in sentence
    assert sentence.endswith("botarena-chess pgn --tourney 3 --to FILE")


def test_a_live_file_shows_games_under_way_and_how_they_end(tmp_path: Path) -> None:
    path, stored = tmp_path / "live.pgn", Stored()
    tournament: Any = stored
    live = LivePgn(path, tournament, print)
    live.under_way([row(1), row(2)])
    assert path.read_text() == game(1, result="*") + game(2, result="*")
    live.stored([row(1), row(7)])
    assert path.read_text() == game(1) + game(2, result="*"), "one that was over at once was never shown"
    live.under_way([row(number) for number in range(3, 3 + SHOWN)])
    assert path.read_text().count("[Event") == SHOWN
    assert game(1) not in path.read_text()
    live.recount(0)
    assert path.read_text() == game(1)
    assert list(tmp_path.iterdir()) == [path]
