"""`python -m arena.cli.protocol_page`: the comments of all protos as one Markdown page, docs/protocol.md.

The protos are read as text: compiled messages have lost their comments. What is read is the plain style that they are
written in, one declaration to a line with its comment above; anything else is an error, and so is a missing comment.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arena.cli.output import echo
from arena.templates.project import protos_folder

_HEAD = """\
# The protocol

Made from the comments in [protos](../protos/referee/v1) by `make docs`. [bots.md](bots.md) tells how a bot uses it;
`arena games GAME --view` prints the view of one game.
"""

_FIRST, _LAST = ("play",), ("work", "archive")
"""The files that bots speak come first, then the views of games, then what bots have no part in."""

_BLOCK = re.compile(r"(message|enum|service|oneof) (\w+) \{")
_FIELD = re.compile(r"((?:repeated |optional )?(?:map<\w+, [\w.]+>|[\w.]+)) (\w+) = (\d+);")
_VALUE = re.compile(r"(\w+) = (\d+);")
_METHOD = re.compile(r"rpc (\w+)\((.*?)\) returns \((.*?)\);")
_PASSED_OVER = re.compile(r"syntax = .*|package .*|import .*|reserved .*|option .*")


@dataclass
class Block:
    """A message, an enum, a service or a oneof.

    kind: one of these words. name: with those of the messages around it. rows: what it declares: name, number, type and
    comment; of the fields of a oneof the type says so. below: the blocks inside, but for oneofs.
    """

    kind: str
    name: str
    comment: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    below: list["Block"] = field(default_factory=list)


class UnknownLine(Exception):
    """A line of a proto file is none that this module reads, or has no comment."""


def page(folder: Path | None = None) -> str:
    """Return the whole page, of the protos in `folder`. Raises UnknownLine."""
    files = {path.stem: read(path.read_text(), path.name) for path in sorted((folder or _protos()).glob("*.proto"))}
    order = [*_FIRST, *(name for name in files if name not in (*_FIRST, *_LAST)), *_LAST]
    known = {block.name for _, blocks in files.values() for block in _all(blocks)}
    parts = [_HEAD]
    for name in order:
        about, blocks = files[name]
        parts.append(f"\n## {name}.proto\n" + (f"\n{about}\n" if about else ""))
        parts += [_section(block, known) for block in _all(blocks)]
    return "".join(parts)


def _protos() -> Path:
    return protos_folder() / "referee" / "v1"


def read(text: str, where: str) -> tuple[str, list[Block]]:
    """Return what a proto file says of itself, and its blocks. Raises UnknownLine with `where`, the file's name."""
    about = ""
    comment: list[str] = []
    blocks: list[Block] = []
    open_blocks: list[Block] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line.startswith("//"):
            comment.append(line[2:].strip())
            continue
        told = _paragraphs(comment)
        if line == "}":
            open_blocks.pop()
        elif _PASSED_OVER.fullmatch(line) or not line:
            if told and not open_blocks:
                about = "\n\n".join(filter(None, [about, told]))
        elif not told:
            raise UnknownLine(f"{where}, line {number}: it has no comment: {line}")
        elif found := _BLOCK.fullmatch(line):
            kind, name = found.groups()
            if kind == "oneof":
                open_blocks[-1].rows.append((name, "", "one of those below", told))
                open_blocks.append(open_blocks[-1])
            else:
                within = open_blocks[-1] if open_blocks else None
                block = Block(kind, f"{within.name}.{name}" if within else name, told)
                (within.below if within else blocks).append(block)
                open_blocks.append(block)
        elif row := _row(line, told):
            open_blocks[-1].rows.append(row)
        else:
            raise UnknownLine(f"{where}, line {number}: it is not read: {line}")
        comment = []
    return about, blocks


def _row(line: str, told: str) -> tuple[str, str, str, str] | None:
    if found := _FIELD.fullmatch(line):
        return found[2], found[3], found[1], told
    if found := _VALUE.fullmatch(line):
        return found[1], found[2], "", told
    if found := _METHOD.fullmatch(line):
        return found[1], "", f"{found[2]} → {found[3]}", told
    return None


def _paragraphs(comment: list[str]) -> str:
    return "\n\n".join(" ".join(part.split("\n")) for part in "\n".join(comment).split("\n\n") if part)


def _all(blocks: list[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _all(block.below)


def _section(block: Block, known: set[str]) -> str:
    lines = [f"\n### {block.name}\n", f"\n{block.comment}\n"]
    if block.rows:
        heads = {"message": "| field | no. | type | |", "enum": "| value | no. | |", "service": "| method | | |"}
        head = heads[block.kind]
        lines.append(f"\n{head}\n|{' --- |' * (head.count('|') - 1)}\n")
        for name, number, kind, told in block.rows:
            cells = {"message": (number, _linked(kind, block.name, known)), "enum": (number,)}
            shown = cells.get(block.kind, (_linked(kind, block.name, known),))
            lines.append(" | ".join([f"| `{name}`", *shown, " ".join(told.split()).replace("|", "\\|")]) + " |\n")
    return "".join(lines)


def _linked(kind: str, within: str, known: set[str]) -> str:
    """Return a type with links to the messages and enums in it."""

    def link(found: re.Match[str]) -> str:
        for name in (f"{within}.{found[0]}", found[0]):
            if name in known:
                return f"[{found[0]}](#{_anchor(name)})"
        return found[0]

    return re.sub(r"[A-Z]\w*", link, kind).replace("<", "&lt;").replace(">", "&gt;")


def _anchor(name: str) -> str:
    """Return the anchor that Markdown viewers give to the heading of a block."""
    return name.replace(".", "").lower()


if __name__ == "__main__":
    try:
        echo(page(), nl=False)
    except UnknownLine as error:
        sys.exit(str(error))
