"""Signing in, submitting bots and following their checks; access of each role."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.sdk import ask
from arena.sdk.recorded_question import parse_question
from arena.store import Store, open_store
from arena.store.rows import OutputRow
from arena.submissions.build import BuildTerms
from arena.tournament.run.hosting import Hosting
from arena.web.access import VISITOR
from arena.web.hosted_matches import PlaySessions
from arena.web.sessions import Sessions
from arena.web.submission_queue import SubmissionQueue
from referee.games.cambio import CAMBIO
from sample_bots import SAMPLES
from tests import played
from tests.web.conftest import Client


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
def submissions(own: Store) -> Iterator[SubmissionQueue]:
    made = SubmissionQueue(own, Hosting(), BuildTerms())
    yield made
    made.close()


@pytest.fixture
def house(own: Store, submissions: SubmissionQueue) -> Client:
    return Client(own, VISITOR, submissions=submissions, play_sessions=PlaySessions(own, Hosting()))


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


def done(
    house: Client, submissions: SubmissionQueue, who: dict[str, str], name: str, file: str, content: bytes
) -> dict[str, object]:
    """Hand in a bot, wait until it was checked, and return what is told of it."""
    answer = house.post("/submit", content=content, params={"name": name, "file": file}, headers=who)
    assert answer.status_code == 200, answer.text
    submissions.close()
    told: dict[str, object] = house.get(f"/submissions/{answer.json()['key']}", **who).json()
    assert told["over"]
    return told


RANDOM = SAMPLES["random"].path.read_bytes()
TOML = b'language = "python"\ncommand = ["python3", "main.py"]\ngames = ["hypp"]\n'


def zipped(**files: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return whole.getvalue()


def test_a_submitted_bot_is_checked_and_plays_under_its_name(
    house: Client, submissions: SubmissionQueue, own: Store
) -> None:
    who = signed_in(house, token(own, "club"))
    assert 'value="club/"' in house.get("/submit", **who).text
    told = done(house, submissions, who, "club/owl", "owl.zip", zipped(mybot__bot_toml=TOML, mybot__main_py=RANDOM))
    assert told["accepted"], told
    assert str(told["sentence"]).startswith("club/owl is accepted as version 1")
    assert [row.title for row in own.submissions.all()] == ["club/owl@1"]
    again = done(house, submissions, who, "club/owl", "owl.zip", zipped(mybot__bot_toml=TOML, mybot__main_py=RANDOM))
    assert "is unchanged since version 1" in str(again["sentence"])
    page = house.get("/bots/club/owl", **who)
    assert page.status_code == 200
    assert "club/owl@1" in page.text
    assert "This bot has not played yet." in page.text
    assert 'href="/bots/club/owl"' in house.get("/bots").text, "visitors find it too"


def test_a_bot_that_does_not_play_is_refused_with_the_report(
    house: Client, submissions: SubmissionQueue, own: Store
) -> None:
    who = signed_in(house, token(own, "club"))
    told = done(house, submissions, who, "club/owl", "owl.py", b"print('<script>alert(1)</script>')\n")
    assert not told["accepted"]
    assert "is refused" in str(told["sentence"])
    assert own.submissions.all() == []


WRONG = b"""
from arena.sdk import Bot

class Wrong(Bot):
    games = ("hypp",)

    def choose(self, question):
        asked = question.match.memory["asked"] = question.match.memory.get("asked", 0) + 1
        return "fly" if asked == 2 else question.legal[0]

