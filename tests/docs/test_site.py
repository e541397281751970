"""The site is built strictly, asks no other host for anything, has no broken link, and names every page."""

import importlib.util
import json
import tomllib
from pathlib import Path

import pytest

from tools.docs_site.api import api_page
from tools.docs_site.checks import problems
from tools.docs_site.notebooks import notebook_page
from tools.docs_site.sources import Sources
from tools.docs_site.staging import convert

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
TRANSLATED = ("ko", "ja")
GENERATED = {"python.md", "changelog.md", "notebooks/library.md"}


def pages(nav: object) -> set[str]:
    """Return the pages that the navigation names."""
    if isinstance(nav, str):
        return {nav}
    values = nav.values() if isinstance(nav, dict) else nav
    assert not isinstance(values, str)
    return {page for value in values for page in pages(value)}  # type: ignore[attr-defined]


def test_every_page_is_in_the_navigation_once() -> None:
    nav = tomllib.loads((DOCS / "zensical.toml").read_text())["project"]["nav"]
    places = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    untranslated = {str(place) for place in places if place.parent.name not in TRANSLATED}
    assert pages(nav) == untranslated | GENERATED


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<a href="b.html#there">', ""),
        ('<a href="https://example.org/x">', ""),
        ('<a href="c.html">', "index.html links to c.html, which does not exist"),
        ('<a href="b.html#gone">', "index.html links to b.html#gone, where no element has this id"),
        ('<img src="none.png">', "index.html links to none.png, which does not exist"),
        (
            '<script src="https://example.org/x.js"></script>',
            "index.html loads https://example.org/x.js from another host",
        ),
        (
            '<link rel="stylesheet" href="//example.org/x.css">',
            "index.html loads //example.org/x.css from another host",
        ),
        ('<link rel="canonical" href="https://example.org/">', ""),
        (
            '<p style="background: url(https://example.org/x)">',
            "index.html loads https://example.org/x from another host",
        ),
    ],
)
def test_problems_of_pages_are_found(body: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"<html><body>{body}</body></html>")
    (tmp_path / "b.html").write_text('<p id="there">')
    assert problems(tmp_path) == ([problem] if problem else [])


def test_styles_that_load_from_other_hosts_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text('@import "https://example.org/font.css";')
    assert problems(tmp_path) == ["a.css loads https://example.org/font.css from another host"]


@pytest.mark.parametrize(
    ("given", "staged"),
    [
        ("[b](../bots.md#in-python)", "[b](../bots.md#in-python)"),
        ("[x](https://x.org/a)", "[x](https://x.org/a)"),
        ("[changes](../../CHANGELOG.md)", "[changes](../changelog.md)"),
        ("[games](../rules)", "[games](../rules.md)"),
        ("[unit](../../deploy/arena.service)", "[unit](../source/deploy/arena.service.md)"),
        ("[n](../notebooks/library.ipynb)", "[n](../notebooks/library.md)"),
        ("`[kept](../../LICENSE)`", "`[kept](../../LICENSE)`"),
        ("```\n[kept](../../LICENSE)\n```", "```\n[kept](../../LICENSE)\n```"),
        ("- one\n  - two\n   1. three\n\n  four", "- one\n    - two\n    1. three\n\n  four"),
        ("four\n  - five", "four\n  - five"),
    ],
)
def test_pages_are_converted(given: str, staged: str) -> None:
    sources = Sources(ROOT)
    assert convert(given, Path("howto/page.md"), sources) == staged
    assert [place for place, _ in sources.pages()] == (["source/deploy/arena.service.md"] if "unit" in given else [])


def test_a_link_to_a_file_that_is_gone_is_an_error() -> None:
    with pytest.raises(FileNotFoundError, match=r"links to deploy/gone\.txt, which does not exist"):
        convert("[x](../deploy/gone.txt)", Path("server.md"), Sources(ROOT))


def test_a_notebook_is_a_page_with_its_outputs(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "Text."]},
        {
            "cell_type": "code",
            "source": ["print(1)"],
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {
                    "output_type": "execute_result",
                    "data": {"text/html": ["<table>\n", "\n", "</table>"], "text/plain": ["t"]},
                },
                {"output_type": "display_data", "data": {"image/png": "aWk=\n", "text/plain": ["plot"]}},
            ],
        },
    ]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    assert notebook_page(tmp_path / "a.ipynb") == (
        "# Title\nText.\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n\n<div>\n<table>\n</table>\n</div>\n\n"
        '<img alt="The plot" src="data:image/png;base64,aWk=">\n'
    )


def test_the_python_api_is_what_modules_export() -> None:
    page = api_page(ROOT)
    assert "::: arena.sdk.Bot\n" in page
    assert "::: arena.testing.check_game\n" in page
    assert "::: arena.sdk.lazy_import" not in page


@pytest.mark.toolchain
@pytest.mark.skipif(importlib.util.find_spec("zensical") is None, reason="Zensical is not installed (make test-docs)")
def test_the_site_is_whole(tmp_path: Path) -> None:
    from tools.docs_site.__main__ import build

    site = tmp_path / "site"
    assert build(tmp_path / "pages", site) == []
    assert len(list(site.rglob("*.html"))) > 80
    assert 'id="arena.sdk.Bot.choose"' in (site / "python.html").read_text()
    assert "What happens" in (site / "rules/cambio.html").read_text()
    assert "cuckoo" in (site / "search.json").read_text()
