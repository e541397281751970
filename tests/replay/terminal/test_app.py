"""The viewer in the terminal; Textual's pilot presses its keys."""

from collections.abc import Callable
from dataclasses import replace as changed

import pytest
from textual.pilot import Pilot
from textual.timer import Timer

from arena.replay.readable import reader_of
from arena.replay.replay import Replay
from arena.replay.story import story_of
from arena.replay.terminal.app import Viewer
from arena.replay.terminal.log_panel import log_lines
from arena.replay.terminal.question_panel import question_lines
from arena.values.rows import NoteRow, OutputRow
from referee.engine.game import Game
from referee.games.cambio import CAMBIO
from tests.replay.replays import GAMES, replay, stored
from tests.replay.terminal.pilot import SMALL, WIDE, press, shown, viewed


def replay_with_faults() -> Replay:
    """Return the replay of a match of Cambio with two faults."""
    return Replay(stored(CAMBIO, faults={5: "timeout", 9: "illegal"}))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_frames_of_every_game_are_shown(game: Game) -> None:
    film, read = replay(game), reader_of(replay(game).match).of
    size = WIDE if game.name in ("cambio", "perudo") else SMALL

    async def step_through(viewer: Viewer, pilot: Pilot[None]) -> None:
        frames = film.frames()
        for number in (1, 2):
            await press(pilot, "full_stop")
            screen = shown(viewer)
            assert f"move {number} of {len(frames) - 1}" in screen
            (answer, *_) = frames[number].answers
            assert f"seat {answer.seat} · {film.match.players[answer.seat]}" in screen
            assert f"▸{read(answer.move)}◂" in screen
            assert f"▶{answer.seat} {film.match.players[answer.seat]}" in screen
            assert read(frames[number].events[-1])[:20] in screen
            assert f"thought {answer.ply}" in screen
        await press(pilot, "end")
        screen = shown(viewer)
        assert "The match is over" in screen
        assert f"move {len(frames) - 1} of" in screen
        await press(pilot, "home", "comma")
        assert "move 0 of" in shown(viewer)

    viewed(film, step_through, size=size)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_what_a_seat_did_not_know_is_not_on_the_screen(game: Game) -> None:
    film = replay(game)
    read = reader_of(film.match).of
    own = {read(line) for frame in film.frames(1) for line in frame.events}
    secret = {read(line) for frame in film.frames() for line in frame.events} - own

    async def look(viewer: Viewer, pilot: Pilot[None]) -> None:
        for _ in range(4):
            screen = shown(viewer)
            assert not [line for line in secret if f" {line}\n" in screen]
            assert "of seat 0" not in "".join(part for part in screen.split("\n") if "thought" in part)
            assert f"of {len(film.frames(1)) - 1}" in screen
            await press(pilot, "right", "right", "right")

    viewed(film, look, size=WIDE, seat=1)


def test_keys_jump_to_marks_moves_and_numbers() -> None:
    film = replay_with_faults()
    frames = film.frames()

    def first(mark: str) -> int:
        return next(number for number, frame in enumerate(frames) if number and mark in frame.marks)

    async def jump(viewer: Viewer, pilot: Pilot[None]) -> None:
        for key, mark in (("r", "round"), ("e", "out"), ("d", "loss"), ("f", "fault")):
            await press(pilot, "home", key)
            assert viewer.cursor.number == first(mark)
            await press(pilot, key, key.upper())
            assert viewer.cursor.number == first(mark)
        await press(pilot, "f", "F", "end", "shift+left", "shift+right", "home", "f")
        screen = shown(viewer)
        assert "! seat" in screen
        assert "default move: no legal answer" in screen
        await press(pilot, "home", "w", "w", "w", "m")
        assert 3 in frames[viewer.cursor.number].asked
        assert "(m)" in shown(viewer)
        before = viewer.cursor.number
        await press(pilot, "m", "M")
        assert viewer.cursor.number == before
        await press(pilot, "g", *"57", "enter")
        assert viewer.cursor.number == 57
        await press(pilot, "g", *"x", "enter")
        assert "enter the number of a move" in shown(viewer)

    viewed(film, jump)


