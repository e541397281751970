"""Pages in the language of their reader, on the server and in a real browser."""

import re
from pathlib import Path
from typing import Any

import pytest

from arena.language.languages import LANGUAGES
from arena.replay import rule_pages
from arena.server.templates import FOLDER, TEMPLATES
from referee.engine.game import Game
from referee.games.cucu import CUCU
from tests.replay.replays import GAMES
from tests.server.conftest import Client, Open

OTHERS = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("path", ["/matches/49", "/matches/6/compare?with=5", "/rules/scopa"])
def test_a_page_is_in_the_language_of_the_browser(site: Client, path: str, language: str) -> None:
    answer = site.get(path, **{"accept-language": f"{language},en;q=0.5"})
    assert f'<html lang="{language}">' in answer.text
    assert f"words.{language}.js" in answer.text or path.startswith("/rules")
    assert {"accept-language", "cookie"} <= {name.strip() for name in answer.headers["vary"].lower().split(",")}
    assert "set-cookie" not in answer.headers


def test_a_chosen_language_is_remembered(site: Client) -> None:
    answer = site.get("/rules/coch?lang=ja", **{"accept-language": "ko"})
    assert '<html lang="ja">' in answer.text
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("language=ja; ")
    assert '<html lang="ja">' in site.get("/rules/coch", **{"accept-language": "ko", "cookie": "language=ja"}).text
    wrong = site.get("/rules/coch?lang=%22%3E", cookie="language=<b>")
    assert '<html lang="en">' in wrong.text
    assert "set-cookie" not in wrong.headers


@pytest.mark.parametrize("path", ["/bots", "/bots/random", "/bots/nobody"])
def test_pages_that_are_not_translated_are_english_and_have_no_switch(site: Client, path: str) -> None:
    for language in ("ko", "en"):
        text = site.get(path, **{"accept-language": language}).text
        assert '<html lang="en">' in text
        assert not re.search("[가-힣]", text)
        assert 'class="languages"' not in text, "another language would change nothing"


ENGLISH_TEMPLATES = {
    *("accounts/invitation", "accounts/new_account", "accounts/sign_in", "accounts/signed_out", "bots/answer_times"),
    *("bots/bot", "bots/elo_chart", "bots/failure_list", "bots/failures", "bots/list", "error", "matches/list"),
    *("hand_ins/hand_in", "hand_ins/list", "hand_ins/progress", "hand_ins/submit"),
}
"""Templates of pages that are in English in every language. The list may only shrink."""
THE_SAME = re.compile(r"\b(?:Elo|ms|UTC|arena|LOS|CPU|JSON|CSV|TOML|PNG|SVG)\b")
"""Words that are the same in every language."""


@pytest.mark.parametrize("name", sorted(TEMPLATES.names()))
def test_a_template_has_no_words_that_are_not_translated(name: str) -> None:
    text = re.sub(
        r"\{#.*?#\}|\{%.*?%\}|<(script|style|code|pre)\b.*?</\1>", "", (FOLDER / name).read_text(), flags=re.DOTALL
    )
    text = re.sub(r"\{\{.*?\}\}", "", text, flags=re.DOTALL)
    attributes = re.findall(r"\b(?:aria-label|alt|placeholder|title)=\"([^\"]*)\"", text)
    words = re.findall(r"[A-Za-z]{2,}", THE_SAME.sub("", " ".join([re.sub(r"<[^>]*>", " ", text), *attributes])))
    is_english = name.removesuffix(".html") in ENGLISH_TEMPLATES
    assert bool(words) == is_english, words


@pytest.mark.parametrize("language", OTHERS)
def test_a_tournament_is_in_the_language_of_its_reader(site: Client, language: str) -> None:
    for path in ("/tournaments/1", "/tournaments/1/ranking"):
        text = site.get(path, **{"accept-language": language}).text
        own = re.sub(r'<section class="sheet" id="failures".*?</section>|<[^>]*>', " ", text, flags=re.DOTALL)
        assert not set(re.findall(r"[A-Za-z]{4,}", own)) & ENGLISH_WORDS, path
    assert "48 matches" not in text


ENGLISH_WORDS = {"bots", "tables", "decisions", "began", "seed", "Ranking", "Crosstable", "Meetings", "matches", "with"}


@pytest.mark.parametrize("path", ["/matches/49/story?first=0", "/matches/49/tables?first=0", "/api/v1/matches/49"])
def test_json_does_not_depend_on_the_language(site: Client, path: str) -> None:
    assert site.get(path, **{"accept-language": "ko"}).content == site.get(path).content


