"""Signing in, handing in bots and following their checks; access of each role."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from starlette.exceptions import HTTPException

from arena.bots.hand_in_rows import HandInEnd
from arena.bots.hand_in_worker import HandInWorker
from arena.bots.hand_ins import HandIns
from arena.cli import main
from arena.league.store.league_rows import Final
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.packs.build import BuildTerms
from arena.run.hosting import Hosting
from arena.sdk import ask
from arena.sdk.recorded_question import parse_question
from arena.server.access import VISITOR
from arena.server.accounts.sessions import LIFETIME, MOST_OF_ACCOUNT, Sessions
from arena.server.api.uploads import AT_ONCE, UploadSlots
from arena.server.play.hosted_matches import PlaySessions
from arena.store import Store, open_store
from arena.values.rows import OutputRow
from referee.games.cambio import CAMBIO
from tests import installed, leagues, played
from tests.bots.test_hand_ins import VERSION, titled
from tests.server.conftest import Client
from tests.uploads import NO_BOT, PLAYS_HYPP, WRONG_IN_HYPP, zipped

pytestmark = pytest.mark.usefixtures("forked_checks")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "arena.db"
    with open_store(path, create=True) as store:
        row = played.match(CAMBIO, notes=True)
        number = store.add_tournament(played.tournament(CAMBIO, matches=1))
        store.add_matches(number, [row], [OutputRow(0, 0, row.seats[0].entrant, "printed by a")])
        store.finish_tournament(number)
        yield store


@pytest.fixture
def worker(own: Store) -> HandInWorker:
    return HandInWorker(own, Hosting(), BuildTerms(), print)


@pytest.fixture
def house(own: Store, worker: HandInWorker) -> Client:
    return Client(own, VISITOR, hand_ins=worker, play_sessions=PlaySessions(own, Hosting()))


def token(own: Store, name: str, role: str = "author") -> str:
    result = CliRunner().invoke(main, ["accounts", "create", name, "--role", role, "--db", own.where])
    assert result.exit_code == 0, result.output
    return result.stdout.strip()


def signed_in(house: Client, secret: str) -> dict[str, str]:
    """Return the headers of who is signed in."""
    answer = house.post("/sign-in", data={"token": secret})
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    return {"cookie": cookie.partition(";")[0]}


def handed_in(house: Client, who: dict[str, str], name: str, file: str, content: bytes) -> str:
    """Hand in a bot, and return the address of its page."""
    answer = house.post("/submit", content=content, params={"name": name, "file": file}, headers=who)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def done(
    house: Client, worker: HandInWorker, who: dict[str, str], name: str, file: str, content: bytes
) -> tuple[str, str]:
    """Hand in a bot, wait until it was checked, and return the address of its page and the page."""
    at = handed_in(house, who, name, file, content)
    assert worker.check_next()
    return at, house.get(at, **who).text


@pytest.mark.promise
def test_a_submitted_bot_is_checked_and_plays_under_its_name(house: Client, worker: HandInWorker, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    assert 'value="club/"' in house.get("/submit", **who).text
    at, page_text = done(house, worker, who, "club/owl", "owl.zip", PLAYS_HYPP)
    assert at == "/hand-ins/1"
    assert '<h2 id="verdict" class="accepted" aria-live="polite">club/owl is accepted as version 1' in page_text
    assert "<td>plays hypp</td><td>passed</td>" in page_text
    assert "/cancel" not in page_text
    assert [row.title for row in own.submissions.all()] == ["club/owl@1"]
    assert "is unchanged since version 1" in done(house, worker, who, "club/owl", "owl.zip", PLAYS_HYPP)[1]
    listed = house.get("/hand-ins", **who).text
    assert listed.index('href="/hand-ins/2"') < listed.index('href="/hand-ins/1"')
    page = house.get("/bots/club/owl", **who)
    assert page.status_code == 200
    assert "club/owl@1" in page.text
    assert "This bot has not played yet: it plays in the next tournament of its game" in page.text
    assert 'href="/bots/club/owl"' in house.get("/bots").text, "visitors find it too"


@pytest.mark.processes
def test_a_bot_that_does_not_play_is_refused_with_the_report(house: Client, worker: HandInWorker, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    _, page = done(house, worker, who, "club/owl", "owl.py", b"import sys\nprint('<script>alert(1)</script>')\n")
    assert 'class="refused" aria-live="polite">club/owl is refused: ' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</pre>" in page
    assert "<script>alert" not in page
    assert own.submissions.all() == []


@pytest.mark.processes
def test_the_author_of_a_refused_bot_gets_the_question_and_the_log(
    house: Client, worker: HandInWorker, own: Store
) -> None:
    who = signed_in(house, token(own, "club"))
    before = own.matches()
    address, page = done(house, worker, who, "club/owl", "owl.py", WRONG_IN_HYPP)
    assert "<li>plays hypp: illegal: it answered &quot;fly&quot;" in page.replace("&#34;", "&quot;")
    assert f'href="{address}/questions/1"' in page
    assert f'href="{address}/logs/1"' in page
    file = house.get(f"{address}/questions/1", **who)
    assert file.headers["content-disposition"] == 'attachment; filename="1-plays-hypp.json"'
    assert file.headers["cache-control"] == "no-store"
    question = parse_question(file.content)
    assert question.game == "hypp"
    assert question.question.fault.startswith('illegal: it answered "fly"')
    assert ask(lambda asked: asked.legal[0], question).move == question.question.legal[0]
    log = house.get(f"{address}/logs/1", **who)
    assert log.headers["content-type"] == "text/plain; charset=utf-8"
    assert f"!  seat {question.seat}: illegal" in log.text
    stranger = signed_in(house, token(own, "other"))
    for path in (f"{address}/questions/1", f"{address}/logs/1"):
        assert house.get(path, **stranger).status_code == 403
        assert house.get(path).status_code == 403
    for path in (f"{address}/questions/2", f"{address}/questions/0", f"{address}/logs/9", "/hand-ins/9/logs/1"):
        assert house.get(path, **who).status_code == 404
    assert own.matches() == before, "the database keeps nothing of a refused bot"


@pytest.mark.processes
@pytest.mark.parametrize(
    ("content", "sentence"), [(zipped({}), "owl.zip has no files"), (zipped({"readme.txt": b"x"}), "bot.toml")]
)
def test_archives_without_a_bot_have_error_messages(
    house: Client, worker: HandInWorker, own: Store, content: bytes, sentence: str
) -> None:
    assert sentence in done(house, worker, signed_in(house, token(own, "club")), "club/owl", "owl.zip", content)[1]


def test_what_can_never_be_a_bot_is_refused_at_once(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    files = {"file": ("cat.png", b"\x89PNG\r\n\x1a\n")}
    answer = house.post("/submit", data={"name": "club/owl"}, files=files, headers=who)
    assert answer.status_code == 422
    assert "cat.png cannot be a bot, as it is neither a Python file nor an archive: a submission is a Python file" in (
        answer.text
    )
    assert HandIns(own).newest(None, 1) == []


def test_visitors_see_public_pages(house: Client, own: Store) -> None:
    page = house.get("/").text
    assert 'href="/sign-in"' in page
    assert 'href="/submit"' not in page
    assert house.get("/submit").status_code == 403
    assert house.get("/play").status_code == 403
    assert "thought" not in house.get("/matches/1/story").text
    assert house.post("/submit", params={"name": "club/owl", "file": "x.py"}, content=NO_BOT).status_code == 403


def test_each_role_has_its_rights(house: Client, own: Store) -> None:
    author = signed_in(house, token(own, "a"))
    organiser = signed_in(house, token(own, "boss", "organiser"))
    mine = house.get("/matches/1/story", **author).text
    everything = house.get("/matches/1/story", **organiser).text
    seat = own.match(1).players.index("a")
    assert set(re.findall(r"thought \d+ of seat (\d+)", mine)) == {str(seat)}
    assert set(re.findall(r"thought \d+ of seat (\d+)", everything)) == {"0", "1", "2", "3"}
    assert house.get("/play", **author).status_code == 403
    assert house.get("/play", **organiser).status_code == 200
    assert "the name must begin with a/" in house.post(
        "/submit", params={"name": "club/owl", "file": "x.py"}, content=NO_BOT, headers=author
    ).text  # fmt: skip


def test_a_hand_in_is_shown_to_its_owner_and_organisers_alone(house: Client, own: Store) -> None:
    author, other = signed_in(house, token(own, "club")), signed_in(house, token(own, "fox"))
    organiser = signed_in(house, token(own, "boss", "organiser"))
    at = handed_in(house, author, "club/owl", "x.zip", NO_BOT)
    everybody: tuple[dict[str, str], ...] = (author, other, organiser, {})
    assert [house.get(at, **who).status_code for who in everybody] == [200, 403, 200, 403]
    assert [house.get(f"{at}/events", **who).status_code for who in (other, {})] == [403, 403]
    assert [house.post(f"{at}/cancel", headers=who).status_code for who in (other, {})] == [403, 403]
    assert [at in house.get("/hand-ins", **who).text for who in (author, other, organiser)] == [True, False, True]
    assert "club</td>" in house.get("/hand-ins", **organiser).text, "organisers see whose it is"
    assert house.get("/hand-ins").status_code == 403
    assert house.get("/hand-ins/99", **author).status_code == 404
    assert "there is no hand-in 99" in house.get("/hand-ins/99", **author).text


def test_a_program_gets_the_number_of_its_hand_in_at_once(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club")) | {"accept": "application/json"}
    answer = house.post("/submit", params={"name": "club/owl", "file": "x.zip"}, content=NO_BOT, headers=who)
    assert answer.status_code == 202
    assert answer.json() == {"hand_in": 1, "address": "/hand-ins/1"}
    assert answer.headers["location"] == "/hand-ins/1"
    assert HandIns(own).find(1).state == "received"


@pytest.mark.processes
def test_the_page_of_a_waiting_hand_in_shows_its_place_and_can_cancel_it(
    house: Client, worker: HandInWorker, own: Store
) -> None:
    who = signed_in(house, token(own, "club"))
    done(house, worker, who, "club/owl", "x.zip", NO_BOT)
    first, second = (handed_in(house, who, f"club/{name}", "x.zip", NO_BOT) for name in ("owl", "fox"))
    page = house.get(second, **who).text
    assert "club/fox is received and waits for its check" in page
    assert re.search(r"Place 2 in the queue, about \d+ s until it is checked\.", page)
    assert house.post(f"{first}/cancel", headers=who).headers["location"] == first
    assert "club/owl was cancelled" in house.get(first, **who).text
    assert "Place 1 in the queue" in house.get(second, **who).text


def test_unfinished_hand_ins_of_an_owner_are_limited(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    query = {"name": "club/owl", "file": "x.zip"}
    answers = [house.post("/submit", params=query, content=NO_BOT, headers=who) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [303] * 5 + [429]
    assert "5 hand-ins of yours are not checked yet: wait for one of them, or cancel one" in answers[-1].text
    other = signed_in(house, token(own, "fox"))
    handed_in(house, other, "fox/owl", "x.zip", NO_BOT)


def test_who_has_handed_in_enough_today_hears_when_to_come_again(
    house: Client, own: Store, worker: HandInWorker
) -> None:
    worker.per_day = 1
    who = signed_in(house, token(own, "club"))
    query = {"name": "club/owl", "file": "x.zip"}
    assert house.post("/submit", params=query, content=NO_BOT, headers=who).status_code == 303
    as_script = house.post("/submit", params=query, content=NO_BOT, headers=who | {"accept": "application/json"})
    for refused in (
        house.post("/submit", params=query, content=NO_BOT, headers=who),
        as_script,
        sent(house, who, "club/owl"),
    ):
        assert refused.status_code == 429
        assert 0 < int(refused.headers["retry-after"]) <= 86400


def test_a_token_that_is_revoked_in_mid_upload_hands_nothing_in(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club"))

    async def revoked() -> AsyncIterator[bytes]:
        yield b"x"
        own.accounts.remove("club")
        yield b"y"

    query = {"name": "club/owl", "file": "x.zip"}
    answer = house.post("/submit", params=query, content=revoked(), headers=who | {"content-length": "2"})
    assert answer.status_code == 403
    assert "no longer signed in" in answer.text
    assert HandIns(own).newest(None, 1) == []


@pytest.mark.parametrize(
    ("role", "path", "form"),
    [
        ("organiser", "/play/cambio", b"seat-0=person&seat-1=random"),
        *installed.of("webhooks", ("author", "/webhooks", b"url=https://bots.example/hook&entry.placed=on")),
    ],
)
def test_a_form_of_somebody_who_is_signed_out_meanwhile_does_nothing(
    house: Client, own: Store, role: str, path: str, form: bytes
) -> None:
    who = signed_in(house, token(own, "club", role))

    async def revoked() -> AsyncIterator[bytes]:
        yield form[:7]
        own.accounts.remove("club")
        yield form[7:]

    kind = {"content-type": "application/x-www-form-urlencoded", "content-length": str(len(form))}
    answer = house.post(path, content=revoked(), headers=who | kind)
    assert answer.status_code == 403
    assert "you were signed out meanwhile, and nothing was done: sign in again" in answer.text
    with own.read() as connection:
        assert installed.rows(connection, "webhooks") == 0


def test_who_is_not_signed_in_is_led_there(own: Store, worker: HandInWorker) -> None:
    refused = Client(own, VISITOR, hand_ins=worker).get("/submit", "text/html")
    assert refused.status_code == 403
    assert 'sign in at <a href="/sign-in">/sign-in</a>' in refused.text


def test_signing_out_or_revoking_ends_a_session(house: Client, own: Store) -> None:
    secret = token(own, "club")
    first, second = signed_in(house, secret), signed_in(house, secret)
    assert house.post("/sign-out", headers=first).status_code == 303
    assert house.get("/submit", **first).status_code == 403
    assert house.get("/submit", **second).status_code == 200
    assert CliRunner().invoke(main, ["accounts", "revoke", "club", "--db", own.where]).exit_code == 0
    assert house.get("/submit", **second).status_code == 403
    assert house.post("/sign-in", data={"token": secret}).status_code == 403


def test_a_session_expires(own: Store) -> None:
    now = [0.0]
    sessions = Sessions(own, lambda: now[0])
    begun = sessions.sign_in(token(own, "club"))
    assert begun is not None
    now[0] = 12 * 3600 - 1
    assert sessions.account(begun[0])
    now[0] += 1
    assert sessions.account(begun[0]) is None


def test_wrong_tokens_are_limited_and_lock_nobody_out(house: Client, own: Store) -> None:
    answers = [house.post("/sign-in", data={"token": f"arena_{n}"}).status_code for n in range(12)]
    assert answers == [403] * 10 + [429] * 2
    signed_in(house, token(own, "club"))  # from the same address


def test_uploads_are_limited_in_size_and_number(house: Client, worker: HandInWorker, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    query = {"name": "club/owl", "file": "x.zip"}
    assert house.post("/submit", params=query, content=bytes(9 * 1024 * 1024), headers=who).status_code == 413
    answers = []
    for _ in range(20):
        answer = house.post("/submit", params=query, content=NO_BOT, headers=who)
        answers.append(answer.status_code)
        HandIns(own).cancel(len(answers))
    assert answers == [303] * 19 + [429]
    assert 0 < int(answer.headers["retry-after"]) <= 3600


def test_cross_site_requests_neither_sign_in_nor_submit(house: Client, own: Store) -> None:
    secret = token(own, "club")
    assert house.post("/sign-in", "cross-site", data={"token": secret}).status_code == 403
    who = signed_in(house, secret)
    query = {"name": "club/owl", "file": "x.py"}
    assert house.post("/submit", "cross-site", params=query, content=NO_BOT, headers=who).status_code == 403


def test_accounts_are_listed_and_named_with_care(own: Store) -> None:
    def run(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["accounts", *words, "--db", own.where])
        return result.exit_code, result.output

    secret = token(own, "club")
    assert run("create", "club")[0] == 2
    assert "club/owl is no account name, as it has a slash: use club" in run("create", "club/owl")[1]
    assert "club" in run("list")[1]
    assert '"role": "author"' in run("list", "--json")[1]
    assert run("revoke", "fox")[0] == 2
    assert secret not in Path(own.where).read_bytes().decode("latin-1"), "only its hash is kept"


def sent(house: Client, who: dict[str, str], name: str, content: bytes = NO_BOT) -> httpx.Response:
    """Hand in a bot as the form of the page does without JavaScript."""
    return house.post("/submit", data={"name": name}, files={"file": ("owl.zip", content)}, headers=who)


def test_a_bot_is_handed_in_without_javascript(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    form = house.get("/submit", **who).text
    assert re.search(r'<form id="submit"[^>]* method="post" action="/submit" enctype="multipart/form-data"', form)
    assert {'name="name"', 'name="file"'} <= set(re.findall(r'name="\w+"', form))
    answer = sent(house, who, "club/owl")
    assert answer.status_code == 303
    row = HandIns(own).find(int(answer.headers["location"].rpartition("/")[2]))
    assert (row.name, row.file, row.owner) == ("club/owl", "owl.zip", "club")
    page = house.get(answer.headers["location"], **who).text
    assert '<noscript><meta http-equiv="refresh" content="5"></noscript></head>' in page
    assert house.post(f"{answer.headers['location']}/cancel", headers=who).status_code == 303
    assert "refresh" not in house.get(answer.headers["location"], **who).text, "it is finished"


def test_a_form_that_is_refused_comes_back_with_the_reason(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    wrong = sent(house, who, "fox/<b>")
    assert wrong.status_code == 422
    assert "the name must begin with club/, not &#39;fox/&lt;b&gt;&#39;" in wrong.text
    assert 'value="fox/&lt;b&gt;"' in wrong.text
    large = sent(house, who, "club/owl", bytes(9 * 1024 * 1024))
    assert (large.status_code, "the request is too large" in large.text) == (413, True)
    empty = house.post("/submit", data={"name": "club/owl"}, files={"other": ("a", b"x")}, headers=who)
    assert (empty.status_code, "the form has no file" in empty.text) == (400, True)
    assert HandIns(own).newest(None, 10) == []
    answers = [sent(house, who, "club/owl").status_code for _ in range(22)]
    assert answers[0] == 303
    assert answers[-1] == 429
    assert sent(house, {}, "club/owl").status_code == 403


def test_the_page_says_where_a_bot_takes_the_place_of_another(house: Client, own: Store) -> None:
    who, organiser = signed_in(house, token(own, "club")), signed_in(house, token(own, "ann", "organiser"))
    league = leagues.cambio(own, active_per_owner=2).id
    Leagues(own).enter(league, leagues.entry(leagues.submit(own, "club/owl")), "arena", 2)
    Leagues(own).enter(league, leagues.entry(leagues.submit(own, "fox/hen")), "arena", 2)
    assert 'class="notice"' not in house.get("/submit", **who).text
    Leagues(own).enter(league, leagues.entry(leagues.submit(own, "club/elk")), "arena", 2)
    assert (
        '<p class="notice">The league cambio plays no more bots of club than club/owl and club/elk: a bot of another '
        "name takes the place of club/owl.</p>" in house.get("/submit", **who).text
    )
    assert 'class="notice"' not in house.get("/submit", **organiser).text
    Leagues(own).change_entry(league, Leagues(own).entries_of("club/owl", 1)[0].number, "retired", "club")
    assert 'class="notice"' not in house.get("/submit", **who).text


def test_the_page_says_which_leagues_are_at_the_end_of_their_season(house: Client, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    spring, summer, _ = (leagues.league(own, name, ()) for name in ("spring", "summer", "autumn"))
    assert 'class="notice"' not in house.get("/submit", **who).text
    Seasons(own).freeze(spring.id, 1, Final(2, 2, closes=False), "ann")
    Seasons(own).freeze(summer.id, 1, Final(2, 2, closes=True), "ann")
    waits = (
        "Season 1 of the league spring is at its end: a bot for guessing that is accepted now enters when the next "
        "season begins."
    )
    closes = (
        "Season 1 of the league summer is at its end, and the league is closed then: "
        "a bot for guessing that is accepted now does not enter it."
    )
    page = house.get("/submit", **who).text
    assert re.findall('<p class="notice">(.*?)</p>', page) == [waits, closes]
    refused = house.post("/submit", data={"name": "elk/owl"}, files={"file": ("owl.py", b"")}, headers=who).text
    assert re.findall('<p class="notice">(.*?)</p>', refused) == [waits, closes], "also where it is shown again"
    for league in (spring, summer):
        Leagues(own).set_state(league.id, "closed", "ann")
    assert 'class="notice"' not in house.get("/submit", **who).text


def test_who_signs_in_often_ends_no_session_of_others(own: Store) -> None:
    now = [0.0]
    sessions = Sessions(own, lambda: now[0])
    teacher, club = token(own, "teacher"), token(own, "club")
    first = sessions.sign_in(teacher)
    assert first is not None
    begun = [made[0] for _ in range(3 * MOST_OF_ACCOUNT) if (made := sessions.sign_in(club)) is not None]
    assert sessions.account(first[0]) is not None
    assert [secret for secret in begun if sessions.account(secret)] == begun[-MOST_OF_ACCOUNT:]
    now[0] = LIFETIME
    sessions.sign_in(club)
    assert len(sessions._sessions) == 1, "expired ones are gone"


def test_an_account_sends_few_files_at_the_same_time() -> None:
    slots = UploadSlots()
    with slots.taken("club"), slots.taken("club"):
        with pytest.raises(HTTPException) as many, slots.taken("club"):
            pass
        assert (many.value.status_code, many.value.headers) == (429, {"retry-after": "10"})
        with ExitStack() as others:
            for number in range(AT_ONCE - 2):
                others.enter_context(slots.taken(f"fox{number}"))
            with pytest.raises(HTTPException) as full, slots.taken("town"):
                pass
            assert full.value.status_code == 503
    with slots.taken("club"), slots.taken("town"):
        pass


def refused(own: Store, name: str = "club/owl") -> int:
    id = HandIns(own).receive("club", name, "owl.py", b"import arena.sdk")
    claimed = HandIns(own).claim("me", 60.0)
    assert claimed is not None
    assert HandIns(own).finish(claimed.claim, "refused", "is refused: dials in: no hello", HandInEnd(1))
    return id


def test_an_organiser_has_a_refused_hand_in_checked_again_and_its_owner_reads_why(house: Client, own: Store) -> None:
    club, ann = signed_in(house, token(own, "club")), signed_in(house, token(own, "ann", "organiser"))
    id = refused(own)
    at = f"/hand-ins/{id}"
    assert 'id="rejudge"' not in house.get(at, **club).text
    assert house.post(f"{at}/rejudge", data={"reason": "mine"}, headers=club).status_code == 403
    assert 'id="rejudge"' in house.get(at, **ann).text
    assert house.post(f"{at}/rejudge", data={"reason": " "}, headers=ann).status_code == 422
    answer = house.post(f"{at}/rejudge", data={"reason": "<b>mended</b>"}, headers=ann)
    assert (answer.status_code, answer.headers["location"]) == (303, at)
    page = house.get(at, **club).text
    assert "ann has it checked again: &lt;b&gt;mended&lt;/b&gt;." in page
    assert "Before, it is refused: dials in: no hello" in page
    assert 'id="rejudge"' not in house.get(at, **ann).text, "it waits"
    again = house.post(f"{at}/rejudge", data={"reason": "once more"}, headers=ann)
    assert again.status_code == 409
    assert f"hand-in {id}: it is not checked yet" in again.text


def test_an_organiser_has_an_accepted_version_checked_again_which_its_owner_cannot_cancel(
    house: Client, own: Store
) -> None:
    club, ann = signed_in(house, token(own, "club")), signed_in(house, token(own, "ann", "organiser"))
    id = HandIns(own).receive("club", "club/owl", "owl.py", b"source")
    claimed = HandIns(own).claim("me", 60.0)
    assert claimed is not None
    HandIns(own).accept(claimed.claim, VERSION, titled, HandInEnd(1))
    at = f"/hand-ins/{id}"
    assert 'id="rejudge"' in house.get(at, **ann).text
    assert house.get("/hand-ins", **ann).text.count('name="hand_in"') == 1
    assert house.post(f"{at}/rejudge", data={"reason": "mended"}, headers=ann).status_code == 303
    page = house.get(at, **club).text
    assert "plays as version 1, and waits to be checked again" in page
    assert 'id="cancel"' not in page
    refused = house.post(f"{at}/cancel", headers=club)
    assert (refused.status_code, "which only organisers can cancel" in refused.text) == (403, True)
    assert HandIns(own).find(id).state == "received"
    assert 'id="cancel"' in house.get(at, **ann).text
    assert house.post(f"{at}/cancel", headers=ann).status_code == 303
    page = house.get(at, **club).text
    assert "plays as version 1; it was to be checked again, which was cancelled" in page
    assert "open its page" in page


def test_an_organiser_marks_those_in_the_list_that_are_checked_again(house: Client, own: Store) -> None:
    club, ann = signed_in(house, token(own, "club")), signed_in(house, token(own, "ann", "organiser"))
    ids = [refused(own, f"club/owl{n}") for n in range(3)]
    assert 'id="rejudge"' not in house.get("/hand-ins", **club).text
    assert house.get("/hand-ins", **ann).text.count('name="hand_in"') == 3
    assert house.post("/hand-ins/rejudge", data={"hand_in": "1", "reason": "mended"}, headers=club).status_code == 403
    for wrong in ("", "x", "9" * 20):
        data: dict[str, str | list[str]] = {"hand_in": wrong, "reason": "mended"}
        assert house.post("/hand-ins/rejudge", data=data, headers=ann).status_code == 422
    data = {"hand_in": [str(ids[0]), str(ids[2])], "reason": "mended"}
    assert house.post("/hand-ins/rejudge", data=data, headers=ann).status_code == 303
    assert [HandIns(own).find(id).state for id in ids] == ["received", "refused", "received"]
