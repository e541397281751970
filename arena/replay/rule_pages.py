"""The pages of rules: their Markdown, and their HTML in sections that a question can point to."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from arena.replay.html import Element, rendered
from arena.values.errors import ArenaError
from referee.engine.game import Game

ENGLISH = "en"
UNSPACED = ("ja",)
"""Languages without spaces between words: lines are joined without one."""


class NoPage(ArenaError):
    """A game that has no page of rules."""


def page(game: Game, language: str = ENGLISH) -> tuple[str, str]:
    """Return the rules of a game as Markdown, and the language that they are in: English where there is no other.

    The pages of arena's own games are in its documents; a game from elsewhere has a file `rules.md`, or NAME.md in a
    folder `rules`, in the package of its class. Translations are in a folder of that language beside the page. Raises
    NoPage where there is none.
    """
    module = type(game).__module__
    package = module.rpartition(".")[0] or module
    if package == "referee.games":
        places = [_own_pages() / language / f"{game.name}.md", _own_pages() / f"{game.name}.md"]
    else:
        home = files(package)
        pages = [Path(str(home / "rules" / f"{game.name}.md")), Path(str(home / "rules.md"))]
        places = [*(place.parent / language / place.name for place in pages), *pages]
    for number, place in enumerate(places):
        if place.is_file():
            return place.read_text("utf-8"), language if number < len(places) / 2 else ENGLISH
    raise NoPage(
        f"{game.name} comes without a page of rules (rules.md in {package}); "
        f"see its options and moves with: arena games {game.name}"
    )


def _own_pages() -> Path:
    """Return the folder of our pages: inside the installed package, or among the documents of a checkout."""
    package = Path(str(files("arena")))
    inside = package / "rules"
    return inside if inside.is_dir() else package.parent / "docs" / "rules"


@lru_cache(64)
def sections(game: Game) -> Mapping[str, str]:
    """Return the ids of the sections of a page by their English headings, in order. Raises NoPage."""
    return {heading: section_id(game.name, heading) for heading in _headings(page(game)[0])[1:]}


def section_id(game: str, heading: str) -> str:
    """Return the id of the section with an English heading on the page of a game."""
    return f"rules-{game}-{re.sub(r'[^a-z0-9]+', '-', heading.lower()).strip('-')}"


@lru_cache(64)
def article(game: Game, language: str = ENGLISH, *, level: int = 2, linked: bool = True) -> tuple[str, Element]:
    """Return the heading of a page of rules, and the rest as an element. Raises NoPage.

    level: the level of the headings right below the first one.
    linked: whether links to other pages of rules lead anywhere, as they do on the site but not in a file.
    """
    text, written_in = page(game, language)
    ids = list(sections(game).values())
    title, html = _rendered(text, ids, level, linked, separator="" if written_in in UNSPACED else "\n")
    lang = f' lang="{written_in}"' if written_in != language else ""
    return title, rendered(f'<article class="rule-page"{lang}>{html}</article>')


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _headings(text: str) -> list[str]:
    tokens = _markdown().parse(text)
    return [
        tokens[place + 1].content.replace("`", "") for place, token in enumerate(tokens) if token.type == "heading_open"
    ]


def _rendered(text: str, ids: Sequence[str], level: int, linked: bool, separator: str) -> tuple[str, str]:
    """Return the first heading, and the HTML of what follows, each part below a heading in a section with its id.

    separator: what stands for the end of a line inside a paragraph.
    """
    markdown = _markdown()
    tokens = markdown.parse(text)
    _adapt(tokens, linked, separator)
    title, remaining = "", iter(ids)
    html: list[str] = []
    open_levels: list[int] = []
    for chunk in _chunks(tokens):
        if chunk[0].type == "heading_open":
            depth = int(chunk[0].tag[1])
            if depth == 1:
                title, chunk = chunk[1].content, chunk[3:]
            else:
                while open_levels and open_levels[-1] >= depth:
                    html.append("</section>")
                    open_levels.pop()
                open_levels.append(depth)
                html.append(f'<section id="{next(remaining, "")}">')
                for token in (chunk[0], chunk[2]):
                    token.tag = f"h{depth - 2 + level}"
        html.append(markdown.renderer.render(chunk, markdown.options, {}))
    return title, "".join([*html, *["</section>"] * len(open_levels)])


def _chunks(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the tokens up to each heading, and from it on."""
    chunk: list[Token] = []
    for token in tokens:
        if token.type == "heading_open" and chunk:
            yield chunk
            chunk = []
        chunk.append(token)
    if chunk:
        yield chunk


def _adapt(tokens: Sequence[Token], linked: bool, separator: str) -> None:
    """Lead links to pages of rules to those of the site, remove other relative ones; say what header cells head."""
    for token in tokens:
        if token.type == "th_open":
            token.attrSet("scope", "col")
        children: list[Token] = []
        dropped = False
        for child in token.children or ():
            if child.type == "link_open":
                found = re.fullmatch(r"(\w+)\.md(#.*)?", str(child.attrGet("href")))
                dropped = not (linked and found) and not str(child.attrGet("href")).startswith("https://")
                if found and not dropped:
                    child.attrSet("href", f"/rules/{found[1]}")
            if child.type == "softbreak" and separator != "\n":
                child.type, child.tag, child.content = "text", "", separator
            if dropped and child.type in ("link_open", "link_close"):
                continue
            children.append(child)
        if token.children:
            token.children = children
