"""TOML files that people write, with typed access to their keys.

Every mistake is raised as the error class of the format that is read, in one sentence: the file, the line where it
can be told, the key in full (`bot[2].name`), what it must be and what it is.
"""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from referee.engine.near import did_you_mean

T = TypeVar("T")

_MOST_DOTS = 1000
"""In one line. tomllib takes time that grows with the square of the parts of a key: seconds for 30,000 of them."""

_DEEP = 100
"""Brackets in each other: no file has as many, and tomllib fails at some hundred."""

_LONG_NUMBER = re.compile(r"[\d_]{4301}")

_LINE = re.compile(r"""(?P<brackets>\[{0,2})\s*["']?(?P<name>[\w.-]+)["']?\s*[=\]]""")
"""A header ([schedule], [[bot]]) or a key with its value, on a line without its indentation."""

_LARGEST = 2**31 - 1

_MOST_SHOWN = 200
"""Characters of a wrong value that an error repeats."""


@dataclass(frozen=True, slots=True)
class _Source:
    """The file that a table is read from."""

    text: str
    name: str
    """The name of the file in errors; "" if whoever catches them names it."""
    error: type[Exception]
    """The class of the errors that are raised."""

    def place(self, path: str) -> str:
        """Return the beginning of an error about the key `path`: file and line, "" for a file without a name."""
        if not self.name:
            return ""
        numbers = _line_numbers(self.text)
        while path and path not in numbers:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return f"{self.name}, line {numbers[path]}: " if path else f"{self.name}: "


class TomlTable:
    """A table of a TOML file. All methods that read a key raise the error class of the file.

    values: as parsed.
    path: the full name of the table, such as "schedule" or "bot[2]"; "" at the top.
    """

    def __init__(self, values: Mapping[str, Any], source: _Source, path: str = "") -> None:
        self.values = values
        self.path = path
        self._source = source

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def mistake(self, key: str, problem: str) -> Exception:
        """Return the error about a key.

        problem: continues a sentence that begins with the key.
        """
        path = self.full_name(key)
        return self.error(path, f"{path} {problem}")

    def error(self, path: str, sentence: str) -> Exception:
        """Return the error about the key of a full name, with the line of it or of the table that it should be in."""
        return self._source.error(f"{self._source.place(path)}{sentence}")

    def mismatch(self, key: str, expected: str) -> Exception:
        """Return the error that a key is missing or is not what it must be.

        expected: what that is.
        """
        if key not in self:
            return self.mistake(key, f"is missing: it must be {expected}")
        return self.mistake(key, f"must be {expected}, not {shown_shortly(self.values[key])}")

    def full_name(self, key: str) -> str:
        """Return the name of a key with the table that it is in."""
        return f"{self.path}.{key}" if self.path else key

    def check_keys(self, known: Sequence[str]) -> None:
        """Refuse any key that is none of the known ones."""
        for key in self.values:
            if key not in known:
                path = self.full_name(key)
                hint = did_you_mean(key, known)
                raise self.error(path, f'unknown key "{cut(path)}"{hint} (known: {", ".join(known)})')

    def table(self, key: str) -> "TomlTable":
        """Return the table below a key; empty if it is absent."""
        values = self.values.get(key, {})
        if not isinstance(values, dict):
            raise self.mismatch(key, f"a table: a line [{self.full_name(key)}] with its keys below it")
        return TomlTable(values, self._source, self.full_name(key))

    def tables(self, key: str) -> list["TomlTable"]:
        """Return the tables of a list; none if it is absent."""
        values = self.values.get(key, [])
        if not isinstance(values, list) or not all(isinstance(item, dict) for item in values):
            raise self.mismatch(key, f"a list of tables, each below a line [[{self.full_name(key)}]]")
        path = self.full_name(key)
        return [TomlTable(item, self._source, f"{path}[{number}]") for number, item in enumerate(values, 1)]

    def text(self, key: str, default: str | None = None, *, may_be_empty: bool = False) -> str:
        """Return a text; without a default it is required."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.mismatch(key, "a text in quotes")
        if not may_be_empty and not value.strip():
            raise self.mistake(key, "must not be empty")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; empty if it is absent."""
        if not isinstance(self.values.get(key, []), list):
            raise self.mismatch(key, 'a list of texts, like ["one", "two"]')
        return self.items(key, (str,), "a text in quotes")

    def flag(self, key: str) -> bool:
        """Return true or false; false if it is absent."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.mismatch(key, "true or false")
        return value

    def integer(self, key: str, default: int | None = None, least: int | None = None) -> int:
        """Return a whole number; without a default it is required.

        least: a value is from there to 2^31 - 1, and the default may be less; None: any number is good.
        """
        value = self.values.get(key, default)
        if type(value) is not int:
            raise self.mismatch(key, "a whole number" if least is None else f"a whole number, {least} or more")
        if least is not None and key in self and not least <= value <= _LARGEST:
            raise self.mismatch(key, f"{least} or more" if value < least else f"at most {_LARGEST}")
        return value

    def items(self, key: str, types: tuple[type[T], ...], expected: str) -> tuple[T, ...]:
        """Return a list of values of some types; empty if it is absent.

        expected: what each item must be.
        """
        return self._items(self.values.get(key, []), types, expected, key)

    def lists(self, key: str, types: tuple[type[T], ...], expected: str) -> tuple[tuple[T, ...], ...]:
        """Return a list of lists of values of some types; empty if it is absent.

        expected: what each item must be.
        """
        lists = self.items(key, (list,), "a list")
        return tuple(self._items(values, types, expected, f"{key}[{number}]") for number, values in enumerate(lists, 1))

    def _items(self, values: Any, types: tuple[type[T], ...], expected: str, key: str) -> tuple[T, ...]:
        if not isinstance(values, list):
            raise self.mismatch(key, "a list")
        for number, value in enumerate(values, 1):
            if type(value) not in types:
                raise self.mistake(f"{key}[{number}]", f"must be {expected}, not {shown_shortly(value)}")
        return tuple(values)


def read_table(text: str | bytes, error: type[Exception], name: str = "") -> TomlTable:
    """Return the top table of a TOML file.

    text: with or without a byte order mark.
    error: the class to raise for every mistake in it.
    name: what errors call the file; "" if whoever catches them names it.
    """
    prefix = f"{name} is " if name else ""
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        text = text.removeprefix("\ufeff")
        return TomlTable(_parse(text), _Source(text, name, error))
    except UnicodeDecodeError as failure:
        line = failure.object.count(b"\n", 0, failure.start) + 1
        raise error(f"{prefix}not UTF-8 text (byte {failure.start}, in line {line})") from None
    except ValueError as failure:
        raise error(f"{prefix}not valid TOML: {failure}") from None


def shown(value: Any) -> str:
    """Return a value as text, close to how a file writes it."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python writes no longer numbers in decimal, but reads them in hexadecimal
        return "a number of more than 4,300 digits"
    except RecursionError:
        return "brackets in brackets"


