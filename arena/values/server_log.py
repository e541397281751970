"""The log of a server: one line per event, as sentences for people or as JSON for programs.

Code that serves calls `log_event`, or says a `Notice` where commands print what people should read. Nothing is written
before `configure`, so commands that are no servers stay quiet.
"""

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal, Self, TextIO

from arena.values.texts import printable

LOGGER = logging.getLogger("arena.server")
LOGGER.addHandler(logging.NullHandler())  # or warnings would go to stderr, without `configure`
LOGGER.propagate = False

LogFormat = Literal["text", "json"]

FIELDS = ("league", "batch", "hand_in", "account")
"""What an event may concern: names of leagues and accounts, numbers of batches and hand-ins."""

MOST_CHARACTERS = 8000
"""Of a message or a traceback: a line stays shorter than what journals split."""


class Notice(str):
    """A sentence for people that is an event of the log, too.

    event, level: as in `log_event`.
    """

    event: str
    level: int
    fields: Mapping[str, str | int]
    """What the event concerns, by the names in `FIELDS`."""

    def __new__(cls, sentence: str, event: str, *, level: int = logging.WARNING, **fields: str | int) -> Self:
        notice = super().__new__(cls, sentence)
        notice.event, notice.level, notice.fields = event, level, fields
        return notice


def log_event(event: str, sentence: str, *, level: int = logging.INFO, **fields: str | int) -> None:
    """Log an event.

    event: its kind, a few words joined by "_".
    fields: what it concerns, by the names in `FIELDS`.
    """
    LOGGER.log(level, sentence, extra={"event": event, "fields": fields})


def log_line(line: str) -> None:
    """Log what people should read; a `Notice` with its fields."""
    if isinstance(line, Notice):
        log_event(line.event, str(line), level=line.level, **line.fields)
    else:
        log_event("notice", line, level=logging.WARNING)


def report_bug(error: BaseException) -> None:
    """Log an exception that nobody raised on purpose, with its traceback; on stderr where there is no log."""
    if _is_configured():
        LOGGER.error("a mistake of arena: %r", error, exc_info=error, extra={"event": "bug", "fields": {}})
    else:
        traceback.print_exception(error)


def report_trouble(error: BaseException) -> None:
    """Log an error that may pass, such as a database that cannot be used now; on stderr where there is no log."""
    if _is_configured():
        log_event("trouble", str(error), level=logging.WARNING)
    else:
        print(printable(str(error)), file=sys.stderr)


def log_format() -> LogFormat | None:
    """Return the format of the log, for a process that is started; None where there is no log."""
    formatters = [handler.formatter for handler in LOGGER.handlers]
    if any(isinstance(formatter, _JsonLines) for formatter in formatters):
        return "json"
    return "text" if any(isinstance(formatter, _Sentences) for formatter in formatters) else None


def _is_configured() -> bool:
    return log_format() is not None


def configure(format: LogFormat, stream: TextIO | None = None) -> None:
    """Write the log to a stream, stderr by default."""
    handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(_JsonLines() if format == "json" else _Sentences())
    handler.setLevel(logging.INFO)
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.DEBUG)


class _Sentences(logging.Formatter):
    """The sentence alone: a journal adds the time."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text = "".join(traceback.format_exception(record.exc_info[1])).rstrip()
        return printable(text)


class _JsonLines(logging.Formatter):
    """One JSON object per event."""

    def format(self, record: logging.LogRecord) -> str:
        values: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "notice"),
            "message": printable(record.getMessage(), "")[:MOST_CHARACTERS],
        }
        fields: Mapping[str, str | int] = getattr(record, "fields", {})
        shown = {name: fields[name] for name in FIELDS if fields.get(name)}
        values |= {name: printable(value, "") if isinstance(value, str) else value for name, value in shown.items()}
        if record.exc_info and record.exc_info[1] is not None:
            text = "".join(traceback.format_exception(record.exc_info[1]))
            values["traceback"] = printable(text)[-MOST_CHARACTERS:]
        return json.dumps(values)
