"""Shapes and texts as markup. All texts are escaped here, and only here is markup written."""

from collections.abc import Iterable
from html import escape

FONT = (
    "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', 'DejaVu Sans', 'Noto Sans CJK KR', 'Noto Sans CJK JP', sans-serif"
)
MONOSPACE = "ui-monospace, 'Cascadia Mono', 'DejaVu Sans Mono', monospace"


def number(value: float) -> str:
    """Return a measure with one decimal at most."""
    return f"{round(value, 1):g}"


def attributes(values: dict[str, str | float | None]) -> str:
    """Return attributes; those that are None are left out."""
    return "".join(
        f' {name.replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for name, value in values.items()
        if value is not None
    )


class Canvas:
    """Markup that grows."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def __str__(self) -> str:
        return "".join(self._parts)

    def add(self, markup: str) -> None:
        """Add markup that this module wrote."""
        self._parts.append(markup)

    def shape(self, name: str, **values: str | float | None) -> None:
        """Add an element without content."""
        self._parts.append(f"<{name}{attributes(values)}/>")

    def text(self, x: float, y: float, words: str, size: float, fill: str, **values: str | float | None) -> None:
        """Add a text whose base line begins at a point; none for no words."""
        if words:
            shown = {"x": x, "y": y, "font_size": size, "fill": fill, **values}
            self._parts.append(f"<text{attributes(shown)}>{escape(words, quote=False)}</text>")

    def title(self, words: str) -> None:
        """Add what the picture is called."""
        self._parts.append(f"<title>{escape(words, quote=False)}</title>")

    def use(self, id: str, x: float, y: float, scale: float = 1) -> None:
        """Add a drawing at a point."""
        transform = f"translate({number(x)} {number(y)})" + ("" if scale == 1 else f" scale({scale:.4g})")
        self._parts.append(f"<use{attributes({'href': f'#{id}', 'transform': transform})}/>")


def group(content: Iterable[object], **values: str | float | None) -> str:
    """Return some markup as one element."""
    return f"<g{attributes(values)}>{''.join(map(str, content))}</g>"
