"""The page of a batch of a league: what it was drawn from, its attempts, and the results of its tables."""

from arena.language.messages import gettext as _
from arena.league.plan.secret_chain import day_secret
from arena.league.results.batch_report import batch_grants, report_batch, void_reason
from arena.league.results.publication import published_secret
from arena.league.store.batches import Batches
from arena.league.store.league_rows import AttemptRow, BatchRow
from arena.league.store.league_runs import LeagueRuns
from arena.league.store.leagues import Leagues
from arena.replay.html import Element
from arena.server.errors import PageNotFound
from arena.server.leagues.batches import progress_words, runner_words
from arena.server.leagues.board import expected
from arena.server.leagues.cache import LeagueView
from arena.server.leagues.league_parts import duration, league_path, percent
from arena.server.live.page_parts import PageParts
from arena.server.templates import TEMPLATES
from arena.store import Store
from referee.engine.registry import in_units

ATTEMPTS = 20
"""The most attempts that are listed: where a machine can start no bot for a night, there are hundreds."""

_PARTS = "leagues/batch_parts.html"


def show(view: LeagueView, row: BatchRow, parts: PageParts, *, has_live_page: bool = False) -> str:
    """Return the page.

    parts: as `batch_parts` returns them.
    has_live_page: whether the tables of the league can be watched.
    """
    name = view.league.name
    events = f"{league_path(name)}/batches/{row.number}/events"
    return TEMPLATES.page(
        "leagues/batch.html",
        translated=True,
        league=name,
        row=row,
        parts=parts,
        events=events,
        has_live_page=has_live_page,
    )


def stored_batch(store: Store, view: LeagueView, number: int) -> BatchRow:
    """Return a batch. Raises PageNotFound if the league has none of that number."""
    row = Batches(store).get(view.league.id, number)
    if row is None:
        raise PageNotFound(f"the league {view.league.name} has no batch {number}: see its list of batches")
    return row


def batch_parts(store: Store, view: LeagueView, number: int) -> PageParts:
    """Return the parts of the page."""
    row = stored_batch(store, view, number)
    attempts = Batches(store).attempts(row.league, number)
    compared = {"comparison": _comparison(store, view, number)} if row.kind == "challenge" else {}
    newest = [(attempt, runner_words(attempt.runner)) for attempt in attempts[-ATTEMPTS:]]
    return PageParts(
        {
            "state": _state(store, view, row, attempts),
            **compared,
            "attempts": TEMPLATES.macro(_PARTS, "attempts")(newest, len(attempts)),
            "tables": _tables(store, view, row),
        }
    )


def _state(store: Store, view: LeagueView, row: BatchRow, attempts: list[AttemptRow]) -> Element:
    progress = LeagueRuns(store).progress(row.league).get(row.number)
    takes = expected(store, view, row)
    if row.state == "waiting":
        words = _("waits; it takes {0}", takes)
    elif row.state == "leased":
        far = progress_words(progress, row.matches)
        words = _("is played by {0}{1}; it takes {2}", runner_words(row.runner), far, takes)
    elif row.state == "void":
        words = _("is void: {0}", _(void_reason(row, attempts)))
    elif row.is_hidden:
        words = _("is played; its results are hidden until the season ends")
    else:
        words = _("is stored; it took {0} of a core", duration(row.seconds or 0))
    granted = [(view.rows[entry].entry.name, ", ".join(words)) for entry, words in batch_grants(store, row).items()]
    secret = _secret(store, view, row)
    return TEMPLATES.macro(_PARTS, "state")(view.league.name, row, words, _kind_sentence(row), granted, secret)


def _kind_sentence(row: BatchRow) -> str:
    """Say what batches of its kind are for."""
    return {
        "placement": _("It places newcomers among entries spread over the ranking."),
        "standing": _(
            "It was drawn where matches tell most about the order; one such batch in five is drawn at random."
        ),
        "final": _("It is a part of the final of the season, in which all tables of the finalists are played."),
        "trial": _("One entry plays with reference bots alone, as a batch with it came to no result."),
        "challenge": _("It was asked for, and is not rated."),
    }[row.kind]


def _secret(store: Store, view: LeagueView, row: BatchRow) -> str | None:
    """Return the secret from which a batch was drawn, as hexadecimal digits; None until it is public."""
    [season] = [stored for stored in Leagues(store).seasons(view.league.id) if stored.number == row.season]
    published = published_secret(store, view.league.id, season)
    return None if published is None or published.day < row.day else day_secret(season, row.day).hex()


def _comparison(store: Store, view: LeagueView, number: int) -> Element:
    """Return what a challenge tells: who is better, as far as its deals alone can say."""
    report = report_batch(store, view.league, number)
    notes = [_("The bots are compared once all matches are stored.")]
    if report.ratings:
        notes = [_("From these deals alone; the mean is 0 Elo.")]
        notes += [_("Beats: the probability of being better than the bot in that row.")]
        notes += report.repeats.notes if report.repeats is not None else ()
    los = report.los or {}
    rows = [
        (
            place,
            report.entries[row.entry],
            row,
            ["" if other is row else _chance(los.get((row.entry, other.entry))) for other in report.ratings],
        )
        for place, row in enumerate(report.ratings, 1)
    ]
    beats = [(_("beats {0}", place), "number") for place, *_rest in rows]
    return TEMPLATES.macro(_PARTS, "comparison")(view.league.name, rows, beats, " ".join(notes))


def _chance(los: float | None) -> str:
    return "-" if los is None else percent(los)


def _tables(store: Store, view: LeagueView, row: BatchRow) -> Element:
    results = [
        (
            result,
            view.rows[row.entries[result.entrant]].entry,
            in_units(view.league.game, result.score) / result.matches,
        )
        for result in (Batches(store).table_results(row) if row.has_results else ())
    ]
    return TEMPLATES.macro(_PARTS, "tables")(view.league.name, row, results)
