"""Take pictures of every face in three sizes and both themes, to look at: cards, dice, chips and tokens.

    python -m tools.contact_sheet FOLDER [TOUR]

Writes sizes-light.png, sizes-dark.png, and cards.jpg, which docs/viewer.md shows and which is put into the folder TOUR
as well.
"""

import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from arena.replay import static
from arena.replay.games.items import BACK, IN_ABRUZZO, cuckoo_card
from arena.replay.games.perudo import die
from arena.replay.games.scopa import SUITS, card
from arena.replay.html import Element, document, drawing, raw, tag
from arena.replay.json_values import json_value
from arena.replay.scene import TableItem

CUCKOO = [cuckoo_card(number) for number in range(15, -5, -1)]
ABRUZZO = [cuckoo_card(number, abruzzo=True) for number in IN_ABRUZZO]
ITALIAN = [card(f"{suit}{value}") for suit in SUITS for value in range(1, 11)]
PIECES = [
    *(BACK, *map(die, range(1, 7)), TableItem("cup", name="hidden die")),
    *(TableItem("token", name="token"), TableItem("chips", "12")),
]
FACES = [*CUCKOO, *ABRUZZO, *ITALIAN, *PIECES]
"""An item for each face that the renderers produce."""

Rows: TypeAlias = Sequence[tuple[Sequence[TableItem], int]]
"""Items, and the width of a card in pixels."""

Theme: TypeAlias = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")

SHOW = """
for (const row of document.querySelectorAll("[data-items]")) {
  row.append(...JSON.parse(row.dataset.items).map(Faces.face));
}
"""


def main(folder: Path, tour: Path | None = None) -> None:
    """Take the pictures.

    tour: where to put the one that the documents show.
    """
    from playwright.sync_api import sync_playwright  # tests without a browser use the faces

    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
    sizes = [(FACES, 200), (FACES, 48), (FACES, 24)]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments) as browser,
    ):
        for theme in THEMES:
            take(browser, folder / f"sizes-{theme}.png", theme, sizes, 2200)
        take(browser, folder / "cards.jpg", "light", [(row, 58) for row in rows()], 670)
    if tour is not None:
        shutil.copy(folder / "cards.jpg", tour)


def rows() -> list[list[TableItem]]:
    """Return all faces, as docs/viewer.md shows them."""
    suits = [ITALIAN[first : first + 10] for first in range(0, len(ITALIAN), 10)]
    return [CUCKOO[:10], CUCKOO[10:], [*ABRUZZO, *PIECES], *suits]


def take(browser: Any, file: Path, theme: Theme, shown: Rows, width: int) -> None:
    """Take one picture.

    width: its width in pixels.
    """
    page = browser.new_page(viewport={"width": width, "height": 400}, color_scheme=theme)
    page.set_content(sheet(shown))
    page.locator("body").screenshot(path=file, quality=80 if file.suffix == ".jpg" else None)
    page.close()
    print(file)


def sheet(shown: Rows) -> str:
    """Return a page with rows of items."""
    sizes = "".join(f".w{width} {{ --item: {width}px; }}" for _, width in shown)
    own = f"""
        body {{ background: var(--felt); color: var(--felt-ink); padding: 1em; }}
        .shown {{ display: flex; flex-wrap: wrap; align-items: end; gap: .4em; margin-bottom: .6em; }}
        {sizes}"""
    style = "\n".join([*map(static.text, static.STYLES), own])
    return document(
        (raw("style", {}, style),),
        (
            [drawing(static.text(name)) for name in static.ART],
            [_row(items, width) for items, width in shown],
            raw("script", {}, "\n".join([*map(static.text, ("words.js", "dom.js", "faces.js")), SHOW])),
        ),
    )


def _row(items: Sequence[TableItem], width: int) -> Element:
    return tag("div", {"class": f"shown w{width}", "data-items": json.dumps([json_value(item) for item in items])})


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
