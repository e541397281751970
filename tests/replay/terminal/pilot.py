"""The viewer without a terminal: the text on its screen, and keys pressed by Textual's pilot."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from arena.replay.replay import Replay
from arena.replay.terminal.app import Viewer

SMALL, WIDE = (80, 24), (140, 40)


def shown(viewer: Viewer) -> str:
    """Return the text on the screen."""
    return "\n".join(strip.text.rstrip() for strip in viewer.screen._compositor.render_strips())


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys and wait until the screen is drawn."""
    await pilot.press(*("space" if key == " " else key for key in keys))
    await pilot.pause()


def viewed(
    film: Replay,
    use: Callable[[Viewer, Pilot[None]], Awaitable[None]],
    *,
    size: tuple[int, int] = SMALL,
    number: int = 0,
    seat: int | None = None,
    options: str = "",
) -> None:
    """Open a replay in the viewer and run `use` on it."""

    async def run() -> None:
        viewer = Viewer(film, number, seat, options)
        async with viewer.run_test(size=size) as pilot:
            await pilot.pause()
            await use(viewer, pilot)

    asyncio.run(run())