def shown_shortly(value: Any) -> str:
    """Return the beginning of a value as text, for errors."""
    return cut(shown(value))


def cut(text: str) -> str:
    """Return the beginning of a text, for errors."""
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."


def _parse(text: str) -> dict[str, Any]:
    """Return the values in a text. Raises ValueError, with the place where there is one."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"more than {_MOST_DOTS:,} dots in line {number}")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"brackets are nested too deeply{_deepest(text)}") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # of Python, which reads no longer numbers
        lines = (number for number, line in enumerate(text.split("\n"), 1) if _LONG_NUMBER.search(line))
        raise ValueError(f"a number of more than 4,300 digits in line {next(lines, 1)}") from None


def _deepest(text: str) -> str:
    """Return the line in which brackets become too many, as the end of a sentence; brackets in texts count too."""
    depth = 0
    for number, line in enumerate(text.split("\n"), 1):
        opened = sum(map(line.count, "[{"))
        if depth + opened > _DEEP:
            return f" in line {number}"
        depth = max(depth + opened - sum(map(line.count, "]}")), 0)
    return ""


def _line_numbers(text: str) -> dict[str, int]:
    """Return the number of the first line that seems to hold each table and key, by full name.

    A key within a table on one line, or a quoted key with spaces, has none.
    """
    numbers: dict[str, int] = {}
    counts: Counter[str] = Counter()
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if (match := _LINE.match(line.lstrip())) is None:
            continue
        name = match["name"]
        if match["brackets"] == "[[":
            numbers.setdefault(name, number)
            counts[name] += 1
            name = table = f"{name}[{counts[name]}]"
        elif match["brackets"]:
            table = name
        elif table:
            name = f"{table}.{name}"
        numbers.setdefault(name, number)
    return numbers
