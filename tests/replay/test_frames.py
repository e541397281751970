"""The frames of the whole match and of each seat, for every game."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.language.message import parts
from arena.replay.frames import frames
from arena.replay.json_values import replay_values, table_values
from arena.replay.positions import match_positions
from arena.replay.replay import Replay
from referee.engine.events import history
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from referee.games.scopa import SCOPA
from tests.guessing import GUESSING
from tests.replay.replays import GAMES, replay, stored

games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@games
def test_the_whole_match_has_every_position_and_every_line(game: Game) -> None:
    film = replay(game)
    known = film.frames()
    answers = [answer for frame in known for answer in frame.answers]
    assert [answer.ply for answer in answers] == list(range(len(film.match.row.times)))
    assert [line for frame in known for line in frame.events] == history(game.lines, film.log)
    assert known[-1].asked == ()
    assert all(len(frame.answers) == len(frame.asked) for frame in known)
    assert all(answer.move in answer.legal for answer in answers)


@games
def test_a_seat_has_only_its_own_lines_and_answers(game: Game) -> None:
    film = replay(game)
    for seat in range(film.seats):
        known = film.frames(seat)
        assert [line for frame in known for line in frame.events] == history(game.lines, film.log, seat)
        answers = [answer for frame in known for answer in frame.answers]
        assert {answer.seat for answer in answers} <= {seat}
        assert {answer.ply for answer in answers} <= {None}
        assert len(answers) == sum(answer.seat == seat for frame in film.frames() for answer in frame.answers)


@games
def test_a_seat_knows_only_questions_that_its_view_shows(game: Game) -> None:
    film = replay(game)
    for seat in range(film.seats):
        for frame in film.frames(seat)[:-1]:
            view = film.positions[frame.position].view(seat)
            assert frame.asked == (seat,) or (frame.asked == (view.turn,) and frame.events)


@games
def test_the_json_of_a_seat_has_no_notes_times_or_output_of_others(game: Game) -> None:
    film = replay(game)
    for seat in range(film.seats):
        told = json.dumps(
            [replay_values(film, seat), *(table_values(film, seat, n) for n in range(0, len(film.frames(seat)), 64))]
        )
        assert {int(owner) for owner in re.findall(r"thought \d+ of seat (\d+)", told)} == {seat}
        assert "printed by" not in told
        assert '"ply"' not in told
        assert {
            answer["seat"] for frame in replay_values(film, seat)["frames"] for answer in frame.get("answers", ())
        } <= {seat}


@games
def test_every_table_is_drawn_from_every_perspective(game: Game) -> None:
    film = replay(game)
    for perspective in (None, *range(film.seats)):
        for number in range(len(film.frames(perspective))):
            scene = film.scene(number, perspective)
            assert [place.seat for place in scene.places] == list(range(film.seats))
    middle = [film.scene(number) for number in range(len(film.frames()))]
    assert all(sum(place.turn for place in scene.places) <= 1 for scene in middle)


@games
def test_parts_of_tables_equal_the_drawn_tables(game: Game) -> None:
    film = replay(game)
    part = table_values(film, 0, 4, 8)
    assert len(part["scenes"]) == len(part["legal"]) == min(8, len(film.frames(0)) - 4)
    for number, (heading, _, _, places) in enumerate(part["scenes"], start=4):
        scene = film.scene(number, 0)
        assert heading == scene.heading
        assert [part["pieces"][place]["seat"] for place in places] == [place.seat for place in scene.places]


@games
def test_frames_of_one_perspective_are_found_from_another(game: Game) -> None:
    film = replay(game)
    for seat in range(film.seats):
        for number in range(len(film.frames(seat))):
            there = film.nearest_frame(number, seat, None)
            assert film.frames()[there].position == film.frames(seat)[number].position
            assert film.nearest_frame(there, None, seat) == number
        found = [film.nearest_frame(number, None, seat) for number in range(len(film.frames()))]
        assert all(before <= after for before, after in pairwise(found))


def test_secret_questions_are_frames_of_the_asked_seat_alone() -> None:
    film = Replay(stored(CAMBIO, 1))
    secret = [
        frame
        for frame in film.frames()
        if frame.asked and any(film.positions[frame.position].view(s).turn != frame.asked[0] for s in range(film.seats))
    ]
    assert secret
    for frame in secret:
        for seat in range(film.seats):
            known = any(other.position == frame.position for other in film.frames(seat))
            assert known == (seat in frame.asked)


def test_where_some_cards_must_be_played_nobody_learns_who_had_a_choice() -> None:
    film = Replay(stored(SCOPA, options={"strict_discard": "true"}))
    assert len(film.frames(0)) < len(film.frames())
    assert all(frame.asked in ((0,), ()) for frame in film.frames(0))


def test_sealed_answers_are_one_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.engine.registry.game", lambda name: GUESSING)
    match = stored(GUESSING, seats=4)
    found, log = match_positions(match)
    monkeypatch.setattr("arena.replay.frames.open_turns", lambda game, options: False)
    first = next(frames(match, found, log))
    assert first.asked == (0, 1, 2, 3)
    assert [answer.seat for answer in first.answers] == [0, 1, 2, 3]
    assert [answer.seat for answer in next(frames(match, found, log, 2)).answers] == [2]


def test_faults_are_shown_with_their_question_and_to_their_seat_alone() -> None:
    match = stored(CAMBIO, faults={5: "timeout", 40: "crash"})
    film = Replay(match)
    for fault in match.row.faults:
        (frame,) = [frame for frame in film.frames() if fault in frame.faults]
        assert frame.answers[0].ply == fault.ply
        assert frame.answers[0].default
        assert frame.answers[0].spent is None
        assert "fault" in frame.marks
        for seat in range(film.seats):
            told = [frame for frame in film.frames(seat) if fault in frame.faults]
            assert len(told) == (seat == fault.seat)
            assert "ply" not in json.dumps(replay_values(film, seat)["frames"])


def test_answers_reduce_the_time_bank() -> None:
    film = Replay(stored(CAMBIO))
    banks = [
        answer.spent.bank for frame in film.frames() for answer in frame.answers if answer.seat == 0 and answer.spent
    ]
    assert all(bank is not None and 0 <= bank <= 1000 for bank in banks)
    assert all(before is not None and after is not None and before >= after for before, after in pairwise(banks))
    assert replay_values(film)["clock"] == {"move": 1000, "bank": 1000}
    assert replay_values(film)["clocks"] == [{"move": 1000, "bank": 1000}] * len(film.match.row.seats)


def test_rounds_defeats_and_eliminations_are_marked() -> None:
    film = Replay(stored(CAMBIO))
    lines = {
        mark: [frame.events for frame in film.frames() if mark in frame.marks] for mark in ("round", "loss", "out")
    }
    assert all(any(" begins" in line for line in events) for events in lines["round"])
    assert all(any("is defeated" in line for line in events) for events in lines["loss"])
    assert all(any("is out of the set" in line or "no chips" in line for line in events) for events in lines["out"])
    assert all(lines.values())


def test_what_a_bot_printed_is_a_message_among_its_notes() -> None:
    match = stored(CAMBIO)
    note = match.row.notes[0]
    printed = note._replace(text='printed: Traceback: "printed: {0}"')
    film = Replay(replace(match, row=replace(match.row, notes=(printed, note))))
    read = [
        [answer["notes"] for frame in values["frames"] for answer in frame.get("answers", ()) if "notes" in answer]
        for values in (replay_values(film), replay_values(film, write=parts))
    ]
    assert read == [
        [[printed.text, note.text]],
        [[["printed: {0}", 'Traceback: "printed: {0}"'], note.text]],
    ]
