"""`python -m tools.protocol_page`: the comments of all protos as one Markdown page, docs/protocol.md.

The protos are parsed as text, as compiled messages have no comments. Only the style of our protos is accepted: one
declaration per line with its comment above. Anything else is an error, and so is a missing comment.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arena.bots.templates.project import protos_folder

_HEAD = """\
# The protocol

Made from the comments in [protos](../protos/referee/v1) by `make docs`. [bots.md](bots.md) tells how a bot uses it;
`arena games GAME --view` prints the view of one game.
"""

_FIRST, _LAST = ("play", "model"), ("work", "archive")
"""The protocol of bots and of the model server come first, then the views of games, then files that bots do not use."""

_BLOCK = re.compile(r"(message|enum|service|oneof) (\w+) \{")
_FIELD = re.compile(r"((?:repeated |optional )?(?:map<\w+, [\w.]+>|[\w.]+)) (\w+) = (\d+);")
_VALUE = re.compile(r"(\w+) = (\d+);")
_METHOD = re.compile(r"rpc (\w+)\((.*?)\) returns \((.*?)\);")
_PASSED_OVER = re.compile(r"syntax = .*|package .*|import .*|reserved .*|option .*")


@dataclass
class Block:
    """A message, an enum, a service or a oneof of a proto."""

    kind: str
    """One of "message", "enum", "service" and "oneof"."""
    name: str
    """Its name, after those of the messages around it."""
    comment: str
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    """What it declares: name, number, type and comment of each; the type of the fields of a oneof says so."""
    below: list["Block"] = field(default_factory=list)
    """The blocks inside it, except oneofs."""


class UnknownLine(Exception):
    """A line of a proto file that this module cannot parse, or that has no comment."""


def page(folder: Path | None = None) -> str:
    """Return the whole page, of the protos in `folder`. Raises UnknownLine."""
    files = {path.stem: read(path.read_text(), path.name) for path in sorted((folder or _protos()).glob("*.proto"))}
    order = [*_FIRST, *(name for name in files if name not in (*_FIRST, *_LAST)), *_LAST]
    linkable = {block.name for _, blocks in files.values() for block in _all(blocks)}
    parts = [_HEAD]
    for name in order:
        about, blocks = files[name]
        parts.append(f"\n## {name}.proto\n" + (f"\n{about}\n" if about else ""))
        parts += [_section(block, linkable) for block in _all(blocks)]
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
        text_above = _paragraphs(comment)
        if line == "}":
            open_blocks.pop()
        elif _PASSED_OVER.fullmatch(line) or not line:
            if text_above and not open_blocks:
                about = "\n\n".join(filter(None, [about, text_above]))
        elif not text_above:
            raise UnknownLine(f"{where}, line {number}: it has no comment: {line}")
        elif match := _BLOCK.fullmatch(line):
            kind, name = match.groups()
            if kind == "oneof":
                open_blocks[-1].rows.append((name, "", "one of those below", text_above))
                open_blocks.append(open_blocks[-1])
            else:
                within = open_blocks[-1] if open_blocks else None
                block = Block(kind, f"{within.name}.{name}" if within else name, text_above)
                (within.below if within else blocks).append(block)
                open_blocks.append(block)
        elif row := _row(line, text_above):
            open_blocks[-1].rows.append(row)
        else:
            raise UnknownLine(f"{where}, line {number}: it is not read: {line}")
        comment = []
    return about, blocks


def _row(line: str, text_above: str) -> tuple[str, str, str, str] | None:
    if match := _FIELD.fullmatch(line):
        return match[2], match[3], match[1], text_above
    if match := _VALUE.fullmatch(line):
        return match[1], match[2], "", text_above
    if match := _METHOD.fullmatch(line):
        return match[1], "", f"{match[2]} → {match[3]}", text_above
    return None


def _paragraphs(comment: list[str]) -> str:
    return "\n\n".join(" ".join(part.split("\n")) for part in "\n".join(comment).split("\n\n") if part)


def _all(blocks: list[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _all(block.below)


def _section(block: Block, linkable: set[str]) -> str:
    lines = [f"\n### {block.name}\n", f"\n{block.comment}\n"]
    if block.rows:
        heads = {"message": "| field | no. | type | |", "enum": "| value | no. | |", "service": "| method | | |"}
        head = heads[block.kind]
        lines.append(f"\n{head}\n|{' --- |' * (head.count('|') - 1)}\n")
        for name, number, kind, text_above in block.rows:
            cells = {"message": (number, _linked(kind, block.name, linkable)), "enum": (number,)}
            shown = cells.get(block.kind, (_linked(kind, block.name, linkable),))
            lines.append(" | ".join([f"| `{name}`", *shown, " ".join(text_above.split()).replace("|", "\\|")]) + " |\n")
    return "".join(lines)


def _linked(kind: str, within: str, linkable: set[str]) -> str:
    """Return a type with links to the messages and enums in it."""

    def link(match: re.Match[str]) -> str:
        for name in (f"{within}.{match[0]}", match[0]):
            if name in linkable:
                return f"[{match[0]}](#{_anchor(name)})"
        return match[0]

    return re.sub(r"[A-Z]\w*", link, kind).replace("<", "&lt;").replace(">", "&gt;")


def _anchor(name: str) -> str:
    """Return the anchor that Markdown viewers give to the heading of a block."""
    return name.replace(".", "").lower()


if __name__ == "__main__":
    try:
        print(page(), end="")
    except UnknownLine as error:
        sys.exit(str(error))
