"""Near-copies among bots, by the fingerprints of their source files.

Winnowing: S. Schleimer, D. S. Wilkerson and A. Aiken, "Winnowing: Local Algorithms for Document Fingerprinting",
SIGMOD 2003. Each file becomes tokens without comments, blanks and names; of the hashes of all runs of GRAM tokens the
least of every WINDOW consecutive ones is kept. So a passage of GRAM + WINDOW - 1 tokens that two bots share is found
wherever it lies, and one of fewer than GRAM tokens never is.

Left out is what arena gives to everybody (templates and sample bots), vendored and generated files, and what occurs in
the bots of more than COMMON owners, as Moss does by default (https://theory.stanford.edu/~aiken/moss/): what a course
handed out.
"""

import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path, PurePosixPath

import arena.bots.templates
from arena.bots.templates.project import SAMPLES_FOLDER
from arena.packs.left_out import JUNK, PRODUCTS
from arena.packs.pack import Pack

GRAM = 16
"""Tokens of a run: a shorter passage says nothing."""

WINDOW = 8
"""Consecutive runs of which one is kept."""

COMMON = 10
"""Owners who may share a passage; one that more have is the course's."""

LEAST = 15
"""Fingerprints of its own that a bot must have to be compared: some forty lines."""

NEAR = 0.5
"""The share of common fingerprints from which two bots are near-copies."""

MOST_CHARACTERS = 2 * 1024**2
"""Characters of source that are read of a bot."""

_VENDORED = JUNK | PRODUCTS | {"vendor", "node_modules", "third_party", "generated", "gen", "protos"}
_GENERATED = re.compile(r".*(_pb2(_grpc)?\.pyi?|\.pb\.(go|h|cc)|_pb\.(js|ts|d\.ts)|\.min\.js)")

_STRINGS = r""""(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?"""
_REST = r"[^\W\d]\w*|\d[\w.]*|[^\w\s]"
_SLASHES = re.compile(
    rf"(?P<comment>//[^\n]*|/\*(?:.*?\*/|.*))|(?P<string>{_STRINGS}|`[^`]*`?)|(?P<rest>{_REST})", re.DOTALL
)
_HASHES = re.compile(
    r'(?P<comment>#[^\n]*|"""(?:.*?"""|.*)|' rf"'''(?:.*?'''|.*))|(?P<string>{_STRINGS})|(?P<rest>{_REST})", re.DOTALL
)
_DASHES = re.compile(rf"(?P<comment>--\[\[(?:.*?\]\]|.*)|--[^\n]*)|(?P<string>{_STRINGS})|(?P<rest>{_REST})", re.DOTALL)
_LEXERS = {
    _SLASHES: "c cc cpp cs cxx d dart go h hh hpp hxx java js jsx kt kts cjs mjs php rs scala swift ts tsx zig",
    _HASHES: "ex exs jl nim pl py r rb sh",
    _DASHES: "adb ads elm hs lua",
}
"""The tokens of each kind of language, in time linear in the text: files are not trusted, and regular expressions of
syntax highlighters are not linear."""

_LEXER = {ending: lexer for lexer, endings in _LEXERS.items() for ending in endings.split()}

_KEYWORDS = frozenset({
    "and", "as", "async", "await", "break", "case", "catch", "class", "const", "continue", "def", "default", "defer",
    "del", "do", "elif", "else", "end", "enum", "except", "extends", "false", "finally", "fn", "for", "foreach", "from",
    "func", "function", "go", "if", "impl", "import", "in", "interface", "is", "lambda", "let", "loop", "match", "mod",
    "new", "nil", "none", "not", "null", "or", "package", "pass", "pub", "raise", "range", "return", "select", "self",
    "static", "struct", "super", "switch", "then", "this", "throw", "trait", "true", "try", "type", "union", "use",
    "var", "void", "while", "with", "yield",
})  # fmt: skip
"""Words that keep their meaning: those of common languages together."""

_PRIME = (1 << 61) - 1
_BASE = 1_000_003
_LEADING = pow(_BASE, GRAM - 1, _PRIME)


