"""Grants and secrets of single bots, as an organiser gives them, in real tournaments and matches."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.packs.roster import Roster
from arena.plan.eventfile.event_reader import read_event
from arena.plan.grants import grant
from arena.plan.match_prefix import bot_of_seat, bots_of_match
from arena.store import open_store
from arena.values.definition import Entrant
from arena.values.tournament_errors import FieldError
from tests import installed
from tests.looker import KEY, go_among_lookers


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two bots that tell what they have, and a key in the environment."""
    return go_among_lookers(tmp_path, monkeypatch)


def arena(*arguments: str) -> Result:
    return CliRunner().invoke(main, [*arguments, "--db", "a.db"], catch_exceptions=False)


def notes_by_bot() -> dict[int, str]:
    """Return what each bot noted last, by its place in the field."""
    with open_store("a.db") as store:
        ids = [match.id for match in store.matches(tournament=1)]
        rows = [store.match(id).row for id in ids]
    said = [(row.seats[note.seat].entrant, note.text) for row in rows for note in row.notes]
    return {entrant: text for entrant, text in said if text.startswith("has ")}


TOURNEY = ("tourney", "--game", "cambio", "--bots", "./a.py,./b.py")


@pytest.mark.processes
def test_only_the_granted_bot_has_what_is_granted_and_nothing_keeps_its_key(folder: Path) -> None:
    granted = ("--grant", "a=network,device:/dev/full", "--secret", "a:THE_KEY")
    done = arena(*TOURNEY, "--rounds", "1", "--seed", "1", *granted)
    assert done.exit_code == 0, done.output
    rows = [line.split() for line in done.output.splitlines() if " cambio" not in line]
    assert next(row for row in rows if row[1:2] == ["a"])[-2:] == ["network,", "device:/dev/full"]
    assert next(row for row in rows if row[1:2] == ["b"])[-1] == "-"
    assert "grants: what the organiser gave single bots beyond others" in done.output
    assert notes_by_bot() == {
        0: f"has network and a key of {len(KEY)}: [secret]",
        1: "has nothing and a key of 4: none",
    }
    with open_store("a.db") as store:
        match = store.match(store.matches(tournament=1)[0].id)
        assert [bot.grants for bot in bots_of_match(match, (), Roster())] == [(), ()], "a match that goes on has none"
        assert [bot_of_seat(match, seat, (), Roster()).grants for seat in (0, 1)] == [(), ()]
    ranking = json.loads(arena("ranking", "1", "--json").output)["ranking"]
    assert {row["bot"]: row["grants"] for row in ranking} == {"a": ["network", "device:/dev/full"], "b": []}
    assert "network device:/dev/full" in arena("ranking", "1", "--csv").output
    assert "a is granted network, device:/dev/full\n" in done.stderr
    assert "a is granted network, device:/dev/full\n" in arena("tourney", "show", "1").output
    assert arena(*TOURNEY, "--rounds", "1").exit_code == 0
    pooled = json.loads(arena("ranking", "1", "2", "--json").output)["ranking"]
    assert {row["bot"]: row["grants"] for row in pooled} == {"a": ["network", "device:/dev/full"], "b": []}
    arena("tourney", "export", "1", "--to", "exported")
    assert arena("tourney", "verify", "1").exit_code == 0
    written = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert {path.name for path in written} >= {"a.db", "exported"}
    assert not [path for path, content in written.items() if KEY.encode() in content]
    assert KEY not in done.output


def test_a_grant_is_part_of_the_definition_and_none_changes_no_hash() -> None:
    def definition_hash(*options: str) -> str:
        event = json.loads(arena(*TOURNEY, "--rounds", "1", "--entropy", "a lottery", "--json", *options).output)
        return str(event["definition_hash"])

    plain, again, granted = definition_hash(), definition_hash(), definition_hash("--grant", "b=network")
    assert plain == again != granted
    with open_store("a.db") as store:
        definitions = [store.tournament(number).definition for number in (1, 3)]
    assert '"grants"' not in definitions[0].text
    assert definitions[1].grants == {1: ("network",)}
    shown = arena("tourney", "show", "3", "--toml").output
    assert 'grants = ["network"]' in shown
    Path("event.toml").write_text(shown)
    again_granted = read_event(Path("event.toml"), Roster()).definition
    assert [bot.grants for bot in again_granted.field] == [(), ("network",)]