def test_a_jump_without_a_target_stays_and_shows_a_message() -> None:
    async def jump(viewer: Viewer, pilot: Pilot[None]) -> None:
        for key in ("f", "F"):
            await press(pilot, key)
            assert "move 7 of" in shown(viewer)
            assert "no fault in this match" in shown(viewer)

    viewed(replay(CAMBIO), jump, number=7)


def test_the_log_is_searched() -> None:
    async def search(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "slash", *"CALLS CUCKOO", "enter")
        first = viewer.cursor.number
        assert any("calls cuckoo" in line for line in viewer.cursor.frame.events)
        await press(pilot, "n")
        assert viewer.cursor.number > first
        await press(pilot, "N")
        assert viewer.cursor.number == first
        await press(pilot, "slash", *"calls nobody", "enter")
        assert viewer.cursor.number == first
        assert "not found: calls nobody" in shown(viewer)
        await press(pilot, "slash", *"q5", "escape", "right")
        assert viewer.cursor.number == first + 1

    viewed(replay(CAMBIO), search)


def test_the_perspective_changes_at_the_same_position() -> None:
    film = replay(CAMBIO)

    async def change(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "3")
        assert viewer.cursor.frame.position >= 40
        assert "showing: what seat 3 knew" in shown(viewer)
        assert "[▒▒]" in shown(viewer)
        await press(pilot, "s")
        assert viewer.cursor.seat == 4
        await press(pilot, "S", "S", "9")
        assert viewer.cursor.seat == 2
        await press(pilot, "l")
        assert f"arena replay 1 --at {viewer.cursor.number} --seat 2" in shown(viewer)
        await press(pilot, "c")
        ply = film.positions[viewer.cursor.frame.position].steps[0].ply
        assert f"copied: arena play --from 1 --move {ply} --seat 2 --redeal" in shown(viewer)
        await press(pilot, "m", "a")
        own = film.positions[viewer.cursor.frame.position].steps[0].ply
        assert f"copied: arena match --from 1 --move {own}" in shown(viewer)
        await press(pilot, "o", "a")
        assert "showing: everything" in shown(viewer)
        assert f"copied: arena match --from 1 --move {viewer.cursor.frame.answers[0].ply}" in shown(viewer)
        await press(pilot, "c")
        assert f"copied: arena play --from 1 --move {viewer.cursor.frame.answers[0].ply}" in shown(viewer)
        await press(pilot, "end", "a")
        assert "m jumps to the moves" in shown(viewer)
        await press(pilot, "c")
        assert "the match is over here" in shown(viewer)

    viewed(film, change, number=40)


def test_what_happens_between_two_moves_is_shown_event_by_event() -> None:
    film = replay(CAMBIO)
    number = next(
        number
        for number, frame in enumerate(film.frames())
        if sum(" reveals " in line for line in frame.events) > 2 and "discards" in "".join(frame.events)
    )

    async def step(viewer: Viewer, pilot: Pilot[None]) -> None:
        seen = []
        for event, table in enumerate(film.event_frames(number)[:-1]):
            await press(pilot, "right")
            screen = shown(viewer)
            assert f"move {number} of {len(film.frames()) - 1}, before it: event {event + 1} of" in screen
            assert reader_of(film.match).of(film.frames()[number].events[table.end - 1]) in screen
            assert "▸" not in screen
            seen.append(film.frames()[number].events[table.end - 1])
        assert [line for line in seen if " reveals " in line]
        await press(pilot, "right")
        assert "before it" not in shown(viewer)
        assert "▸" in shown(viewer)
        await press(pilot, "left")
        assert "before it: event" in shown(viewer)
        await press(pilot, "comma")
        assert f"move {number - 1} of" in shown(viewer)

    viewed(film, step, size=WIDE, number=number - 1)


def test_playback_has_a_speed_and_stops_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    film = replay(CAMBIO)
    last = len(film.frames()) - 1
    started: list[float] = []

    def timer(viewer: Viewer, seconds: float, tick: Callable[[], None]) -> Timer:
        """Return a timer that is not started: the test calls `tick`."""
        assert tick == viewer.tick
        started.append(seconds)
        return Timer(viewer, seconds, callback=tick)

    monkeypatch.setattr(Viewer, "set_interval", timer)

    async def play(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "plus", "space")
        assert "▶ 4 a second" in shown(viewer)
        await press(pilot, "minus", "minus")
        assert "▶ 1 a second" in shown(viewer)
        for number in (last - 1, last):
            for event in range(len(film.event_frames(number))):
                assert "▶ 1 a second" in shown(viewer)
                viewer.tick()
                await pilot.pause()
                assert (viewer.cursor.number, viewer.cursor.event) == (number, event)
        assert "a second" not in shown(viewer)
        await press(pilot, "space")
        assert viewer.cursor.number == 0
        await press(pilot, "space", "minus")
        assert "speed: 0.5 a second" in shown(viewer)
        assert started == [1 / 4, 1 / 2, 1, 1]

    viewed(film, play, number=last - 2)


