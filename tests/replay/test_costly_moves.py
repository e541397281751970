"""Moves that cost part of the chance to win, in the story of a match, its JSON and the terminal."""

from typing import Any

from arena.language.message import parts
from arena.language.messages import catalogue
from arena.replay.costly_moves import costly_moves, story_with_chances
from arena.replay.cursor import Cursor
from arena.replay.json_values import replay_values
from arena.replay.replay import Replay
from arena.replay.story import MOST, story_lines, story_of
from referee.games.cambio import CAMBIO
from tests.replay.replays import replay


def chances(film: Replay, *costs: float, compared: int = 20, seat: int | None = None) -> dict[str, Any]:
    """Chances in which the first choices of a match, or of a seat, cost something, the last one most."""
    frames = [
        (number, answer.seat, answer.move)
        for number, frame in enumerate(film.frames(seat))
        for answer in frame.answers
        if len(answer.legal) > 1
    ]
    moves = [
        {"frame": frame, "seat": of, "move": str(move), "better": "keep", "chance": 0.22, "better_chance": 0.22 + cost}
        | {"cost": cost, "error": 0.05}
        for cost, (frame, of, move) in zip(costs, frames, strict=False)
    ]
    return {"costly": {"compared": compared, "moves": moves[::-1]}}


def test_the_costliest_moves_are_moments_with_the_better_move_and_the_difference() -> None:
    film = replay(CAMBIO)
    known = chances(film, 0.1, 0.15, 0.19, 0.25)
    told = story_with_chances(film, None, known)
    costly = [moment for moment in told.moments if moment.note]
    moves = costly_moves(film, known)
    assert [moment.frame for moment in costly] == sorted(move.frame for move in moves[:3])
    assert costly[1].note.replace("\N{NO-BREAK SPACE}", " ") == (
        "keep was better: 41 % to win instead of 22 %, a difference of 19 % ± 5 %"
    )
    assert costly[1].text == f"{film.match.players[moves[1].seat]}: {moves[1].move}"
    assert len(told.moments) == MOST
    assert [moment for moment in told.moments if moment.decisive] == [
        moment for moment in story_of(film).moments if moment.decisive
    ]
    frames = [moment.frame for moment in told.moments]
    assert frames == sorted(frames)
    assert told.undecided == ""
    assert any(line.startswith(f"?{moves[0].frame:>5}  ") and moves[0].sentence in line for line in story_lines(told))
    for language in ("ko", "ja"):
        assert parts(costly[0].note)[0] in catalogue(language)


def test_where_no_move_cost_much_the_story_says_that_none_decided() -> None:
    film = replay(CAMBIO)
    told = story_with_chances(film, None, chances(film))
    assert told.moments == story_of(film).moments
    assert told.undecided.startswith("No single move decided this match")
    assert "Of 20 choices" in told.undecided
    assert story_lines(told)[-1] == told.undecided
    for language in ("ko", "ja"):
        assert parts(told.undecided)[0] in catalogue(language)


def test_nothing_is_said_of_moves_where_none_were_compared() -> None:
    film = replay(CAMBIO)
    nothing: list[dict[str, Any] | None] = [None, {}, {"points": []}, chances(film, compared=0)]
    for known in nothing:
        assert story_with_chances(film, None, known) == story_of(film)


def test_pages_and_programs_get_all_of_them_with_the_story() -> None:
    film = replay(CAMBIO)
    known = chances(film, 0.1, 0.15, 0.19, 0.25)
    values = replay_values(film, known={"chances": known})
    assert values["chances"] == known
    assert [move["move"] for move in values["story"]["costly"]] == [move.frame for move in costly_moves(film, known)]
    first = values["story"]["costly"][0]
    assert (first["better"], first["cost"], first["error"]) == ("keep", 0.25, 0.05)
    assert [moment["note"] != "" for moment in values["story"]["moments"]].count(True) == 3


def test_what_is_known_of_the_whole_match_tells_a_seat_nothing() -> None:
    film = replay(CAMBIO)
    cursor = Cursor(film, 0, None, {None: {"chances": chances(film, 0.2)}})
    assert any(moment.note for moment in cursor.story.moments)
    cursor.set_perspective(1)
    assert cursor.story == story_of(film, 1)


def test_the_keys_of_a_viewer_walk_to_costly_moves() -> None:
    film = replay(CAMBIO)
    known = chances(film, 0.1, 0.2)
    cursor = Cursor(film, 0, None, {None: {"chances": known}})
    seen = []
    while moment := cursor.jump_to_moment(1):
        seen.append((cursor.number, cursor.is_question, bool(moment.note)))
    assert (costly_moves(film, known)[0].frame, True, True) in seen
