"""The keys of a table of TOML, read one by one. What is wrong is told with the key and what it may be."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from arena.durations import parse_duration
from arena.eventfile.errors import EventError
from referee.engine.near import did_you_mean

Word = TypeVar("Word", bound=str)


class Table:
    """A table; where: the file. path: how the table is called in it, such as "schedule" or "bot[2]"; "" at the top."""

    def __init__(self, values: Mapping[str, Any], where: str, path: str = "") -> None:
        self._values = values
        self._where = where
        self._path = path

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def known(self, keys: Sequence[str]) -> None:
        """Raise EventError for the first key that is none of these."""
        for key in self._values:
            if key not in keys:
                hint = did_you_mean(key, keys)
                raise EventError(f'{self._where}: there is no key "{self._named(key)}"{hint} (keys: {", ".join(keys)})')

    def wrong(self, key: str, what: str) -> EventError:
        """Return the error that a key is not what it may be; what: it may be."""
        told = f", not {json.dumps(self._values[key], default=str, ensure_ascii=False)}" if key in self._values else ""
        return EventError(f"{self._where}: {self._named(key)} {what}{told}")

    def table(self, key: str) -> "Table":
        """Return the table below a key; an empty one where there is none."""
        values = self._values.get(key, {})
        if not isinstance(values, dict):
            raise self.wrong(key, f"is a table: a line [{key}] and its keys below it")
        return Table(values, self._where, self._named(key))

    def tables(self, key: str) -> list["Table"]:
        """Return the tables of a list; none where there is no such key."""
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
            raise self.wrong(key, f"is a list of tables, each of which begins with a line [[{key}]]")
        return [Table(each, self._where, f"{self._named(key)}[{number}]") for number, each in enumerate(values, 1)]

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text that is not empty; without a default it must be there."""
        value = self._values.get(key, default)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(key, "is a text" if key in self else "is missing: it is a text")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; none where there is no such key."""
        values = self._values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise self.wrong(key, 'is a list of texts, like ["./bot", "--fast"]')
        return tuple(values)

    def word(self, key: str, words: Sequence[Word], default: Word) -> Word:
        """Return one of several words."""
        value = self._values.get(key, default)
        for word in words:
            if value == word:
                return word
        raise self.wrong(key, f"is one of {', '.join(words)}")

    def flag(self, key: str) -> bool:
        """Return a truth value; false where it is missing."""
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "is true or false")
        return value

    def whole(self, key: str, default: int, least: int = 0) -> int:
        """Return a whole number, `least` or more."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or (key in self and not least <= value < 2**31):
            raise self.wrong(key, f"is a whole number, {least} or more")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        """Return a number; without a default it must be there."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(key, "is a number" if key in self else "is missing: it is a number")
        return float(value)

    def duration(self, key: str, default: int) -> int:
        """Return a duration in milliseconds, written as "1s" or "50ms"."""
        if key not in self:
            return default
        try:
            return parse_duration(self.text(key))
        except ValueError:
            raise self.wrong(key, "is a duration, like 50ms, 1s, 1.5s or 2min") from None

    def options(self, key: str) -> dict[str, Any]:
        """Return the table below a key as values of texts, whole numbers and truth values."""
        values = self.table(key)._values
        for name, value in values.items():
            if not isinstance(value, str | int | bool):
                raise self.table(key).wrong(name, "is a text, a whole number, true or false")
        return dict(values)

    def _named(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key