@dataclass(frozen=True, slots=True)
class SourcePrint:
    """What is compared of a bot."""

    sha256: str
    """The SHA-256 of all its files, in hex."""
    marks: frozenset[int]
    """The fingerprints of its sources."""
    is_readable: bool
    """Whether there are any sources."""


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two bots that have much in common."""

    bots: tuple[str, str]
    share: float
    """The share of the fingerprints of the smaller bot that both have, from 0 to 1."""
    is_identical: bool
    """Whether all their files are the same."""

    @property
    def sentence(self) -> str:
        """The finding in words."""
        one, other = self.bots
        if self.is_identical:
            return f"{one} and {other} have the same files"
        return f"{one} and {other} share {self.share:.0%} of their source"


def source_print(pack: Pack) -> SourcePrint:
    """Return what is compared of a bot.

    pack: its files as submitted.
    """
    marks: set[int] = set()
    room, is_readable = MOST_CHARACTERS, False
    for file in pack.files:
        lexer = _lexer(file.path)
        if lexer is not None and room > 0:
            is_readable = True
            text = file.content[:room].decode(errors="replace")
            room -= len(file.content)
            marks |= _marks(lexer, text)
    return SourcePrint(pack.sha256, frozenset(marks - shipped_marks()), is_readable)


def near_copies(
    bots: Mapping[str, SourcePrint], owners: Mapping[str, str], among: Iterable[str], near: float = NEAR
) -> list[NearCopy]:
    """Return the pairs of bots of different owners that are near-copies, the most similar first.

    bots: what is compared of each bot, by its name.
    owners: the owner of each bot, by its name.
    among: the names of the bots of which one must be in each pair.
    near: the least share.
    """
    holders: Counter[int] = Counter()
    for owner in set(owners.values()):
        holders.update(frozenset[int]().union(*(bots[name].marks for name in bots if owners[name] == owner)))
    common = {mark for mark, count in holders.items() if count > COMMON}
    own = {name: bot.marks - common for name, bot in bots.items()}
    new = set(among)
    found = []
    for one, other in combinations(sorted(bots), 2):
        if owners[one] == owners[other] or new.isdisjoint((one, other)):
            continue
        least = min(len(own[one]), len(own[other]))
        is_identical = bots[one].sha256 == bots[other].sha256
        if is_identical and (least >= LEAST or not bots[one].is_readable):
            found.append(NearCopy((one, other), 1.0, True))
        elif least >= LEAST and (share := len(own[one] & own[other]) / least) >= near:
            found.append(NearCopy((one, other), share, False))
    return sorted(found, key=lambda pair: (-pair.share, pair.bots))


@cache
def shipped_marks() -> frozenset[int]:
    """Return the fingerprints of what arena gives to everybody: templates of projects, and sample bots."""
    marks: set[int] = set()
    for folder in (Path(arena.bots.templates.__file__).parent, SAMPLES_FOLDER):
        for path in _files(folder):
            name = path.name.removesuffix(".tmpl")
            if (lexer := _lexer(name)) is not None:
                text = path.read_text(errors="replace")
                # A placeholder of a template stands for a name.
                marks |= _marks(lexer, re.sub(r"\$\{?(\w+)\}?", r"\1", text) if name != path.name else text)
    return frozenset(marks)


def _files(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - _VENDORED)
        yield from (Path(parent, name) for name in names)


def _lexer(path: str) -> "re.Pattern[str] | None":
    """Return how a file of a pack is read; None if it is no source of the bot's author."""
    inside = PurePosixPath(path)
    if not _VENDORED.isdisjoint(inside.parts[:-1]) or _GENERATED.fullmatch(inside.name):
        return None
    return _LEXER.get(inside.suffix.removeprefix(".").lower())


def _marks(lexer: "re.Pattern[str]", text: str) -> set[int]:
    """Return the fingerprints of a text: the least of every WINDOW consecutive hashes of runs of GRAM tokens."""
    hashes = list(_hashes([_value(match) for match in lexer.finditer(text) if match.lastgroup != "comment"]))
    return {min(hashes[place : place + WINDOW]) for place in range(max(len(hashes) - WINDOW + 1, min(1, len(hashes))))}


def _value(match: "re.Match[str]") -> int:
    """Return the number of a token: one for all names, one for all texts, one for all numbers."""
    if match.lastgroup == "string":
        return 1
    word = match[0]
    if word[0].isdigit():
        return 2
    if (word[0].isalpha() or word[0] == "_") and word.lower() not in _KEYWORDS:
        return 3
    return zlib.crc32(word.lower().encode())


def _hashes(tokens: list[int]) -> Iterator[int]:
    """Yield the hash of each run of GRAM tokens, by the method of Karp and Rabin."""
    value = 0
    for place, token in enumerate(tokens):
        if place >= GRAM:
            value -= tokens[place - GRAM] * _LEADING
        value = (value * _BASE + token) % _PRIME
        if place >= GRAM - 1:
            yield value
