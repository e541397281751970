"""The pages of docs/ as Zensical builds them, with generated ones beside them."""

import posixpath
import re
import shutil
from pathlib import Path

from tools.docs_site.api import api_page
from tools.docs_site.examples import worked_examples
from tools.docs_site.notebooks import notebook_page
from tools.docs_site.sources import Sources

LANGUAGES = {"": "English", "ko": "한국어", "ja": "日本語"}
"""Those of the rules: the folder below docs/rules, and the name."""

_CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^###? (.+)$", re.MULTILINE)
_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)(#[^)\s]*)?\)")
_PICTURE = "![A match of {game} in the browser]({up}pictures/games/{game}.png)\n\n"


def stage(root: Path, work: Path) -> None:
    """Write the configuration and all pages of the site into `work`.

    root: of the checkout.
    """
    docs = root / "docs"
    work.mkdir(parents=True)
    shutil.copy(docs / "zensical.toml", work)
    link_modules(root, work / "modules")
    sources = Sources(root)
    for path in sorted(docs.rglob("*")):
        place = path.relative_to(docs)
        target = work / "docs" / place
        if path.is_dir() or place.name == "zensical.toml":
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".ipynb":
            target, text = target.with_suffix(".md"), notebook_page(path)
        elif path.suffix == ".md":
            text = rules_page(root, place, path.read_text()) if place.parts[0] == "rules" else path.read_text()
        else:
            shutil.copy(path, target)
            continue
        target.write_text(convert(text, place, sources))
    (work / "docs/python.md").write_text(api_page(root))
    changes = (root / "CHANGELOG.md").read_text()
    (work / "docs/changelog.md").write_text(convert(changes, Path("changelog.md"), sources, "."))
    for page, content in sources.pages():
        (work / "docs" / page).parent.mkdir(parents=True, exist_ok=True)
        (work / "docs" / page).write_text(content)


def link_modules(root: Path, folder: Path) -> None:
    """Link all modules of `arena` into one folder: packages with features have some of them."""
    (folder / "arena").mkdir(parents=True)
    for arena in (root / "arena", *sorted(root.glob("packages/*/arena"))):
        for path in arena.iterdir():
            if path.name != "__pycache__":
                (folder / "arena" / path.name).symlink_to(path)


def convert(text: str, place: Path, sources: Sources, folder: str = "") -> str:
    """Return a page with the links and lists that the site needs.

    Links that lead out of docs/ lead to pages of `sources`. Python-Markdown wants nested lists indented by four.

    text: Markdown as forges read it.
    place: of the page on the site.
    folder: of the checkout, from which its links count; absent: the place below docs/.
    """
    folder = folder or posixpath.join("docs", place.parent.as_posix())

    def link(found: re.Match[str]) -> str:
        before, target, anchor = found.group(1), found.group(2), found.group(3) or ""
        if "://" in target or target.startswith("mailto:"):
            return found.group()
        path = posixpath.normpath(posixpath.join(folder, target))
        page = path.removeprefix("docs/") if path.startswith("docs/") and "." in path else sources.page(path)
        page = page.replace(".ipynb", ".md")
        return f"{before}{posixpath.relpath(page, place.parent.as_posix())}{anchor})"

    parts = _CODE.split(text)
    for index in range(0, len(parts), 2):
        parts[index] = _LINK.sub(link, parts[index])
    return indent_lists("".join(parts))


def indent_lists(text: str) -> str:
    """Return Markdown with the lines of nested lists, which forges read from two spaces on, indented by four."""
    lines: list[str] = []
    in_code = in_list = False
    for line in text.split("\n"):
        if line.startswith("```"):
            in_code = not in_code
        starts = re.match(r"(?:[-*]|\d+\.) ", line)
        in_list = not in_code and (bool(starts) or (in_list and (not line or line.startswith(" "))))
        nested = in_list and re.match(r" {2,3}(?:[-*]|\d+\.) ", line)
        lines.append("    " + line.lstrip() if nested else line)
    return "\n".join(lines)


def rules_page(root: Path, place: Path, text: str) -> str:
    """Return a page of rules with the same in other languages, a picture and, in English, worked examples."""
    game, language = place.stem, place.parts[1] if len(place.parts) == 3 else ""
    up = "../" * (len(place.parts) - 1)
    others = [
        name if folder == language else f"[{name}]({up}rules/{folder + '/' if folder else ''}{game}.md)"
        for folder, name in LANGUAGES.items()
    ]
    title, _, body = text.partition("\n\n")
    head, heading, rest = body.partition("\n## ")
    if language:
        rest = with_english_ids(heading + rest, (root / "docs/rules" / place.name).read_text())
        heading = ""
    page = f"{title}\n\n{' · '.join(others)}\n\n{head}\n{_PICTURE.format(game=game, up=up)}{heading}{rest}"
    return page if language else page.rstrip() + "\n\n" + worked_examples(root, game)


def with_english_ids(text: str, english: str) -> str:
    """Return a translated page whose headings have the ids of the English page, as links between pages expect.

    Both have the same headings in the same order.
    """
    from pymdownx.slugs import slugify  # it comes with Zensical, and not everything here needs that

    ids = iter([slugify(case="lower")(title, "-") for title in _HEADING.findall(english)])
    return _HEADING.sub(lambda found: f"{found.group()} {{#{next(ids)}}}", text)
