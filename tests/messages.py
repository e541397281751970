"""Texts as pages get them: messages of an id and its arguments (`arena.language.message.parts`), read in English."""

from typing import Any


def in_english(value: Any) -> Any:
    """Return JSON values of a page with texts in the place of messages."""
    if isinstance(value, dict):
        return {name: _of_seat(content) if name == "recent" else in_english(content) for name, content in value.items()}
    if isinstance(value, list):
        if value and isinstance(value[0], str) and "{0}" in value[0]:
            return value[0].format(*map(_argument, value[1:]))
        return [in_english(content) for content in value]
    return value


def _of_seat(recent: list[Any]) -> str:
    """Return what lines of the log say of a seat, without the seat."""
    return " · ".join([line[0].removeprefix("seat {0} ").format(*map(_argument, line[1:])) for line in recent[1:]])


def _argument(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return value[0].format(*map(_argument, value[1:]))
