"""The frames between two questions: what the events say leads to the table that the next view shows."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from arena.replay.event_frames import played_events
from arena.replay.event_table import MIDDLE, EventTable
from arena.replay.replay import Replay
from arena.replay.scene import Scene, TableItem, TablePlace, Zone
from referee.engine import registry
from referee.engine.game import Game
from tests.replay.replays import GAMES, replay, stored

FIRST, LAST = 90, 20
"""The numbers of frames of a match that are compared, at its beginning and at its end."""
NO_WORDS = ("cambio", "cucco")
"""The games in which events do not tell all words at the places."""
UNTOLD = "may call a showdown"
"""Words that no event tells: they depend on an option."""


def presets() -> Iterator[Any]:
    for game in GAMES:
        for name, options in game.presets.items():
            yield pytest.param(game, options, id=f"{game.name}-{name}")


def contents(scene: Scene, game: Game) -> dict[str, Any]:
    """Return what lies where, and the facts; the order in a zone and whose turn it is are left out."""
    found: dict[str, Any] = {"facts": {fact.label: fact.value for fact in scene.facts}}
    for seat, zones in [("middle", scene.middle), *((str(place.seat), place.zones) for place in scene.places)]:
        for zone in zones:
            if zone.items:
                found[f"{seat} {zone.label}"] = Counter(zone.items)
    for place in scene.places:
        found[f"{place.seat} facts"] = {fact.label: fact.value for fact in place.facts}
        if game.name not in NO_WORDS:
            found[f"{place.seat} words"] = place.out, place.said, {*place.badges} - {UNTOLD}
    return found


@pytest.mark.parametrize(("game", "options"), list(presets()))
@pytest.mark.parametrize("seat", [None, 0])
def test_events_lead_from_each_table_to_the_next(game: Game, options: dict[str, Any], seat: int | None) -> None:
    film = Replay(stored(game, options=options))
    handlers, count = film._handlers, film.count(seat)
    assert handlers
    for number in sorted({*range(1, min(FIRST, count)), *range(max(1, count - LAST), count)}):
        frame = film.frames(seat)[number]
        before, after = film._viewed_scene(number - 1, seat), film._viewed_scene(number, seat)
        frames = list(played_events(handlers, before, after, frame.events, seat))
        got, wanted = contents(frames[-1].scene if frames else before, game), contents(after, game)
        # At the end the cards still lie where they were seen last, while the view has put them away.
        keys = got.keys() | wanted.keys() if frame.asked else {key for key in wanted if "facts" in key}
        wrong = {key: (got.get(key), wanted.get(key)) for key in keys if got.get(key) != wanted.get(key)}
        assert not wrong, (number, frame.events)
        if frames and frame.asked:
            assert (frames[-1].scene.heading, frames[-1].end) == (after.heading, len(frame.events))


def test_zones_keep_their_order_and_place_while_they_are_empty() -> None:
    card = TableItem("card", "7")

    def scene(*labels: str) -> Scene:
        return Scene("", tuple(Zone(label, (card,)) for label in labels), (TablePlace(0),))

    table = EventTable(scene("pile", "last trick"), scene("pile", "trick", "last trick", "bids"), None)
    table.lay((MIDDLE, "last trick"), ())
    assert [zone.label for zone in table.scene().middle] == ["pile", "last trick"]
    table.lay((MIDDLE, "trick"), [card])
    assert table.scene().middle == (Zone("pile", (card,)), Zone("trick", (card,)), Zone("last trick", ()))


@pytest.mark.parametrize("name", ["coch", "kille", "torionfo", "zifuli"])
@pytest.mark.parametrize("seat", [None, 1])
def test_a_trick_lies_complete_before_its_winner_takes_it(name: str, seat: int | None) -> None:
    film = replay(registry.game(name))
    won = 0
    trick: Counter[str] = Counter()
    for number in range(film.count(seat)):
        start, lines = 0, film.frames(seat)[number].events
        for shown in film.event_frames(number, seat):
            zones = {zone.label: zone for zone in shown.scene.middle}
            if number and (
                winner := [line.split()[1] for line in lines[start : shown.end] if "wins the trick" in line]
            ):
                last = zones["last trick"].items
                assert Counter(item.face for item in last) == trick
                assert [item.mark for item in last if item.mark.endswith("won")] == [f"seat {winner[0]} won"]
                won += 1
            trick = Counter(item.face for item in zones["trick"].items) if "trick" in zones else Counter()
            assert "trick" not in zones or not zones["trick"].small
            start = shown.end
    assert won > 5


@pytest.mark.parametrize(
    ("name", "label"),
    [
        *(("coch", "last trick"), ("kille", "last trick"), ("torionfo", "last trick"), ("zifuli", "last trick")),
        *(("cucu", "card"), ("lustu", "card"), ("hypp", "packet"), ("perudo", "lost dice"), ("scopa", "taken")),
    ],
)
def test_what_decided_a_match_still_lies_there_at_its_end(name: str, label: str) -> None:
    film = replay(registry.game(name))
    scene = film.scene(film.count() - 1)
    zones = (*scene.middle, *(zone for place in scene.places for zone in place.zones))
    items = [item for zone in zones if zone.label == label for item in zone.items]
    assert items
    assert {item.kind for item in items} <= {"card", "die"}
