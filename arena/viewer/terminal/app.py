"""The screen and its keys."""

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

from arena.replay.match_verification import check_match
from arena.replay.played_rules import older_or_newer
from arena.viewer.cursor import Cursor
from arena.viewer.keys import SPEEDS, TERMINAL
from arena.viewer.marks import NAMES
from arena.viewer.replay import Replay
from arena.viewer.terminal.bindings import BINDINGS
from arena.viewer.terminal.log_panel import around, scrub
from arena.viewer.terminal.question_panel import panel
from arena.viewer.terminal.table_view import TableContext, table
from arena.viewer.terminal.text_overlay import TextOverlay

WIDE = 110
"""Characters from which on the log stands beside the table."""


class Viewer(App[None]):
    """A replay on a terminal."""

    TITLE = "arena"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012, as Textual declares it
    CSS = """
    Screen { background: $background; }
    #head, #scrub, #status { height: 1; }
    #head { background: $panel; }
    #body { layout: grid; grid-gutter: 0 1; }
    .-narrow #body { grid-size: 2 2; grid-rows: 1fr 7; }
    .-narrow #table-panel { column-span: 2; }
    .-wide #body { grid-size: 2 2; grid-rows: 1fr 11; grid-columns: 1fr 46; }
    .-wide #log { row-span: 2; }
    #log { height: 100%; background: $surface; }
    #question-panel { background: $surface; }
    #table-panel, #question-panel { scrollbar-size-vertical: 1; }
    #text-input { display: none; height: 1; border: none; padding: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*BINDINGS]

    def __init__(self, replay: Replay, number: int = 0, seat: int | None = None, options: str = "") -> None:
        """Make the viewer.

        number: the frame it begins with. seat: whose knowledge; None is everything. options: what every command that
        it tells ends with, such as where the database is.
        """
        super().__init__()
        self.replay = replay
        self._options = options
        self.cursor = Cursor(replay, number, seat)
        self.message = older_or_newer(replay.match) or "? tells the keys"
        self._speed = SPEEDS.index(2)
        self._timer: Timer | None = None
        self._wanted = ""

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
        """Return what the lines pass through: under NO_COLOR only bold, dim and reverse remain."""
        return [*super().get_line_filters(), NoColor()] if self.no_color else super().get_line_filters()

    def on_mount(self) -> None:
        """Show the first frame once there is a size to draw for."""
        self.call_after_refresh(self.show)

    def on_resize(self) -> None:
        """Draw anew for the new size."""
        self.call_after_refresh(self.show)

    def show(self) -> None:
        """Draw all there is to see of the frame."""
        cursor, match, screen = self.cursor, self.replay.match, self.screen_stack[0]
        context = TableContext(match.players, cursor.frame.asked, cursor.seat, cursor.chosen)
        table_size, log_size, question_size = (
            screen.query_one(name).size for name in ("#table-panel", "#log", "#question-panel")
        )
        scene = self.replay.scene(cursor.number, cursor.seat)
        parts = {
            "#head": [self._head()],
            "#table": table(scene, context, table_size.width, table_size.height),
            "#question": panel(match, cursor.frame, cursor.seat, question_size.width - 1, question_size.height),
            "#log": around(cursor.frames, cursor.number, log_size.width, log_size.height),
            "#scrub": [scrub(cursor.frames, cursor.number, self.size.width)],
            "#status": [self._status()],
        }
        for name, lines in parts.items():
            screen.query_one(name, Static).update(Text("\n", no_wrap=True, overflow="ellipsis").join(lines))

    def _head(self) -> Text:
        match = self.replay.match
        where = f" of tournament {match.tournament_id}" if match.tournament_id else ""
        title = Text(f" Match {match.id}{where}: {match.event.game}", "bold")
        perspectives = "everything" if self.cursor.seat is None else f"what seat {self.cursor.seat} knew"
        return title.append(f"  deal {match.row.deal}, rotation {match.row.rotation}  seen: {perspectives}", "")

    def _status(self) -> Text:
        playing = f"▶ {SPEEDS[self._speed]:g} a second  " if self._timer else ""
        return Text(f" move {self.cursor.number} of {self.cursor.last}  {playing}", "bold").append(
            self.message, "not bold"
        )

    def _moved(self, message: str = "") -> None:
        """Stop playing and show where one has come."""
        self._stop()
        self.message = message
        self.show()

    def action_step(self, step: int) -> None:
        """Go some frames on."""
        self.cursor.go(self.cursor.number + step)
        self._moved()

    def action_first(self) -> None:
        """Go to the beginning."""
        self.cursor.go(0)
        self._moved()

    def action_end(self) -> None:
        """Go to the end."""
        self.cursor.go(self.cursor.last)
        self._moved()

    def action_jump(self, kind: str, step: int) -> None:
        """Go to the next or previous mark."""
        found = self.cursor.to_mark(kind, step)
        self._moved("" if found else f"there is none: {NAMES[kind]}")

    def action_move(self, step: int) -> None:
        """Go to the next or previous move of the chosen seat."""
        found = self.cursor.to_move(step)
        self._moved("" if found else f"seat {self.cursor.chosen} is never asked, as far as is seen")

    def action_choose(self, step: int) -> None:
        """Choose another seat."""
        self.cursor.chosen = (self.cursor.chosen + step) % self.replay.seats
        self._moved(f"seat {self.cursor.chosen} is chosen: m leads to its moves, p shows what it printed")

    def action_see(self, seat: int) -> None:
        """See what a seat knew."""
        if seat < self.replay.seats:
            self.cursor.see(seat)
            self._moved()

    def action_everything(self) -> None:
        """See everything."""
        self.cursor.see(None)
        self._moved()

    def action_perspective(self, step: int) -> None:
        """See what the next or previous seat knew."""
        before = -1 if self.cursor.seat is None and step > 0 else self.cursor.seat or 0
        self.action_see((before + step) % self.replay.seats)

    def action_play(self) -> None:
        """Play, or pause."""
        if self._timer:
            self._moved()
            return
        if self.cursor.number == self.cursor.last:
            self.cursor.go(0)
        self.message = ""
        self._timer = self.set_interval(1 / SPEEDS[self._speed], self.tick)
        self.show()

    def tick(self) -> None:
        """Go one frame on while playing; stop at the end."""
        self.cursor.go(self.cursor.number + 1)
        if self.cursor.number == self.cursor.last:
            self._stop()
        self.show()

    def action_pace(self, step: int) -> None:
        """Play faster, or slower."""
        self._speed = max(0, min(len(SPEEDS) - 1, self._speed + step))
        if self._timer:
            self._stop()
            self.action_play()
        else:
            self._moved(f"space plays {SPEEDS[self._speed]:g} a second")

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
        self._timer = None

    def action_write(self, what: str) -> None:
        """Ask for words to search for, or for the number of a move."""
        self._stop()
        words = self.query_one("#text-input", Input)
        words.placeholder = what
        words.value = ""
        words.display = True
        words.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Do what was asked for with the words."""
        self._hide_words()
        if event.input.placeholder == "search":
            self._wanted = event.value
            self.action_search(1)
        elif event.value.strip().isdecimal():
            self.cursor.go(int(event.value))
            self._moved()
        else:
            self._moved("a move is named by its number")

    def on_key(self, event: Key) -> None:
        """Leave the words alone at Escape."""
        if event.key == "escape" and self.query_one("#text-input").display:
            self._hide_words()

    def _hide_words(self) -> None:
        self.query_one("#text-input").display = False
        self.set_focus(None)

    def action_search(self, step: int) -> None:
        """Go to the next or previous hit."""
        if self._wanted.strip():
            found = self.cursor.search(self._wanted, step)
            self._moved("" if found else f"not found: {self._wanted}")

    def action_scroll(self, part: str, lines: int) -> None:
        """Scroll a part of the screen."""
        self.query_one(part, VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_verify(self) -> None:
        """Play the record again by the rules and compare."""
        found = check_match(self.replay.match)
        self._moved(f"not true: {'; '.join(found.wrong)}" if found.wrong else "; ".join(("true", *found.remarks)))

    def action_link(self) -> None:
        """Tell the command that leads here."""
        seat = "" if self.cursor.seat is None else f" --seat {self.cursor.seat}"
        self._tell_command(f"replay {self.replay.match.id} --at {self.cursor.number}{seat}")

    def action_again(self) -> None:
        """Tell the command that asks the bot this question again."""
        if self.cursor.frame.answers:
            self._tell_command(f"match {self._from()}")
        else:
            self._moved("a bot is asked again where it was asked: m leads to the moves of the chosen seat")

    def action_go_on(self) -> None:
        """Tell the command that goes on from here by hand; who sees what a seat knew has the rest dealt anew."""
        if not self.cursor.frame.asked:
            self._moved("the match is over there: go on from a moment before")
        elif self.cursor.seat is None:
            self._tell_command(f"play {self._from()}")
        else:
            self._tell_command(f"play {self._from()} --seat {self.cursor.seat} --redeal")

    def _from(self) -> str:
        """Return the options that name the question of the frame."""
        (first, *_) = self.replay.positions[self.cursor.frame.position].steps
        return f"--from {self.replay.match.id} --move {first.ply}"

    def _tell_command(self, words: str) -> None:
        line = f"arena {words}{self._options}"
        self.copy_to_clipboard(line)
        self._moved(f"copied: {line}")
        if self._status().cell_len > self.size.width:
            self.push_screen(TextOverlay("Copied", line))

    def action_printed(self) -> None:
        """Show what the bot of the chosen seat printed."""
        seat = self.cursor.chosen if self.cursor.seat is None else self.cursor.seat
        output = self.replay.match.outputs.get(seat)
        text = output.text if output else ""
        left = "\n(not all was kept)" if output and output.truncated else ""
        told = (text.rstrip() or "nothing that is shown here") + left
        self.push_screen(TextOverlay(f"What the bot of seat {seat} printed", told, last=True))

    def action_keys(self) -> None:
        """Show what the keys do."""
        width = max(len(keys) for keys, _ in TERMINAL)
        self.push_screen(TextOverlay("Keys", "\n".join(f"{keys:{width}}  {meaning}" for keys, meaning in TERMINAL)))