Wrong().run()
"""


def test_the_author_of_a_refused_bot_gets_the_question_and_the_log(
    house: Client, submissions: SubmissionQueue, own: Store
) -> None:
    who = signed_in(house, token(own, "club"))
    before = own.matches()
    answer = house.post("/submit", content=WRONG, params={"name": "club/owl", "file": "owl.py"}, headers=who)
    submissions.close()
    address = f"/submissions/{answer.json()['key']}"
    [found] = house.get(address, **who).json()["found"]
    assert (found["step"], found["has_log"]) == ("plays hypp", True)
    assert found["sentence"].startswith('illegal: it answered "fly"')
    file = house.get(f"{address}/questions/1", **who)
    assert file.headers["content-disposition"] == 'attachment; filename="1-plays-hypp.json"'
    assert file.headers["cache-control"] == "no-store"
    question = parse_question(file.content)
    assert (question.game, question.question.fault) == ("hypp", found["sentence"])
    assert ask(lambda asked: asked.legal[0], question).move == question.question.legal[0]
    log = house.get(f"{address}/logs/1", **who)
    assert log.headers["content-type"] == "text/plain; charset=utf-8"
    assert f"!  seat {question.seat}: illegal" in log.text
    stranger = signed_in(house, token(own, "other"))
    for path in (f"{address}/questions/1", f"{address}/logs/1"):
        assert house.get(path, **stranger).status_code == 403
        assert house.get(path).status_code == 403
    for path in (f"{address}/questions/2", f"{address}/questions/0", f"{address}/logs/9", "/submissions/x/logs/1"):
        assert house.get(path, **who).status_code == 404
    assert own.matches() == before, "the database keeps nothing of a refused bot"


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("owl.exe", b"x", "send a Python file (.py), or a folder with a bot.toml"),
        ("owl.zip", b"no zip", "the zip file cannot be read"),
        ("owl.tar.gz", b"no tar", "the tar file cannot be read"),
        ("owl.zip", zipped(), "owl.zip has no files"),
        ("owl.zip", zipped(readme_txt=b"x"), "bot.toml"),
    ],
)
def test_files_that_are_not_bots_have_error_messages(
    house: Client, submissions: SubmissionQueue, own: Store, file: str, content: bytes, sentence: str
) -> None:
    told = done(house, submissions, signed_in(house, token(own, "club")), "club/owl", file, content)
    assert sentence in str(told["sentence"])


def test_visitors_see_public_pages(house: Client, own: Store) -> None:
    page = house.get("/").text
    assert 'href="/sign-in"' in page
    assert 'href="/submit"' not in page
    assert house.get("/submit").status_code == 403
    assert house.get("/play").status_code == 403
    assert "thought" not in house.get("/matches/1/story").text
    assert house.post("/submit", params={"name": "club/owl", "file": "x.py"}, content=b"x").status_code == 403


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
        "/submit", params={"name": "club/owl", "file": "x.py"}, content=b"x", headers=author
    ).text  # fmt: skip


def test_a_pending_submission_is_shown_to_its_author_alone(
    house: Client, submissions: SubmissionQueue, own: Store
) -> None:
    author, other = signed_in(house, token(own, "club")), signed_in(house, token(own, "fox"))
    organiser = signed_in(house, token(own, "boss", "organiser"))
    answer = house.post("/submit", params={"name": "club/owl", "file": "x.exe"}, content=b"x", headers=author)
    at = f"/submissions/{answer.json()['key']}"
    assert [house.get(at, **who).status_code for who in (author, other, organiser, {})] == [200, 403, 200, 403]
    assert house.get("/submissions/none", **author).status_code == 404


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


def test_uploads_are_limited_in_size_and_number(house: Client, submissions: SubmissionQueue, own: Store) -> None:
    who = signed_in(house, token(own, "club"))
    query = {"name": "club/owl", "file": "x.exe"}
    assert house.post("/submit", params=query, content=bytes(9 * 1024 * 1024), headers=who).status_code == 413
    answers = []
    for _ in range(20):
        answers.append(house.post("/submit", params=query, content=b"x", headers=who).status_code)
        submissions.close()
    assert answers == [200] * 19 + [429]


def test_cross_site_requests_neither_sign_in_nor_submit(house: Client, own: Store) -> None:
    secret = token(own, "club")
    assert house.post("/sign-in", "cross-site", data={"token": secret}).status_code == 403
    who = signed_in(house, secret)
    query = {"name": "club/owl", "file": "x.py"}
    assert house.post("/submit", "cross-site", params=query, content=b"x", headers=who).status_code == 403


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
