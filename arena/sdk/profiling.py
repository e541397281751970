"""Counts where a bot in Python spends the time of its answers, for `arena profile`.

The process prints the result as one line when it ends: confined as it is, it can write nowhere else.
"""

import json
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from cProfile import Profile
from typing import Any
from zlib import compress

from arena.sdk.message_codec import BotInterface, is_coroutine_function

MARK = "arena-profile "
"""What the line with the result begins with."""

MOST_CHARACTERS = 48 * 1024
"""The longest line: the last 64 KiB of a bot's output are kept."""

Place = tuple[str, int, str]
"""File, line and name of a function, as in `pstats`."""

Times = tuple[int, int, float, float, Any]
"""Of a function, as in `pstats`: calls that are not recursive, calls, seconds of its own, seconds in all, callers."""


@contextmanager
def profiling(bot: BotInterface) -> Iterator[None]:
    """Count the time of a bot's methods until the end of the block, then print it."""
    profile = Profile()
    for name in ("choose", "choose_all", "match_started"):
        method = getattr(bot, name)
        if name != "choose_all" or bot.answers_batches():
            setattr(bot, name, (_counted_coroutine if is_coroutine_function(method) else _counted)(profile, method))
    try:
        yield
    finally:
        profile.create_stats()
        print(MARK + encode(profile.stats), flush=True)


def _counted(profile: Profile, method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        profile.enable()
        try:
            return method(*arguments)
        finally:
            profile.disable()

    return call


def _counted_coroutine(profile: Profile, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def call(*arguments: Any) -> Any:
        profile.enable()
        try:
            return await method(*arguments)
        finally:
            profile.disable()

    return call


def encode(stats: Mapping[Place, Times]) -> str:
    """Return the times of functions as one word; those that take least are left out where it would be too long."""
    places = sorted(stats, key=lambda place: stats[place][2], reverse=True)
    while True:
        number = {place: index for index, place in enumerate(places)}
        rows = []
        for place in places:
            *times, callers = stats[place]
            rows.append([*place, *times, [[number[one], *called] for one, called in callers.items() if one in number]])
        text = b64encode(compress(json.dumps(rows, separators=(",", ":")).encode(), 9)).decode()
        if len(text) <= MOST_CHARACTERS or not places:
            return text
        del places[len(places) // 2 :]
