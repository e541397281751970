"""Leagues for tests: small ones, and batches as a draw would make them."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

from msgspec import structs

from arena.league.challenges import challenge as ask_for_challenge
from arena.league.control import create
from arena.league.plan.definition import LeagueDefinition, LeagueSettings, define_league
from arena.league.plan.secret_chain import new_season
from arena.league.results.board import load_board
from arena.league.results.league_sums import LeagueSums
from arena.league.results.season_table import FinalScore, SeasonPlace, pack_table
from arena.league.run.practice_turns import PracticeTerms, PracticeTurns
from arena.league.run.runner import LeagueRun, LeagueRunner, run_leagues
from arena.league.run.scheduler import LeagueScheduler
from arena.league.store.batches import Batches
from arena.league.store.league_rows import (
    BatchKind,
    BatchResult,
    BatchRow,
    Final,
    LeagueRow,
    Lease,
    NewBatch,
    NewEntry,
    NewLeague,
)
from arena.league.store.leagues import Leagues
from arena.league.store.seasons import Seasons
from arena.packs.candidate import read_candidate
from arena.run.executor import Executor
from arena.run.hosting import Hosting
from arena.store import Store
from arena.store.people.submissions import PackRow, SubmissionRow
from arena.values.rows import MatchRow
from referee.engine.registry import game, names
from tests import played
from tests.guessing import GUESSING

SEASON = new_season(1, date(2026, 3, 1))


def submit(store: Store, name: str, content: str = "") -> SubmissionRow:
    """Store the next version of a bot, without a check."""
    version = len(store.submissions.versions(name)) + 1
    content_row = PackRow(f"{name}{version}{content}".encode().hex().ljust(64, "0")[:64], b"", 0, 0)
    return store.submissions.add(name, content_row, content_row, {"games": ["guessing"]}, {"steps": []})


def pack(file: Path) -> PackRow:
    """The pack of a bot of one file."""
    source = read_candidate(file).source
    return PackRow(source.sha256, source.to_bytes(), 1, source.size)


def submit_file(store: Store, name: str, file: Path, *, practice_only: bool = False) -> SubmissionRow:
    """Store a bot of one Python file, without a check but for what it tells of the time that the bot takes."""
    source, manifest = pack(file), read_candidate(file).manifest
    report = {"steps": [], "charged_us_per_match": dict.fromkeys(names(), 1000)}
    return store.submissions.add(name, source, source, manifest.to_json(), report, practice_only=practice_only)


def play(
    store: Store,
    batches: int | None,
    lines: list[str] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> LeagueRun:
    """Play all leagues until so many batches are stored."""
    schedulers = [LeagueScheduler(store, store.where, league) for league in Leagues(store).all()]
    say = (lines if lines is not None else []).append
    runner = LeagueRunner(store, schedulers, Hosting(trusted=True), say, executor, most_batches=batches)
    return run_leagues(runner, jobs)


def end_frozen_season(store: Store, league: LeagueRow) -> None:
    """End the newest season without a final table, and begin the next one."""
    season = Leagues(store).seasons(league.id)[-1]
    batches = [batch.number for batch in Batches(store).of(league.id)]
    seen = (max(batches, default=0) + 1, Leagues(store).log_length(league.id))
    new = new_season(season.number + 1, date(2026, 3, 1))
    assert Seasons(store).end(league.id, season.number, b"", {}, "arena", new, seen)


def entry(row: SubmissionRow, *, is_anchor: bool = False) -> NewEntry:
    return NewEntry(row.title, (row.name, row.version), "" if is_anchor else row.name.split("/")[0], is_anchor)


def league(store: Store, name: str = "club", anchors: Sequence[str] = ("samples/a", "samples/b")) -> LeagueRow:
    """Store a league that only has rows, with anchors that cannot play."""
    new = NewLeague(name, "guessing", {"hash_version": 2, "game": "guessing"}, SEASON)
    return Leagues(store).create(new, [entry(submit(store, each), is_anchor=True) for each in anchors], "ann")


def batch(entries: Sequence[int] = (1, 2), kind: BatchKind = "standing", number: int = 1) -> NewBatch:
    event = played.tournament(GUESSING, bots=len(entries), matches=8)
    return NewBatch(event, 1, 0, kind, 1, tuple(entries))


def result(rows: Sequence[MatchRow] | None = None, **more: object) -> BatchResult:
    rows = [played.match(GUESSING, number, bots=2, seats=2) for number in range(8)] if rows is None else rows
    return BatchResult(rows, LeagueSums().to_bytes(), 1.5, **more)  # type: ignore[arg-type]


def end_first_season(store: Store, league: LeagueRow) -> None:
    """End the first season of a league with a final table of its last two entries, and begin the second."""
    Batches(store).void_unplayed(league.id, 2**62)
    second, first = (entry.number for entry in Leagues(store).entries(league.id)[-2:])
    final = Final(2, 4, closes=False)
    assert Seasons(store).freeze(league.id, 1, final, "ann")
    seen = Batches(store).next_number(league.id), Leagues(store).log_length(league.id)
    assert Seasons(store).settle_final(league.id, 1, structs.replace(final, entries=(), snapshot=1), "arena", seen)
    score = FinalScore(12.5, "", 30.0, 40, 80, 24.5, 40)
    table = pack_table([SeasonPlace(1, first, 31, 30, 40, score), SeasonPlace(2, second, -10, None, 40, has_left=True)])
    season = new_season(2, date(2026, 4, 1))
    seen = Batches(store).next_number(league.id), Leagues(store).log_length(league.id)
    assert Seasons(store).end(league.id, 1, table, {"table": "", "left": [], "omitted": []}, "arena", season, seen)


def lease(row: BatchRow) -> Lease:
    return Lease(row.league, row.number, row.attempt)


def cambio(store: Store, name: str = "cambio", **settings: float) -> LeagueRow:
    """Create a league of Cambio for two with short matches."""
    rules = game("cambio")
    row, _ = create(store, name, small(rules.name, **settings), "", "ann")
    return row


def change_definition(store: Store, name: str, **values: object) -> None:
    """Change the stored definition of a league, as if another version of arena had written it."""
    changed = json.dumps(dict(Leagues(store).named(name).definition) | values)
    with sqlite3.connect(store.where) as connection:
        connection.execute("UPDATE leagues SET definition = ? WHERE name = ?", [changed, name])


def small(name: str, **settings: float) -> LeagueDefinition:
    """Define a league with short matches at tables of two, and, unless said otherwise, short batches."""
    rules = game(name)
    batch, placement = (settings.pop(f"{kind}_seconds", 0.1) for kind in ("batch", "placement"))
    chosen = LeagueSettings(**({"seats": 2, "deals": 2} | settings))  # type: ignore[arg-type]
    usual = define_league(rules, rules.options.parse({"chips": "2"}), chosen)
    return structs.replace(usual, batch_seconds=batch, placement_seconds=placement)


def challenge(
    store: Store, bot: str, *against: str, deals: int = 2, by: str = "ann", organiser: bool = True, name: str = "cambio"
) -> int:
    """Have a bot play others, unrated; return the number of the batch."""
    board = load_board(store, name, past=True)
    return ask_for_challenge(store, store.where, board, bot, against, deals, by, organiser=organiser)


def practise(
    store: Store,
    batches: int,
    terms: PracticeTerms = PracticeTerms(cpu_per_day=600.0),  # noqa: B008  # frozen
    say: Callable[[str], None] = lambda line: None,
    schedulers: Sequence[LeagueScheduler] = (),
) -> LeagueRun:
    """Play practice leagues, beside others, until so many batches are stored."""

    def schedule(name: str) -> LeagueScheduler:
        return LeagueScheduler(store, store.where, Leagues(store).named(name, practice=True))

    turns = PracticeTurns(store, terms, schedule)
    runner = LeagueRunner(
        store, schedulers, Hosting(trusted=True), say, most_batches=batches, practice=turns, find=list
    )
    return run_leagues(runner, 1)