def test_keys_verify_the_record_and_list_the_keys() -> None:
    async def verify(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "v")
        assert " verified" in shown(viewer)
        await press(pilot, "question_mark")
        assert "next, previous elimination" in shown(viewer)
        await press(pilot, "escape", "right")
        assert "move 1 of" in shown(viewer)

    viewed(replay(CAMBIO), verify)


def test_a_failed_verification_is_shown() -> None:
    match = stored(CAMBIO)
    film = Replay(changed(match, row=changed(match.row, digest=bytes(8))))

    async def verify(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "v")
        assert "verification failed: by the rules its log is different" in shown(viewer)

    viewed(film, verify, size=WIDE)


def test_the_output_of_a_bot_is_shown_without_markup() -> None:
    match = stored(CAMBIO)
    printed = OutputRow(0, 2, match.row.seats[2].entrant, "[bold]no markup[/] \\x1b[31m\n" * 50, truncated=True)
    film = Replay(changed(match, outputs={2: printed}))

    async def read(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "w", "w", "m", "p")
        assert viewer.cursor.frame.asked == (2,)
        assert "Output of seat 2" in shown(viewer)
        assert "[bold]no markup[/] \\x1b[31m" in shown(viewer)
        assert "(truncated)" in shown(viewer), "the overlay opens at the end of the output"
        await press(pilot, "home")
        assert "(truncated)" not in shown(viewer)
        await press(pilot, "p", "3", "p")
        assert "There is no output to show." in shown(viewer)

    viewed(film, read)


def test_the_output_is_that_of_the_bot_that_is_asked() -> None:
    async def read(viewer: Viewer, pilot: Pilot[None]) -> None:
        for _ in range(8):
            await press(pilot, "right", "p")
            (seat,) = viewer.cursor.frame.asked
            assert f"Output of seat {seat}" in shown(viewer)
            assert f"printed by seat {seat}" in shown(viewer)
            await press(pilot, "escape")
        await press(pilot, "end", "w", "p")  # nobody is asked: the chosen seat
        assert "Output of seat 1" in shown(viewer)

    viewed(replay(CAMBIO), read, size=WIDE)


TRACEBACK = (
    "Traceback (most recent call last):",
    '  File "bot.py", line 8, in choose',
    "    return cards[7]",
    "IndexError: list index out of range",
)


def test_a_traceback_beside_a_question_is_shown_line_by_line() -> None:
    match = stored(CAMBIO)
    (first, *_) = replay(CAMBIO).frames()[0].answers
    texts = ["hm", *(f"printed: {line}" for line in TRACEBACK)]
    notes = tuple(NoteRow(first.seat, 0, text) for text in texts)
    film = Replay(changed(match, row=changed(match.row, notes=notes)))
    frames = film.frames()
    lines = [line.plain for line in question_lines(match, frames[0], None, 80, 30, lambda: story_of(film))]
    at = lines.index("printed: ")
    assert lines[at - 1] == "note: hm"
    assert lines[at + 1 :] == list(TRACEBACK)
    log = " ".join(line.plain.strip() for line in log_lines(frames, 0, 80, 30))
    assert '"hm" printed: IndexError: list index out of range' in log


def test_long_questions_and_tables_scroll() -> None:
    async def scroll(viewer: Viewer, pilot: Pilot[None]) -> None:
        await press(pilot, "down", "pagedown", "pageup", "up")
        await pilot.resize_terminal(60, 16)
        await pilot.pause()
        before = shown(viewer)
        await press(pilot, "pagedown")
        await pilot.pause()
        assert shown(viewer) != before
        assert "move 3 of" in shown(viewer)

    viewed(replay(GAMES[6]), scroll, number=3)
