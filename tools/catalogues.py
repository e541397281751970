"""Bring the catalogues of messages up to date: python -m tools.catalogues [--check].

Messages are collected from the calls of `_` in Python and templates and of `t` in JavaScript, the lines, options,
titles and units of our games, the keys of the replay, and `arena.language.table_words`. With --check nothing is
written; the exit code is 1 where a message has no translation, or a file is not up to date.
"""

import dataclasses
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from arena.language.languages import ENGLISH, LANGUAGES
from arena.language.messages import numbered
from arena.language.table_words import WORDS, with_context
from arena.replay.keys import COMPARED, PAGE
from referee.engine.registry import installed

ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "arena" / "language" / "locale"
SOURCES = [("**.py", "python"), ("**.js", "javascript"), ("**.html", "jinja2")]
UNDATED = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in all catalogues: they change only with their messages."""

OPTIONS = {"**.js": {"parse_template_string": "true"}}
KEYWORDS = {"_": None, "t": None}
PLACES = (
    "arena/replay",
    "arena/server",
    "packages/botarena-insight/arena_insight",
    "packages/botarena-mail/arena_mail",
    "packages/botarena-share/arena_share",
)

Message = tuple[str | None, str]
"""A context, which is a game or "value", and a text."""


@cache
def messages() -> list[Message]:
    """Return all messages of the sources, each once."""
    return list(
        dict.fromkeys(
            (*_called(), *_of_games(), *((None, meaning) for _, meaning in (*PAGE, *COMPARED)), *_of_tables())
        )
    )


def _called() -> Iterator[Message]:
    for place in PLACES:
        found = extract_from_dir(str(ROOT / place), SOURCES, keywords=KEYWORDS, options_map=OPTIONS)
        for _, _, text, _, _ in sorted(found, key=lambda entry: (entry[0], entry[1])):
            yield None, text if isinstance(text, str) else text[0]


def _of_games() -> Iterator[Message]:
    games = [game for game in installed()[0] if type(game).__module__.startswith("referee.games.")]
    for game in games:
        yield from ((None, numbered(line.text)) for line in game.lines)
        yield from ((None, text) for text in (game.title, game.unit))
        for field in dataclasses.fields(game.options):
            yield None, field.metadata["help"]
            yield from ((None, words) for words in (field.metadata["choices"] or {}).values())


def _of_tables() -> Iterator[Message]:
    yield from map(with_context, WORDS)


def path(language: str) -> Path:
    """Return the file of a language's catalogue."""
    return LOCALE / language / "LC_MESSAGES" / "arena.po"


def read(language: str) -> Catalog:
    """Return the catalogue of a language as it is stored; an empty one where there is none."""
    if not path(language).exists():
        return Catalog(locale=language, fuzzy=False)
    with path(language).open("rb") as file:
        return read_po(file, locale=language)


def renewed(language: str) -> Catalog:
    """Return the catalogue of a language with all messages of the sources, and the translations that it has."""
    stored, catalogue = read(language), Catalog(locale=language, project="arena", version="", fuzzy=False)
    catalogue.creation_date = catalogue.revision_date = UNDATED
    for context, text in messages():
        known = stored.get(text, context)
        catalogue.add(text, str(known.string) if known else "", context=context)
    return catalogue


def as_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file to edit."""
    out = BytesIO()
    write_po(out, catalogue, width=120, no_location=True, omit_header=False)
    return out.getvalue()


def main() -> int:
    """Renew or check the catalogues; return the exit code."""
    is_check, wrong = "--check" in sys.argv[1:], 0
    for language in (code for code in LANGUAGES if code != ENGLISH):
        catalogue = renewed(language)
        missing = [message.id for message in catalogue if message.id and not message.string]
        for text in missing:
            print(f"{language}: no translation: {text}")
        file, content = path(language), as_text(catalogue)
        if is_check:
            wrong += not file.exists() or file.read_bytes() != content
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        wrong += is_check and bool(missing)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
