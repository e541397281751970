"""`arena accounts`: tokens with scopes, invitations, rosters, new tokens, closing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.bots.hand_ins import HandIns
from arena.cli import main, output
from arena.league.store.leagues import Leagues
from arena.run.remote.tokens import token_hash
from arena.server.access import Access
from arena.server.matches.replay_cache import ReplayCache
from arena.store import open_store
from arena.store.people.submissions import PackRow
from arena.values.rows import OutputRow
from arena.values.terminal_width import cells_of
from referee.games.cambio import CAMBIO
from tests import leagues, played


@pytest.fixture
def db(tmp_path: Path) -> str:
    return str(tmp_path / "arena.db")


def run(db: str, *words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["accounts", *words, "--db", db])
    assert result.exit_code == code, result.output
    return result


def test_an_account_has_several_tokens_each_with_its_scopes(db: str) -> None:
    run(db, "create", "club")
    made = run(db, "tokens", "create", "club", "--scope", "submit", "--scope", "read", "--label", "ci", "--days", "9")
    secret = made.stdout.strip()
    run(db, "tokens", "create", "club", "--scope", "read")
    first, second = json.loads(run(db, "tokens", "list", "club", "--json").stdout)["tokens"]
    assert (first["label"], first["scopes"], second["expires"]) == ("ci", "submit read", "")
    assert secret not in Path(db).read_bytes().decode("latin-1"), "only its hash is kept"
    with open_store(db) as store:
        identity = store.account_tokens.identify(token_hash(secret))
        assert identity is not None
        assert (identity.account.name, sorted(identity.scopes)) == ("club", ["read", "submit"])
    run(db, "tokens", "revoke", first["token"])
    with open_store(db) as store:
        assert store.account_tokens.identify(token_hash(secret)) is None
    assert "there is no token 1" in run(db, "tokens", "revoke", "1", code=2).output


def test_what_is_known_of_a_person_is_stored_and_listed(db: str) -> None:
    run(db, "create", "kim-minsu", "--display-name", "김민수")
    run(db, "create", "ann")
    given: tuple[str, ...] = ("--display-name", "Müller, Ann", "--email", "ann@example.org", "--id-number", "4711")
    given += ("--group", "Section 2")
    run(db, "describe", "ann", *given)
    table = run(db, "list").stdout.splitlines()
    assert table[0] == "account    display name  role    group      created"
    assert table[2].startswith("ann        Müller, Ann   author  Section 2  2")
    assert table[3].startswith("kim-minsu  김민수        author             2")
    assert max(map(cells_of, table)) <= 80
    ann, kim = json.loads(run(db, "list", "--json").stdout)["accounts"]
    assert (ann["display_name"], ann["email"], ann["id_number"]) == ("Müller, Ann", "ann@example.org", "4711")
    assert (kim["display_name"], kim["email"]) == ("김민수", None)
    run(db, "describe", "ann", "--email", "", "--group", "")
    ann, _ = json.loads(run(db, "list", "--json").stdout)["accounts"]
    assert (ann["email"], ann["group"], ann["id_number"]) == (None, None, "4711")
    for words, sentence in (
        (("describe", "ann"), "say what is known"),
        (("describe", "elk", "--group", "1"), "there is no account elk"),
        (("describe", "ann", "--email", "ann at home"), '"ann at home" is no e-mail address'),
        (("describe", "ann", "--id-number", "x" * 81), "an ID number has at most 80 characters"),
        (("describe", "ann", "--display-name", "a/b"), 'may not have "/"'),
        (("create", "bob", "--display-name", "a/b"), 'may not have "/"'),
    ):
        assert sentence in run(db, *words, code=2).output


def test_a_team_is_made_changed_and_listed(db: str) -> None:
    for name in ("ann", "bob", "eve"):
        run(db, "create", name)
    with open_store(db, write=True) as store:
        leagues.submit(store, "ann/owl")
    made = run(db, "teams", "create", "lab", "ann", "bob", "--display-name", "Labor 3")
    assert "bots of members that stay their own: ann/owl;" in made.output
    assert "the team lab has 2 members" in made.output
    run(db, "teams", "add", "lab", "eve")
    run(db, "teams", "remove", "bob", "ann")
    assert run(db, "teams", "list").stdout.splitlines()[2:] == ["lab   eve"]
    assert json.loads(run(db, "teams", "list", "--json").stdout) == {"teams": [{"team": "lab", "members": ["eve"]}]}
    assert "lab" in run(db, "list").stdout
    link = json.loads(run(db, "invite", "--team", "lab", "--json").stdout)
    assert link["team"] == "lab"
    for words, sentence in (
        (("teams", "create", "lab"), "there is a team lab already"),
        (("teams", "create", "Lab 3"), 'cannot be named "Lab 3"'),
        (("teams", "add", "fox", "bob"), "there is no team fox"),
        (("teams", "remove", "bob"), "bob is in no team"),
        (("reset", "lab"), "nobody signs in as lab"),
        (("tokens", "create", "lab", "--scope", "read"), "lab is a team: its members have tokens of their own"),
        (("invite", "--team", "fox"), "there is no team fox"),
        (("invite", "--team", "lab", "--role", "organiser"), "--team is for authors"),
    ):
        assert sentence in run(db, *words, code=2).output


def test_a_board_names_people_and_fits_a_terminal(db: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_is_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    with open_store(db, create=True) as store:
        league = leagues.cambio(store)
        for name in ("kim/owl", "fox/hen"):
            Leagues(store).enter(league.id, leagues.entry(leagues.submit(store, name)), "arena")
        store.accounts.add("kim", "author", "1" * 64)
    board = ("league", "board", "cambio", "--db", db)
    with open_store(db, write=True) as store:
        store.accounts.describe("kim", display_name="田中さくらと申します。よろしくお願いいたします")
    lines = CliRunner().invoke(main, (*board, "--names")).output.splitlines()
    [heading] = [line for line in lines if line.lstrip().startswith("rank")]
    [row] = [line for line in lines if "kim/owl" in line]
    [other] = [line for line in lines if "fox/hen" in line]
    assert "  fox  " in other
    assert "  田中さくらと申します。 " in row
    assert "  よろしくお願いいたしま" in lines[lines.index(row) + 1]
    assert max(map(cells_of, lines)) <= 80
    assert cells_of(heading[: heading.index("state")]) == cells_of(row[: row.index("placing")])
    assert json.loads(CliRunner().invoke(main, (*board, "--json")).output)["rows"][0]["display_name"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("tokens", "create", "elk", "--scope", "read"), "there is no account elk"),
        (("tokens", "create", "club", "--scope", "manage"), "club is an author, who may not manage"),
        (("tokens", "create", "club"), "Missing option '--scope'"),
        (("reset", "elk"), "nobody signs in as elk"),
        (("close", "elk", "--yes"), "there is no account elk"),
        (("close", "samples", "--yes"), "samples is the name of no account"),
        (("invite", "club"), "club has an account"),
        (("invite", "club/owl"), "is no account name, as it has a slash"),
    ],
)
def test_mistakes_are_sentences(db: str, words: tuple[str, ...], sentence: str) -> None:
    run(db, "create", "club")
    assert sentence in run(db, *words, code=2).output


def test_a_reset_revokes_all_tokens(db: str) -> None:
    old = run(db, "create", "club").stdout.strip()
    scoped = run(db, "tokens", "create", "club", "--scope", "read").stdout.strip()
    new = run(db, "reset", "club").stdout.strip()
    with open_store(db) as store:
        known = [store.account_tokens.identify(token_hash(token)) is not None for token in (old, scoped, new)]
    assert known == [False, False, True]


def test_revoking_an_account_revokes_its_tokens(db: str) -> None:
    run(db, "create", "club")
    scoped = run(db, "tokens", "create", "club", "--scope", "read").stdout.strip()
    run(db, "revoke", "club")
    with open_store(db) as store:
        assert store.account_tokens.identify(token_hash(scoped)) is None
        assert store.account_tokens.all() == []


def test_an_invitation_makes_one_account(db: str) -> None:
    link = run(db, "invite", "--url", "https://arena.example/").stdout.strip()
    base, _, secret = link.rpartition("/")
    assert base == "https://arena.example/invitations"
    with open_store(db, write=True) as store:
        assert store.invitations.accept(token_hash(secret), "club", "1" * 64)
        assert not store.invitations.accept(token_hash(secret), "fox", "2" * 64), "only once"
        assert [(row.name, row.role) for row in store.accounts.all()] == [("club", "author")]
        store.invitations.add("", "author", "3" * 64, "2026-01-01T00:00:00+00:00")
        assert not store.invitations.accept("3" * 64, "elk", "4" * 64), "it has expired"


def test_closing_an_account_wipes_what_its_owner_wrote_and_keeps_results(
    db: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    unpacked = [tmp_path / "cache" / "bots" / (letter * 64) for letter in "ab"]
    for folder in unpacked:
        folder.mkdir(parents=True)
        (folder / "main.py").write_text("my code")
        folder.chmod(0o555)
    run(db, "create", "club")
    with open_store(db, write=True) as store:
        event = played.tournament(CAMBIO, matches=1)
        field = (replace(event.entrants[0], name="club/owl"), *event.entrants[1:])
        row = played.match(CAMBIO, notes=True)
        seat = next(place for place, each in enumerate(row.seats) if each.entrant == 0)
        number = store.add_tournament(replace(event, entrants=field))
        store.add_matches(number, [row], [OutputRow(row.phase, row.seats[seat].player, 0, "secret output")])
        store.finish_tournament(number)
        shared, own = PackRow("a" * 64, b"shared", 1, 6), PackRow("b" * 64, b"my code", 1, 7)
        store.submissions.add("club/owl", own, shared, {"games": [], "author": "Me"}, {"steps": ["mine"]})
        store.submissions.add("fox/hen", shared, shared, {"games": []}, {"steps": []})
        HandIns(store).receive("club", "club/owl", "owl.py", b"my code")
        league = leagues.league(store)
        entry = Leagues(store).enter(league.id, leagues.entry(store.submissions.version("club/owl", 1)), "arena")
    assert run(db, "close", "club", code=1).output.endswith("Aborted!\n")
    with open_store(db) as store:
        replays, everything = ReplayCache(store), Access()
        assert seat in {note.seat for note in replays.of(everything, 1).match.row.notes}
        closed = run(db, "close", "club", "--yes", "--by", "ann").stdout
        assert seat not in {note.seat for note in replays.of(everything, 1).match.row.notes}, "as it was kept"
    assert [folder.exists() for folder in unpacked] == [True, False]
    assert [each.name for each in (tmp_path / "cache" / "bots").iterdir()] == ["a" * 64]
    assert "wiped: versions of bots 1, hand-ins 1" in closed
    with open_store(db) as store:
        match = store.match(1)
        assert {note.seat for note in match.row.notes} == {0, 1, 2, 3} - {seat}
        assert match.outputs[seat].text == ""
        assert [each.rank for each in match.row.seats] == [each.rank for each in row.seats], "results stay"
        assert store.submissions.archive("a" * 64) == b"shared", "another owner's files stay"
        assert b"my code" not in store.submissions.archive("b" * 64)
        assert store.submissions.version("club/owl", 1).retired is not None
        assert store.submissions.version("club/owl", 1).manifest["author"] == ""
        assert HandIns(store).newest(None, 9) == []
        assert store.accounts.all() == []
        entries = {each.number: each.state for each in Leagues(store).entries(league.id)}
        assert entries[entry.number] == "retired"
        assert Leagues(store).log(league.id)[-1].who == "ann"