def test_rules_without_a_translation_say_that_they_are_english(
    site: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cucu.md").write_text(rule_pages.page(CUCU)[0])
    monkeypatch.setattr(rule_pages, "_own_pages", lambda: tmp_path)
    rule_pages.article.cache_clear()
    text = site.get("/rules/cucu", **{"accept-language": "ko"}).text
    rule_pages.article.cache_clear()
    assert '<html lang="ko">' in text
    assert '<article class="rule-page" lang="en">' in text


@pytest.mark.toolchain
@pytest.mark.parametrize("language", OTHERS)
def test_matches_side_by_side_are_translated(visit: Open, address: str, language: str) -> None:
    page = visit(f"{address}/matches/6/compare?with=5", locale=language)
    page.wait_for_function("() => document.querySelectorAll('#gains tbody tr').length > 1")
    page.click("#after")
    page.wait_for_function("() => / 1/.test(document.getElementById('round').textContent)")
    texts = page.evaluate("""() => [...document.querySelectorAll(
        "#compare h1, #compare label, #compare h2, #gains caption, #gains th, .controls button, "
        + ".entry, #help dd, #round"
    )].map((each) => each.textContent)""")
    names = page.evaluate("[...document.querySelectorAll('.holder, .named')].map((each) => each.textContent)")
    known = sorted((*names, "cambio"), key=len, reverse=True)
    left = [re.sub("|".join(map(re.escape, known)), "", text) for text in texts]
    assert [
        text
        for text in left
        if re.search("[A-Za-z]{3}", text.replace("Home End", "").replace("Shift", "").replace("Space", ""))
    ] == []


UNTRANSLATED = """() => {
    const places = "#table .label, #table .facts dt, #table .facts dd, #table .badges li, #table .where, "
        + "#table .recent, #table .mark, #question .moves li, #question h2, #log li .move, "
        + "#log li > div:not(.of-seat), .transport button, #menu button, #moves button, #prompt";
    return [...document.querySelectorAll(places)].filter((each) => {
        const words = each.cloneNode(true);
        for (const key of words.querySelectorAll("kbd")) key.remove();
        return /[A-Za-z]{3}/.test(words.textContent.replaceAll("Torionfo", "").replace(/· .*/, ""));
    }).map((each) => each.textContent);
}"""
"""What on a replay or a page to play is still English, without what bots are called."""


@pytest.mark.toolchain
@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_replay_of_every_game_is_translated(visit: Open, address: str, game: Game, language: str) -> None:
    page = visit(f"{address}/matches/{49 + GAMES.index(game)}", locale=language)
    page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    for number in (0, 3, 9, 999_999):
        page.evaluate("number => { location.hash = `#move=${number}`; }", number)
        page.wait_for_function(
            "n => Number(document.getElementById('number').value) === "
            "Math.min(n, Number(document.getElementById('last').textContent))",
            arg=number,
        )
        assert page.evaluate(UNTRANSLATED) == []
    page.click("#more")
    assert page.evaluate("document.documentElement.lang") == language


@pytest.mark.toolchain
def test_rules_open_beside_the_table_and_the_focus_comes_back(visit: Open, address: str) -> None:
    page: Any = visit(f"{address}/matches/{49 + [game.name for game in GAMES].index('coch')}#move=3")
    page.wait_for_function("() => document.querySelectorAll('#table .place').length > 0")
    page.keyboard.press("h")
    page.wait_for_selector("#rules section[aria-current]")
    assert page.evaluate("document.activeElement.id") == "rules-text"
    assert page.text_content("#rules section[aria-current] h4") == "Course of play"
    page.keyboard.press("Escape")
    assert page.evaluate("[document.getElementById('rules').hidden, document.activeElement.id]") == [True, "show-rules"]


@pytest.mark.toolchain
@pytest.mark.parametrize("size", [(1440, 900), (390, 844)], ids=["wide", "phone"])
def test_a_person_reads_the_rules_and_why_a_move_is_not_offered(
    visit: Open, address: str, size: tuple[int, int]
) -> None:
    page: Any = visit(f"{address}/play/cambio", viewport={"width": size[0], "height": size[1]}, locale="ko")
    page.click("button.main")
    page.wait_for_selector("#moves button:not([disabled])")
    page.click("#show-rules")
    page.wait_for_selector("#rules section[aria-current]")
    covered = """() => [...document.querySelectorAll("#moves button")].filter((each) => {
        const box = each.getBoundingClientRect();
        return !each.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
    }).length"""
    assert page.evaluate(covered) == 0, "the drawer covers moves"
    assert page.evaluate(UNTRANSLATED) == []
    page.locator("#table .card-held").focus()  # one's own: another seat may have shown its card
    page.wait_for_function("() => document.getElementById('why').textContent !== ''")
    page.click("#leave")
    page.wait_for_url("**/play")
