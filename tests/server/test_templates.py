"""Templates: what they escape, how lines are joined, and that every one compiles."""

import re
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from arena.replay.html import tag
from arena.server.templates import FOLDER, TEMPLATES, Templates, attribute
from tests.server.conftest import EVIL

ROOT = FOLDER.parents[2]
ALL = sorted([*FOLDER.rglob("*.html"), *ROOT.glob("packages/*/arena_*/templates/**/*.html")])
"""The templates of the site and of the packages."""


def templates(folder: Path, **files: str) -> Templates:
    for name, text in files.items():
        (folder / f"{name}.html").write_text(text)
    return Templates(folder, FOLDER)


def test_every_template_compiles() -> None:
    assert "page.html" in TEMPLATES.names()
    TEMPLATES.compile()


def test_values_are_escaped_and_elements_are_not(tmp_path: Path) -> None:
    pages = templates(tmp_path, x='<p title="{{ a }}">{{ a }}{{ b }}</p>')
    evil = "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;"
    assert pages.page("x.html", a=EVIL, b=tag("b", {}, "<")) == f'<p title="{evil}">{evil}<b>&lt;</b></p>'


def test_what_a_macro_is_given_is_escaped(tmp_path: Path) -> None:
    pages = templates(tmp_path, x="{% macro cell(a) %}<td>{{ a }}</td>{% endmacro %}")
    assert str(pages.macro("x.html", "cell")("<i>")) == "<td>&lt;i&gt;</td>"


def test_attributes_are_escaped_and_may_be_missing() -> None:
    assert attribute("title", '"><b>') == ' title="&#34;&gt;&lt;b&gt;"'
    assert attribute("hidden", True) == " hidden"
    assert [attribute("a", None), attribute("a", False), attribute("a", 0)] == ["", "", ' a="0"']


def test_lines_are_joined_as_in_jsx(tmp_path: Path) -> None:
    text = '<p\n  class="x">\n  one\n  two <b>three</b>\n  {{ a }}\n  {{ " " }}four\n</p>\n'
    assert templates(tmp_path, x=text).page("x.html", a="<\n>") == (
        '<p class="x">one two <b>three</b>&lt;\n&gt; four</p>'
    )


def test_a_value_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UndefinedError):
        templates(tmp_path, x="{{ a }}").page("x.html")


def test_a_package_has_templates_of_its_own_in_the_frame_of_the_site(tmp_path: Path) -> None:
    text = '{% extends "page.html" %}{% set title = "Mine" %}{% block content %}<p>{{ a }}</p>{% endblock %}'
    page = templates(tmp_path, x=text).page("x.html", a="<")
    assert '<main id="content"><h1>Mine</h1><p>&lt;</p></main>' in page
    assert "<title>Mine · arena</title>" in page


@pytest.mark.parametrize("path", ALL, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_template_switches_escaping_off(path: Path) -> None:
    assert not re.search(r"\|\s*safe\b|autoescape|Markup", path.read_text())


def test_pages_have_their_markup_in_templates() -> None:
    rooms = [*FOLDER.parent.rglob("*.py")]
    assert len(rooms) > 50
    made = r"replay\.html import .*\b(tag|raw|drawing|document)\b|Markup\(|[\"']<[a-z]+[ >]"
    found = {str(path.relative_to(FOLDER.parent)) for path in rooms if re.search(made, path.read_text())}
    assert found == {"templates/__init__.py"}


def test_numbers_and_times_of_pages(tmp_path: Path) -> None:
    text = "{{ a|fixed }} {{ a|fixed(2) }} {{ a|elo }} {{ b|thousands }} {{ -b|signed }} {{ c|short_time }}"
    page = templates(tmp_path, x=text).page("x.html", a=2.345, b=1200, c="2026-03-01T09:05:59")
    assert page == "2 2.35 +2 1,200 −1200 Mar 1, 09:05"
