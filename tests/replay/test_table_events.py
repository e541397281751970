"""What lines of a log declare for the drawn table, and what becomes of it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from arena.language.message import parts
from arena.language.messages import CONTEXT, catalogue, numbered
from arena.replay.event_table import MIDDLE, EventTable
from arena.replay.games.items import cuckoo_cards
from arena.replay.log_lines import log_line
from arena.replay.scene import Fact, Scene, TableItem, TablePlace, Zone
from arena.replay.table_events import TableEvents
from referee.engine.events import Line
from referee.engine.game import Game
from referee.engine.moves import EVERYBODY, Add, At, Badge, Empty, Forget, Go, Move, Out, Pay, Put, Show, Write
from tests.replay.replays import GAMES

CHIPS = TableItem("chips", "9", "box")


def place(seat: int) -> TablePlace:
    cards = tuple(TableItem("card", face, "", "number") for face in ("7", "8"))
    return TablePlace(seat, (Zone("hand", cards),), (Fact("chips", "5"), Fact("score", "1.5")), ("dealer",) * seat)


def after(move: Move, *values: int | str, heading: str = "", begins: str = "", **how: Any) -> EventTable:
    """Return the table of two seats after an event whose line declares a move."""
    scene = Scene(heading, (Zone("box", (CHIPS,)),), (place(0), place(1)))
    table = EventTable(scene, scene, None)
    line = Line(" {}" * len(values), "", begins=begins, moves=(move,))
    TableEvents(cuckoo_cards, **how).play(table, log_line((line,), (0, *values)))
    return table


def faces(table: EventTable, seat: int, label: str) -> list[str]:
    return [item.face for item in table.items((seat, label))]


def test_pieces_are_shown_added_and_taken_away() -> None:
    assert faces(after(Show(At("hand")), 1, "9 10"), 1, "hand") == ["9", "10"]
    assert [item.kind for item in after(Show(At("hand", EVERYBODY), None)).items((1, "hand"))] == ["back"]
    table = after(Put(At("bids", MIDDLE), mark="seat {0}"), 1, 7)
    assert parts(table.items((MIDDLE, "bids"))[0].mark) == ["seat {0}", 1]
    table = after(Empty(("hand",)))
    assert [table.items((seat, "hand")) for seat in table.seats] == [[], []]
    assert after(Empty(("box",), MIDDLE)).items((MIDDLE, "box")) == []


def test_a_piece_goes_from_spot_to_spot() -> None:
    table = after(Go(At("hand"), At("trick", MIDDLE), mark="seat {0}"), 0, 7)
    assert (faces(table, 0, "hand"), faces(table, MIDDLE, "trick")) == (["8"], ["7"])
    [moved] = table.movements
    assert (moved.source, moved.target, moved.item.mark) == ((0, "hand"), (MIDDLE, "trick"), "seat 0")


def test_chips_and_numbers_change_in_the_words_of_the_game() -> None:
    table = after(Pay(At("money"), At("pool", MIDDLE)), 0, 2, labels={"money": "chips", "pool": "box"})
    assert (table.amount((0, "chips")), table.amount((MIDDLE, "box"))) == (3, 11)
    assert table.movements[0].target == (MIDDLE, "box")
    assert after(Pay(At("chips"), At("chips", "dealer")), 0, 2).amount((1, "chips")) == 7
    assert after(Add(At("score")), 0).fact(0, "score") == "2.5"
    assert after(Add(At("score", EVERYBODY), -2, 0), 4).fact(1, "score") == "-6.5"


def test_words_name_values_of_the_event() -> None:
    table = after(Write(At("offer", MIDDLE), "seat {1} offers {0} %"), 5, 1)
    assert parts(table.fact(MIDDLE, "offer")) == ["seat {0} offers {1} %", 1, 5]
    assert parts(after(Write(At("packets of"), 1), 0, 3).fact(0, "packets of")) == "3"
    assert parts(after(Badge("exchanged with seat {1}"), 0, 1).badges(0)[0]) == ["exchanged with seat {0}", 1]
    assert parts(after(Badge("defeated by a {0}", given=14), 0, 1).badges(0)[0]) == ["defeated by a {0}", 14]
    assert after(Forget()).badges(1) == ()
    assert after(Forget(("dealer",))).badges(1) == ("dealer",)
    assert after(Out(1), 0, 1).is_out(1)


def test_a_round_keeps_the_set_in_its_heading() -> None:
    heading = after(Out(), 0, heading="", begins="set").heading
    assert parts(heading) == ["set {0}", 0]
    assert parts(after(Out(), 1, heading=heading, begins="round").heading) == ["set {0}, round {1}", 0, 1]
    assert parts(after(Out(), 1, begins="round").heading) == ["round {0}", 1]


def declared(part: Any) -> Iterator[str]:
    """Yield the labels and words of a declaration."""
    if isinstance(part, str) and not part.isdigit():
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from declared(each)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_lines_declare_names_their_values_in_words_that_are_translated(game: Game) -> None:
    translated = catalogue("ko")
    for number, line in enumerate(game.lines):
        assert line.alike is None or line.alike < number, line.text
        for words in filter(None, declared(line.moves)):
            named = [int(value) for value in re.findall(r"\{(\d)\}", words)]
            assert max(named, default=0) <= line.text.count("{}"), words
            message = re.sub(r"\{\d\}", "{}", words)
            assert {numbered(message), f"{game.name}{CONTEXT}{numbered(message)}"} & translated.keys(), words
