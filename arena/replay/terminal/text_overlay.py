"""A scrollable text over the screen, until a key closes it."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class TextOverlay(ModalScreen[None]):
    """A title and a text, which is not interpreted as markup."""

    CSS = """
    TextOverlay { align: center middle; }
    TextOverlay VerticalScroll { width: 90%; height: auto; max-height: 90%; padding: 0 1; }
    TextOverlay VerticalScroll { border: round $accent; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,p,question_mark,enter,space", "dismiss")]

    def __init__(self, title: str, text: str, *, last: bool = False) -> None:
        """Create the overlay.

        last: whether to show the end of a long text first.
        """
        super().__init__()
        self._title = title
        self._text = text
        self._last = last

    def compose(self) -> ComposeResult:
        """Return the text in a border."""
        with VerticalScroll() as scroll:
            scroll.border_title = Text(self._title).plain
            yield Static(Text(self._text))

    def on_mount(self) -> None:
        """Focus the text, so that keys scroll it."""
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self._last:
            scroll.scroll_end(animate=False)
