"""Messages: texts that carry what they were made of, until somebody reads them.

A message is its English text, so whatever is English takes it as it is. Where people of other languages read, its
`parts` are sent instead, `[id, args...]`, and the text is made of them in the reader's language. A text without
arguments is its own id, so a plain string is a message, too.
"""

from typing import Any, Self


class Message(str):
    """An English text with its id and arguments."""

    __slots__ = ("args", "id")

    id: str
    """The text with {0}, {1} ... where the arguments stand, by which catalogues know it."""
    args: tuple[object, ...]
    """Whole numbers and messages; any other text is the same in all languages, as what somebody said."""

    def __new__(cls, id: str, *args: object) -> Self:
        """Return the message of an id."""
        message = super().__new__(cls, id.format(*args))
        message.id, message.args = id, args
        return message

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Return the arguments with which a copy is made."""
        return (self.id, *self.args)


def counted(number: float | str, one: str, many: str, *values: object) -> Message:
    """Return a message that tells a number of things.

    number: how many they are.
    one, many: the id where they are one, and otherwise.
    values: the arguments of either.
    """
    return Message(one if float(number) == 1 else many, *values)


def parts(text: str) -> Any:
    """Return a text as JSON values, of which it can be made in any language.

    They are the text itself where it has no arguments, or an array of its id and its arguments: whole numbers, arrays
    for messages, and strings that stay as they are.
    """
    return [text.id, *map(_argument, text.args)] if isinstance(text, Message) and text.args else str(text)


def _argument(value: object) -> Any:
    return [value.id, *map(_argument, value.args)] if isinstance(value, Message) else value


def id_of(text: str) -> str:
    """Return the id of a text."""
    return text.id if isinstance(text, Message) else text


def arguments(text: str) -> tuple[Any, ...]:
    """Return the arguments of a text; none where it is its own id."""
    return text.args if isinstance(text, Message) else ()
