"""The screen and the actions of its keys."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Container, VerticalScroll
from textual.events import Key
from textual.filter import LineFilter, NoColor
from textual.timer import Timer
from textual.widgets import Input, Static

from arena.record.match_verification import check_match
from arena.replay.cursor import Cursor
from arena.replay.keys import SPEEDS, TERMINAL
from arena.replay.known_values import Known
from arena.replay.marks import NAMES
from arena.replay.replay import Replay
from arena.replay.terminal.bindings import BINDINGS
from arena.replay.terminal.log_panel import log_lines, marks_bar
from arena.replay.terminal.question_panel import event_lines, question_lines
from arena.replay.terminal.table_view import TableContext, table_lines
from arena.replay.terminal.text_overlay import TextOverlay

WIDE = 110
"""The width in characters from which the log is beside the table."""

VERY_WIDE = 150
"""The width in characters from which there is room for longer lines in the log."""


class Viewer(App[None]):
    """The replay viewer for a terminal."""

    TITLE = "arena"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide"), (VERY_WIDE, "-very-wide")]  # noqa: RUF012, as Textual declares it
    CSS = """
    Screen { background: $background; }
    #head, #scrub, #status { height: 1; }
    #head { background: $panel; }
    #body { layout: grid; grid-gutter: 0 1; }
    .-narrow #body { grid-size: 2 2; grid-rows: 1fr 7; }
    .-narrow #table-panel { column-span: 2; }
    .-wide #body { grid-size: 2 2; grid-rows: 1fr 11; grid-columns: 1fr 46; }
    .-very-wide #body { grid-size: 2 2; grid-rows: 1fr 11; grid-columns: 2fr 1fr; }
    .-wide #log, .-very-wide #log { row-span: 2; }
    #log { height: 100%; background: $surface; }
    #question-panel { background: $surface; }
    #table-panel, #question-panel { scrollbar-size-vertical: 1; }
    #text-input { display: none; height: 1; border: none; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    def __init__(
        self,
        replay: Replay,
        number: int = 0,
        seat: int | None = None,
        options: str = "",
        known: Known | None = None,
    ) -> None:
        """Create the viewer.

        number: the first frame shown.
        seat: the perspective; None for the whole match.
        options: appended to the commands that are copied, such as the database.
        known: what packages know of the match.
        """
        super().__init__()
        self.replay = replay
        self._options = options
        self.cursor = Cursor(replay, number, seat, known)
        self.message = replay.remark or "? lists the keys"
        self._speed = SPEEDS.index(2)
        self._timer: Timer | None = None
        self._search_text = ""

    def compose(self) -> ComposeResult:
        """Return the parts of the screen."""
        yield Static(id="head")
        with Container(id="body"):
            with VerticalScroll(id="table-panel", can_focus=False):
                yield Static(id="table")
            yield Static(id="log")
            with VerticalScroll(id="question-panel", can_focus=False):
                yield Static(id="question")
        yield Static(id="scrub")
        yield Static(id="status")
        yield Input(id="text-input", select_on_focus=False)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the line filters; with NO_COLOR set only bold, dim and reverse remain."""
        return [*super().get_line_filters(), NoColor()] if self.no_color else super().get_line_filters()

    def on_mount(self) -> None:
        """Show the first frame once the size of the screen is known."""
        self.call_after_refresh(self.show)

    def on_resize(self) -> None:
        """Draw again for the new size."""
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Draw the current frame."""
        cursor, match, screen = self.cursor, self.replay.match, self.screen_stack[0]
        frame = cursor.frame
        events = cursor.events
        asked = frame.asked if cursor.is_question else ()
        end = events[cursor.event].end
        context = TableContext(match.players, asked, cursor.seat, cursor.chosen_seat, self.cursor.read)
        table_size, log_size, question_size = (
            screen.query_one(name).size for name in ("#table-panel", "#log", "#question-panel")
        )
        if cursor.is_question:
            panel = question_lines(
                match,
                frame,
                cursor.seat,
                question_size.width - 1,
                question_size.height,
                lambda: cursor.story,
                self.cursor.read,
            )
        else:
            start = events[cursor.event - 1].end if cursor.event else 0
            panel = event_lines(frame.events[start:end], question_size.width - 1, self.cursor.read)
        parts = {
            "#head": [self._head()],
            "#table": table_lines(events[cursor.event].scene, context, table_size.width, table_size.height),
            "#question": panel,
            "#log": log_lines(
                cursor.frames,
                cursor.number,
                log_size.width,
                log_size.height,
                None if cursor.is_question else end,
                self.cursor.read,
            ),
            "#scrub": [marks_bar(cursor.frames, cursor.number, self.size.width)],
            "#status": [self._status()],
        }
        for name, lines in parts.items():
            screen.query_one(name, Static).update(Text("\n", no_wrap=True, overflow="ellipsis").join(lines))

    def _head(self) -> Text:
        match = self.replay.match
        where = f" of tournament {match.tournament_id}" if match.tournament_id else ""
        title = Text(f" Match {match.id}{where}: {match.event.game}", "bold")
        perspective = "everything" if self.cursor.seat is None else f"what seat {self.cursor.seat} knew"
        return title.append(f"  deal {match.row.deal}, rotation {match.row.rotation}  showing: {perspective}", "")

    def _status(self) -> Text:
        playing = f"▶ {SPEEDS[self._speed]:g} a second  " if self._timer else ""
        cursor = self.cursor
        event = "" if cursor.is_question else f", before it: event {cursor.event + 1} of {len(cursor.events) - 1}"
        return Text(f" move {cursor.number} of {cursor.last}{event}  {playing}", "bold").append(
            self.message, "not bold"
        )

    def _stop_and_show(self, message: str = "") -> None:
        """Stop playing and show the current frame, with a message in the status line."""
        self._stop()
        self.message = message
        self.show()

    def action_step(self, step: int) -> None:
        """Go forward by one event; back if negative."""
        self.cursor.step(step)
        self._stop_and_show()

    def action_question(self, step: int) -> None:
        """Go forward by one move; back if negative."""
        self.cursor.go_to(self.cursor.number + step)
        self._stop_and_show()

    def action_moment(self, step: int) -> None:
        """Jump to the next moment of the story; to the previous one if negative."""
        moment = self.cursor.jump_to_moment(step)
        told = ". ".join(map(self.cursor.read, filter(None, (moment.text, moment.note)))) if moment else ""
        self._stop_and_show(told or "the story has no moment there")

    def action_first(self) -> None:
        """Go to the first frame."""
        self.cursor.go_to(0)
        self._stop_and_show()

    def action_end(self) -> None:
        """Go to the last frame."""
        self.cursor.go_to(self.cursor.last)
        self._stop_and_show()

    def action_jump(self, kind: str, step: int) -> None:
        """Jump to the next or previous mark."""
        jumped = self.cursor.jump_to_mark(kind, step)
        self._stop_and_show("" if jumped else f"no {NAMES[kind]} in this match")

    def action_move(self, step: int) -> None:
        """Jump to the next or previous move of the chosen seat."""
        jumped = self.cursor.jump_to_question(step)
        self._stop_and_show("" if jumped else f"no move of seat {self.cursor.chosen_seat} is shown")

    def action_choose(self, step: int) -> None:
        """Choose another seat."""
        self.cursor.chosen_seat = (self.cursor.chosen_seat + step) % self.replay.seats
        self._stop_and_show(f"seat {self.cursor.chosen_seat} is chosen: m jumps to its moves")

    def action_see(self, seat: int) -> None:
        """Show what a seat knew."""
        if seat < self.replay.seats:
            self.cursor.set_perspective(seat)
            self._stop_and_show()

    def action_everything(self) -> None:
        """Show the whole match."""
        self.cursor.set_perspective(None)
        self._stop_and_show()

    def action_perspective(self, step: int) -> None:
        """Show what the next or previous seat knew."""
        before = -1 if self.cursor.seat is None and step > 0 else self.cursor.seat or 0
        self.action_see((before + step) % self.replay.seats)

    def action_play(self) -> None:
        """Start or pause the playback."""
        if self._timer:
            self._stop_and_show()
            return
        if self._is_at_end():
            self.cursor.go_to(0)
        self.message = ""
        self._timer = self.set_interval(1 / SPEEDS[self._speed], self.tick)
        self.show()

    def _is_at_end(self) -> bool:
        return self.cursor.number == self.cursor.last and self.cursor.is_question

    def tick(self) -> None:
        """Show the next event during playback; stop at the end."""
        self.cursor.step(1)
        if self._is_at_end():
            self._stop()
        self.show()

    def action_pace(self, step: int) -> None:
        """Change the speed of the playback."""
        self._speed = max(0, min(len(SPEEDS) - 1, self._speed + step))
        if self._timer:
            self._stop()
            self.action_play()
        else:
            self._stop_and_show(f"speed: {SPEEDS[self._speed]:g} a second")

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
        self._timer = None

    def action_prompt(self, label: str) -> None:
        """Open the input line for a text to search, or for the number of a move."""
        self._stop()
        line = self.query_one("#text-input", Input)
        line.placeholder = label
        line.value = ""
        line.display = True
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Search for the text, or go to the move."""
        self._hide_input()
        if event.input.placeholder == "search":
            self._search_text = event.value
            self.action_search(1)
        elif event.value.strip().isdecimal():
            self.cursor.go_to(int(event.value.strip()[:9]))
            self._stop_and_show()
        else:
            self._stop_and_show("enter the number of a move")

    def on_key(self, event: Key) -> None:
        """Close the input line on Escape."""
        if event.key == "escape" and self.query_one("#text-input").display:
            self._hide_input()

    def _hide_input(self) -> None:
        self.query_one("#text-input").display = False
        self.set_focus(None)

    def action_search(self, step: int) -> None:
        """Jump to the next or previous match of the search text."""
        if self._search_text.strip():
            jumped = self.cursor.search(self._search_text, step)
            self._stop_and_show("" if jumped else f"not found: {self._search_text}")

    def action_scroll(self, part: str, lines: int) -> None:
        """Scroll a part of the screen."""
        self.query_one(part, VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_verify(self) -> None:
        """Verify the record and show the result."""
        result = check_match(self.replay.match)
        if result.wrong:
            self._stop_and_show(f"verification failed: {'; '.join(result.wrong)}")
        else:
            self._stop_and_show("; ".join(("verified", *result.remarks)))

    def action_link(self) -> None:
        """Copy the command that opens this position."""
        seat = "" if self.cursor.seat is None else f" --seat {self.cursor.seat}"
        self._copy_command(f"replay {self.replay.match.id} --at {self.cursor.number}{seat}")

    def action_again(self) -> None:
        """Copy the command that asks the bot this question again."""
        if self.cursor.frame.answers:
            self._copy_command(f"match {self._question_options()}")
        else:
            self._stop_and_show("nobody was asked here: m jumps to the moves of the chosen seat")

    def action_continue(self) -> None:
        """Copy the command that continues from here by hand, with a redeal if the perspective is a seat's."""
        if not self.cursor.frame.asked:
            self._stop_and_show("the match is over here: continue from an earlier move")
        elif self.cursor.seat is None:
            self._copy_command(f"play {self._question_options()}")
        else:
            self._copy_command(f"play {self._question_options()} --seat {self.cursor.seat} --redeal")

    def _question_options(self) -> str:
        """Return the options that name the question of the current frame."""
        (first, *_) = self.replay.positions[self.cursor.frame.position].steps
        return f"--from {self.replay.match.id} --move {first.ply}"

    def _copy_command(self, command: str) -> None:
        line = f"arena {command}{self._options}"
        self.copy_to_clipboard(line)
        self._stop_and_show(f"copied: {line}")
        if self._status().cell_len > self.size.width:
            self.push_screen(TextOverlay("Copied", line))

    def action_printed(self) -> None:
        """Show the output of the bot that is asked; of several, or if none is, that of the chosen seat."""
        seat = self._seat_of_interest()
        output = self.replay.match.outputs.get(seat)
        text = output.text.rstrip() if output else ""
        note = "\n(truncated)" if output and output.truncated else ""
        self.push_screen(
            TextOverlay(f"Output of seat {seat}", (text or "There is no output to show.") + note, last=True)
        )

    def _seat_of_interest(self) -> int:
        """Return the seat whose perspective is shown or, if everything is, the one that is asked."""
        if self.cursor.seat is not None:
            return self.cursor.seat
        asked, chosen = self.cursor.frame.asked, self.cursor.chosen_seat
        return chosen if chosen in asked or not asked else asked[0]

    def action_keys(self) -> None:
        """List the keys."""
        width = max(len(keys) for keys, _ in TERMINAL)
        self.push_screen(TextOverlay("Keys", "\n".join(f"{keys:{width}}  {meaning}" for keys, meaning in TERMINAL)))