@pytest.mark.processes
def test_a_tournament_that_is_resumed_keeps_its_grants_and_is_handed_its_key_anew() -> None:
    assert arena(*TOURNEY, "--rounds", "1", "--entropy", "a lottery", "--grant", "a=network").exit_code == 0
    done = arena("tourney", "resume", "1", "--entropy", "7 9 13", "--secret", "a:THE_KEY")
    assert done.exit_code == 0, done.output
    assert notes_by_bot() == {
        0: f"has network and a key of {len(KEY)}: [secret]",
        1: "has nothing and a key of 4: none",
    }


def test_the_plan_names_grants() -> None:
    plan = arena(*TOURNEY, "--grant", "b=network", "--dry-run")
    assert "b is granted network" in plan.output
    assert json.loads(arena(*TOURNEY, "--grant", "b=network", "--dry-run", "--json").output)["grants"] == {
        "b": ["network"]
    }


@pytest.mark.processes
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--dry-run", "--grant", "c=network"], 'there is no bot "c" in the field'),
        (["--dry-run", "--grant", "a=internet"], 'there is no grant "internet": it is network, or device:/dev/NAME'),
        (["--grant", "a"], '"a" is not BOT=GRANT'),
        (["--dry-run", "--grant", "a=device:/etc/shadow"], 'there is no grant "device:/etc/shadow"'),
        (["--grant", "a=device:/dev/shm"], "it is no character device"),
        (["--grant", "a=device:/dev/nothing-here"], "No such file or directory"),
        (["--secret", "c:THE_KEY"], 'there is no bot "c" in the field'),
        (["--secret", "a:NO_SUCH_VARIABLE"], "the variable NO_SUCH_VARIABLE is not set"),
        (["--secret", "THE_KEY"], "is not BOT:VARIABLE"),
        *installed.of(
            "cluster",
            (["--grant", "a=network", "--executor", "ray"], "use --executor local"),
            (["--secret", "a:THE_KEY", "--executor", "ray"], "leaves this machine with no bot"),
        ),
    ],
)
def test_a_mistake_ends_in_a_sentence(options: list[str], said: str) -> None:
    done = arena(*TOURNEY, *options)
    assert done.exit_code == 2
    assert said in done.output
    assert KEY not in done.output


@pytest.mark.processes
def test_a_bot_that_asks_for_a_grant_is_told_so_and_gets_nothing(folder: Path) -> None:
    (folder / "asking").mkdir()
    (folder / "a.py").rename(folder / "asking/main.py")
    manifest = 'language = "python"\ncommand = ["python3", "main.py"]\nneeds = ["network"]\n'
    (folder / "asking/bot.toml").write_text(manifest)
    match = arena("match", "--game", "cambio", "./asking", "random", "--seed", "3")
    assert match.exit_code == 0, match.output
    with open_store("a.db") as store:
        notes = [note.text for note in store.match(1).row.notes if note.text.startswith("has ")]
    assert set(notes) == {"has nothing and a key of 4: none"}
    (folder / "asking/main.py").write_text("raise SystemExit('not today')")  # so that the check is short
    checked = arena("check", "./asking", "--game", "cambio")
    assert "grants: it asks for network, which only the organiser of a tournament or league can grant" in checked.output


def test_a_bot_is_named_as_it_is_shown_or_as_it_was_submitted() -> None:
    def bot(name: str, submission: str = "") -> Entrant:
        return Entrant(name, ("bot",), "/", (), "00", submission)

    owl, crow = bot("club/owl", "club/owl@3"), bot("crow")
    for name in ("club/owl", "club/owl@3"):
        assert [each.grants for each in grant((owl, crow), [(name, "network")])] == [("network",), ()]
    two = (bot("club/owl@3", "club/owl@3"), bot("club/owl@4", "club/owl@4"))
    assert [each.grants for each in grant(two, [("club/owl@4", "network")])] == [(), ("network",)]
    with pytest.raises(FieldError, match="club/owl could be club/owl@3 or club/owl@4: name one of them"):
        grant(two, [("club/owl", "network")])
    with pytest.raises(FieldError, match="far is not started by arena"):
        grant((owl, Entrant("far", (), "", (), "00", remote="far")), [("far", "network")])
    with pytest.raises(FieldError, match='there is no bot ""'):
        grant((crow,), [("", "network")])
