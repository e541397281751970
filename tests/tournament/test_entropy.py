"""Entropy: what is mixed into a secret after its hash is published."""

import hmac
import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.plan.entropy import (
    entropy_problems,
    late_entries,
    normalise,
)
from arena.results.archive.exporting import items
from arena.results.archive.importing import Archive
from arena.results.control import mix_entropy
from arena.results.stored_tournament import StoredTournament
from arena.results.verification import check
from arena.store import Store, open_store
from arena.values.tournament_errors import PlanError
from referee.engine.chance import deal_seed, mixed_secret
from tests import played
from tests.guessing import GUESSING

pytestmark = pytest.mark.usefixtures("in_process")

WHAT = "numbers of the lottery of 5 December"
VALUE = "3 17 22 31 40 42"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_DB", raising=False)


def arena(*words: str) -> Result:
    return CliRunner().invoke(main, list(words), prog_name="arena")


def tourney(*words: str) -> Result:
    return arena("tourney", *words)


def test_a_secret_is_mixed_as_it_is_told() -> None:
    secret = bytes(range(32))
    told = hmac.digest(secret, b"entropy/3 17 \xc3\xbc", "sha256")
    assert mixed_secret(secret, "3 17 ü") == told
    assert told.hex() == "292a258db8b07ba3f4400de3cea38008d2eb41dcee9e4a8a526bc2769b39b748"


def test_a_tournament_awaits_its_value_and_is_played_and_verified_with_it() -> None:
    begun = tourney("--game", "cambio", "--bots", "random,random", "--rounds", "2", "--entropy", WHAT)
    assert begun.exit_code == 0, begun.output
    assert begun.stdout.splitlines()[0] == f"tournament 1 awaits its entropy: {WHAT}"
    assert "resume 1 --entropy" in begun.stderr
    with open_store("arena.db") as store:
        before = store.tournament(1)
        assert store.played(1) == set()
    assert (before.awaited_entropy, before.entropy, before.mixed_secret) == (WHAT, None, before.secret)
    assert before.secret_hash in begun.stdout
    assert before.definition_hash in begun.stdout
    refused = tourney("resume", "1")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"awaits its entropy ({WHAT})" in refused.stderr
    assert "entropy is awaited" in arena("ranking", "1").stdout.lower()
    assert "awaits entropy" in tourney("list").stdout
    assert tourney("verify", "1").exit_code == 0

    done = tourney("resume", "1", "--entropy", f" {VALUE} ", "--sandbox", "off", "--trust-bots")
    assert done.exit_code == 0, done.output
    assert f"Entropy {VALUE} ({WHAT})" in done.stdout
    with open_store("arena.db") as store:
        after = store.tournament(1)
        assert (after.awaited_entropy, after.entropy, after.secret) == ("", VALUE, before.secret)
        match = store.match(1).row
    assert match.seed == deal_seed(mixed_secret(before.secret, VALUE), match.deal)
    assert match.seed != deal_seed(before.secret, match.deal)
    true = tourney("verify", "1", "--hash", before.secret_hash, "--entropy", VALUE)
    assert (true.exit_code, true.stdout) == (0, "tournament 1: 4 matches checked, no errors\n")
    wrong = tourney("verify", "1", "--entropy", "1 2 3 4 5 6")
    assert wrong.exit_code == 1
    assert f'its entropy is "{VALUE}", not "1 2 3 4 5 6"' in wrong.stdout
    assert arena("verify", "1").exit_code == 0
    assert tourney("resume", "1", "--entropy", VALUE, "--sandbox", "off", "--trust-bots").exit_code == 0, (
        "the same again"
    )
    other = tourney("resume", "1", "--entropy", "7")
    assert other.exit_code == 2
    assert f'the entropy of tournament 1 is "{VALUE}" already' in other.stderr
    assert f'entropy "{VALUE}" is mixed into the secret' in tourney("log", "1").stdout
    shown = json.loads(tourney("show", "1", "--json").stdout)
    assert (shown["entropy"], shown["definition"]["entropy"]) == (VALUE, WHAT)
    Path("again.toml").write_text(tourney("show", "1", "--toml").stdout)
    again = json.loads(tourney("run", "again.toml", "--json").stdout)
    assert (again["awaits"], again["definition_hash"]) == (WHAT, before.definition_hash)
    assert again["seed_hash"] != before.secret_hash
    assert WHAT in tourney("run", "again.toml", "--dry-run").stdout


@pytest.mark.parametrize("bare", [False, True])
def test_an_archive_takes_it_along(bare: bool) -> None:
    with open_store("a.db", create=True) as store, open_store("b.db", create=True) as other:
        stored(store)
        archive = Archive.of(lambda: items(store, 1, bare=bare), "a")
        archive.take_in(other, archive.place(other))
        assert other.tournament(1).entropy == VALUE
        assert other.tournament(1).mixed_secret == store.tournament(1).mixed_secret
        assert list(items(other, 1, bare=True)) == list(items(store, 1, bare=True))
        assert not list(entropy_problems(other.tournament(1), other.decisions(1), played=True))


