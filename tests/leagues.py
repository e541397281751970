"""Leagues for tests: small ones, and batches as a draw would make them."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from arena.league.challenges import challenge as ask_for_challenge
from arena.league.control import create
from arena.league.plan.definition import LeagueDefinition, define_league
from arena.league.plan.secret_chain import new_season
from arena.league.results.board import load_board
from arena.league.results.league_sums import LeagueSums
from arena.league.results.season_table import FinalScore, SeasonPlace, pack_table
from arena.league.run.runner import LeagueRun, LeagueRunner, run_leagues
from arena.league.run.scheduler import LeagueScheduler
from arena.store import Store
from arena.store.league_rows import (
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
from arena.store.rows import MatchRow
from arena.store.stored_definition import StoredDefinition
from arena.store.submissions import PackRow, SubmissionRow
from arena.submissions.candidate import read_candidate
from arena.tournament.run.executor import Executor
from arena.tournament.run.hosting import Hosting
from referee.engine.registry import game
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


def submit_file(store: Store, name: str, file: Path) -> SubmissionRow:
    """Store a bot of one Python file, without a check."""
    source, manifest = pack(file), read_candidate(file).manifest
    return store.submissions.add(name, source, source, manifest.to_json(), {"steps": []})


def play(
    store: Store,
    batches: int | None,
    lines: list[str] | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
) -> LeagueRun:
    """Play all leagues until so many batches are stored."""
    schedulers = [LeagueScheduler(store, store.where, league) for league in store.leagues.all()]
    say = (lines if lines is not None else []).append
    runner = LeagueRunner(store, schedulers, Hosting(trusted=True), say, executor, most_batches=batches)
    return run_leagues(runner, jobs)


def end_frozen_season(store: Store, league: LeagueRow) -> None:
    """End the newest season without a final table, and begin the next one."""
    season = store.leagues.seasons(league.id)[-1]
    batches = [batch.number for batch in store.batches.of(league.id)]
    seen = (max(batches, default=0) + 1, store.leagues.log_length(league.id))
    new = new_season(season.number + 1, date(2026, 3, 1))
    assert store.seasons.end(league.id, season.number, b"", {}, "arena", new, seen)


def entry(row: SubmissionRow, *, is_anchor: bool = False) -> NewEntry:
    return NewEntry(row.title, (row.name, row.version), "" if is_anchor else row.name.split("/")[0], is_anchor)


def league(store: Store, name: str = "club", anchors: Sequence[str] = ("samples/a", "samples/b")) -> LeagueRow:
    """Store a league that only has rows, with anchors that cannot play."""
    new = NewLeague(name, "guessing", StoredDefinition({"hash_version": 2, "game": "guessing"}), SEASON)
    return store.leagues.create(new, [entry(submit(store, each), is_anchor=True) for each in anchors], "ann")


def batch(entries: Sequence[int] = (1, 2), kind: BatchKind = "standing", number: int = 1) -> NewBatch:
    event = played.tournament(GUESSING, bots=len(entries), matches=8)
    return NewBatch(event, 1, 0, kind, 1, tuple(entries))


def result(rows: Sequence[MatchRow] | None = None, **more: object) -> BatchResult:
    rows = [played.match(GUESSING, number, bots=2, seats=2) for number in range(8)] if rows is None else rows
    return BatchResult(rows, LeagueSums().to_bytes(), 1.5, **more)  # type: ignore[arg-type]


def end_first_season(store: Store, league: LeagueRow) -> None:
    """End the first season of a league with a final table of its last two entries, and begin the second."""
    store.batches.void_unplayed(league.id, 2**62)
    second, first = (entry.number for entry in store.leagues.entries(league.id)[-2:])
    final = Final(2, 4, closes=False)
    assert store.seasons.freeze(league.id, 1, final, "ann")
    seen = store.batches.next_number(league.id), store.leagues.log_length(league.id)
    assert store.seasons.settle_final(league.id, 1, replace(final, entries=(), snapshot=1), "arena", seen)
    score = FinalScore(12.5, "", 30.0, 40, 80, 24.5, 40)
    table = pack_table([SeasonPlace(1, first, 31, 30, 40, score), SeasonPlace(2, second, -10, None, 40, has_left=True)])
    season = new_season(2, date(2026, 4, 1))
    seen = store.batches.next_number(league.id), store.leagues.log_length(league.id)
    assert store.seasons.end(league.id, 1, table, {"table": "", "left": [], "omitted": []}, "arena", season, seen)


def lease(row: BatchRow) -> Lease:
    return Lease(row.league, row.number, row.attempt)


def cambio(store: Store, name: str = "cambio", **settings: int) -> LeagueRow:
    """Create a league of Cambio for two with short matches."""
    rules = game("cambio")
    row, _ = create(store, name, small(rules.name, **settings), "", "ann")
    return row


def change_definition(store: Store, name: str, **values: object) -> None:
    """Change the stored definition of a league, as if another version of arena had written it."""
    changed = json.dumps(dict(store.leagues.named(name).definition.values) | values)
    with sqlite3.connect(store.where) as connection:
        connection.execute("UPDATE leagues SET definition = ? WHERE name = ?", [changed, name])


def small(name: str, **settings: int) -> LeagueDefinition:
    rules = game(name)
    return define_league(rules, rules.options.parse({"chips": "2"}), **({"seats": 2, "deals": 2} | settings))  # type: ignore[arg-type]


def challenge(
    store: Store, bot: str, *against: str, deals: int = 2, by: str = "ann", organiser: bool = True, name: str = "cambio"
) -> int:
    """Have a bot play others, unrated; return the number of the batch."""
    board = load_board(store, name, past=True)
    return ask_for_challenge(store, store.where, board, bot, against, deals, by, organiser=organiser)
