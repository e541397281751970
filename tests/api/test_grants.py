"""Grants, secrets and clocks of bots in processes, as callers of the library give them."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.api import ArenaError, Bot, Match, Question, play, resume_tournament, tournament
from arena.api.field import BotSpec
from arena.cli import main
from arena.results.control import mix_entropy
from arena.results.stored_tournament import StoredTournament
from arena.sdk import Match as SdkMatch
from arena.store import open_store
from arena.values.definition import TimeControl
from arena.values.tournament_errors import FieldError, PlanError
from tests.api.bots import SHORT, first
from tests.looker import KEY, go_among_lookers


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two bots that tell what they have, and a key in the environment."""
    return go_among_lookers(tmp_path, monkeypatch)


HAS = f"has network and a key of {len(KEY)}: [secret]"
HAS_NOT = "has nothing and a key of 4: none"


def notes(*matches: Match) -> dict[str, set[str]]:
    """Return what each bot noted of what it has."""
    said: dict[str, set[str]] = {}
    for match in matches:
        for note in match._stored.row.notes:
            if note.text.startswith("has "):
                said.setdefault(match.players[note.seat], set()).add(note.text)
    return said


def clock(match: Match) -> TimeControl:
    return match._stored.event.definition.time


@pytest.mark.processes
def test_only_the_bot_that_is_granted_something_has_it_in_a_match() -> None:
    match = play(
        "cambio",
        {"owl": "./a.py", "crow": "./b.py", "mine": first},
        seed=1,
        grants={"owl": ["network"]},
        secrets={"owl": ["THE_KEY"]},
    )
    assert notes(match) == {"owl": {HAS}, "crow": {HAS_NOT}}
    assert match._stored.event.definition.grants == {0: ("network",)}


@pytest.mark.processes
def test_a_tournament_shows_its_grants_and_keeps_no_secret(folder: Path) -> None:
    results = tournament(
        "cambio",
        ["./a.py", "./b.py"],
        rounds=1,
        seed=1,
        db="a.db",
        grants={"a": ("network", "device:/dev/full")},
        secrets={"a": ["THE_KEY"]},
        progress=False,
    )
    assert notes(*results.matches) == {"a": {HAS}, "b": {HAS_NOT}}
    assert "network, device:/dev/full" in str(results.ranking)
    html = results.ranking._repr_html_()
    assert ">network, device:/dev/full</td>" in html
    assert "grants: what the organiser gave" in html
    grants = dict(zip(*results.ranking.to_frame().select(["bot", "grants"]).to_pydict().values(), strict=True))
    assert grants == {"a": "network device:/dev/full", "b": ""}
    assert not [path for path in folder.iterdir() if path.is_file() and KEY.encode() in path.read_bytes()]


@pytest.mark.toolchain  # another tournament
def test_a_tournament_that_is_resumed_is_handed_its_secrets_anew() -> None:
    planned = ["tourney", "--game", "cambio", "--bots", "./a.py,./b.py", "--rounds", "1", "--grant", "a=network"]
    main([*planned, "--entropy", "a lottery", "--db", "a.db"], standalone_mode=False)
    with open_store("a.db", write=True) as store:
        mix_entropy(StoredTournament.load(store, 1), "7 9 13", None)
    results = resume_tournament("a.db", 1, secrets={"a": ["THE_KEY"]}, progress=False)
    assert notes(*results.matches) == {"a": {HAS}, "b": {HAS_NOT}}


@pytest.mark.processes
def test_a_fischer_clock_adds_what_is_left_of_the_move_time() -> None:
    banks = []

    def watcher(question: Any) -> str:
        assert question.match.fischer
        banks.append(question.bank_ms)
        return str(question.legal[0])

    match = play("cambio", [watcher, "random"], seed=1, move_time="60s", bank="1s", fischer=True)
    assert clock(match).fischer
    assert banks[0] == 1000
    assert len(banks) >= 2
    assert all(later > earlier + 1000 for earlier, later in pairwise(banks))
    results = tournament("cambio", [watcher, "random"], rounds=1, options=SHORT, fischer=True, progress=False)
    assert clock(results.matches[0]).fischer


@pytest.mark.promise
def test_a_bot_gets_ready_before_its_clock_runs() -> None:
    seen = []

    class Ready(Bot[Any]):
        wants_ready = True

        def match_started(self, match: SdkMatch) -> None:
            match.memory = match.ready_time_ms

        def choose(self, question: Question[Any]) -> str:
            seen.append((question.match.memory, question.charged_us))
            return question.legal[0]

    match = play("cambio", [Ready, "random"], seed=1, start={"random": "70s"}, ready="60s", options=SHORT)
    assert seen[0] == (60_000, 0)
    definition = match._stored.event.definition
    assert (definition.time.start_time_ms, definition.time.ready_time_ms) == (10_000, 60_000)
    assert [bot.start_time_ms for bot in definition.field] == [0, 70_000]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"grants": {"owl": ["network"]}}, 'there is no bot "owl" in the field: it has first, a'),
        ({"grants": {"a": ["internet"]}}, 'there is no grant "internet": it is network, or device:/dev/NAME'),
        ({"grants": {"a": ["device:/dev/shm"]}}, "/dev/shm cannot be granted: it is no character device"),
        ({"grants": {"a": "network"}}, r'grants is a dict of bots and lists of grants, such as {"owl": \["network"\]}'),
        ({"grants": ["network"]}, "grants is a dict of bots and lists of grants"),
        (
            {"grants": {"first": ["network"]}},
            "first is a function or class of the program that plays: it has whatever that has",
        ),
        ({"secrets": {"owl": ["THE_KEY"]}}, 'there is no bot "owl" in the field'),
        ({"secrets": {"a": ["NO_SUCH"]}}, "a is to get the variable NO_SUCH, which is not set: put it into os.environ"),
        ({"secrets": {"a": KEY}}, "secrets is a dict of bots and lists of environment variables"),
        ({"secrets": {"a": [KEY]}}, "their names, not their values$"),
        ({"secrets": {"first": ["THE_KEY"]}}, "first is a function or class of the program that plays"),
        ({"start": {"owl": 5}}, 'there is no bot "owl" in the field'),
        ({"start": {"first": 5}}, "first is not started by arena, so it has no start time"),
        ({"start": 0}, "no bot starts in no time: give `start` at least 1ms"),
        ({"ready": "soon"}, "ready: 'soon' is not a duration"),
        ({"fischer": True, "move_time": 0}, "`fischer` adds what is left of the move time .* needs a `move_time`"),
    ],
)
def test_what_cannot_be_granted_is_refused_in_a_sentence(changes: dict[str, Any], sentence: str) -> None:
    bots: list[BotSpec] = [first, "./a.py"]
    with pytest.raises(ArenaError, match=sentence) as caught:
        play("cambio", bots, **changes)
    assert isinstance(caught.value, PlanError if "fischer" in changes else ArenaError)
    with pytest.raises(ArenaError, match=sentence):
        tournament("cambio", bots, **changes)
    assert KEY not in str(caught.value)


def test_a_variable_that_is_not_set_is_an_error_of_the_field() -> None:
    with pytest.raises(FieldError):
        play("cambio", [first, "./a.py"], secrets={"a": ["NO_SUCH"]})