def stored(store: Store, value: str | None = VALUE) -> None:
    """Store a tournament that awaits a value, and tell it."""
    frame = played.tournament(GUESSING, matches=20)
    number = store.add_tournament(played.planned(frame, entropy=WHAT))
    if value is not None:
        mix_entropy(StoredTournament.load(store, number), value, "ann")


def found(store: Store) -> list[str]:
    ((_, verdict),), *_ = next(iter(check(StoredTournament.load(store, 1))))
    return list(verdict.wrong)


def test_a_value_is_mixed_in_once_whoever_looked_before() -> None:
    with open_store("a.db", create=True) as store:
        stored(store, None)
        before = StoredTournament.load(store, 1)
        mix_entropy(before, VALUE, "ann")
        with pytest.raises(PlanError, match=f'the entropy of tournament 1 is "{VALUE}" already'):
            mix_entropy(before, "4 5 6", "bob")
        assert mix_entropy(before, f" {VALUE.replace(' ', '  ')}\n", "bob").row.entropy == VALUE
        assert [entry.details for entry in store.decisions(1) if entry.kind == "entropy"] == [{"value": VALUE}]


def test_a_value_has_one_spelling() -> None:
    assert normalise(" 3  17 u\u0308 ") == "3 17 \xfc"
    with open_store("a.db", create=True) as store:
        stored(store, "3 17 \xfc")
        ((_, same),), *_ = next(iter(check(StoredTournament.load(store, 1), entropy="3  17 u\u0308")))
        ((_, other),), *_ = next(iter(check(StoredTournament.load(store, 1), entropy="3 17 u")))
        assert same.wrong == ()
        assert other.wrong == ('its entropy is "3 17 \xfc", not "3 17 u"',)


def test_who_enters_once_the_value_is_known_is_told() -> None:
    with open_store("a.db", create=True) as store:
        stored(store, None)
        bot = {"command": ["./bot"], "folder": "/bots", "sha256": "0" * 64}
        store.append_decision(1, "ann", "enter", {"place": 4, "bot": {"name": "early", **bot}})
        mix_entropy(StoredTournament.load(store, 1), VALUE, "ann")
        store.append_decision(1, "ann", "enter", {"place": 5, "bot": {"name": "late", **bot}})
        sentence = "late entered after the entropy was known, when the organiser could know all deals"
        assert list(late_entries(store.decisions(1))) == [sentence]


def test_nobody_has_the_deals_of_a_tournament_that_awaits_its_value() -> None:
    tourney("--game", "cambio", "--bots", "random,random", "--rounds", "2", "--entropy", WHAT)
    refused = tourney("--game", "cambio", "--bots", "random,random", "--rounds", "2", "--deals-of", "1")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"awaits its entropy ({WHAT})" in refused.stderr
    with open_store("arena.db") as store:
        assert [each.id for each in store.tournaments()] == [1]


def test_what_was_not_mixed_in_as_it_should_is_told() -> None:
    with open_store("a.db", create=True) as store:
        stored(store, None)
        assert found(store) == []
        store.add_matches(1, [played.match(GUESSING)])
        assert found(store) == [f"it has matches, but its entropy ({WHAT}) was not mixed in"]
        store.append_decision(1, "arena", "leg", {"leg": 0})
        mix_entropy(StoredTournament.load(store, 1), VALUE, "ann")
        assert found(store) == ["its entropy was mixed in after its first matches were dealt"]
        tournament = store.tournament(1)
        log = store.decisions(1)
        (sentence, _) = entropy_problems(replace(tournament, entropy="8"), log, played=True)
        assert sentence == f"by its log the entropy is {VALUE}, but 8 was mixed in"
        unnamed = played.planned(tournament, entropy="")
        problems = entropy_problems(unnamed, [], True)
        assert f'entropy "{VALUE}" is mixed into its secret, but its definition names none' in problems


def test_what_cannot_be_mixed_in_is_a_sentence() -> None:
    with open_store("a.db", create=True) as store:
        store.add_tournament(played.tournament(GUESSING))
        with pytest.raises(PlanError, match="awaits no entropy"):
            mix_entropy(StoredTournament.load(store, 1), VALUE, "ann")
    for value in ("", " "):
        refused = tourney("--game", "cambio", "--bots", "random,random", "--entropy", value)
        assert (refused.exit_code, "it must be a text of at least one character" in refused.stderr) == (2, True)
    for value in ("a\nb", "x" * 1001):
        refused = tourney("--game", "cambio", "--bots", "random,random", "--entropy", value)
        assert refused.exit_code == 2
        assert "entropy is one line of 1 to 1,000 printable characters" in refused.stderr
    for words, name in ((["--seed", "1"], "--seed"), (["--deals-of", "1"], "--deals-of")):
        refused = tourney("--game", "cambio", "--bots", "random,random", "--entropy", WHAT, *words)
        assert (refused.exit_code, f"--entropy and {name} exclude each other" in refused.stderr) == (2, True)
