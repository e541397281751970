"""What an organiser may do to a tournament and when; each decision goes into the tournament's log.

Nothing here touches a process that plays: the runner watches the log (`arena.run.runner`).
"""

from collections.abc import Mapping, Sequence
from getpass import getuser
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from arena.packs.roster import Roster
from arena.plan.author_separation import check_author_separation
from arena.plan.decisions import Decisions, RemainingPolicy, ResultsPolicy
from arena.plan.entropy import parse_entropy
from arena.plan.field import find_bots, make_names_unique
from arena.plan.formats import KINDS, format_of
from arena.plan.open_sets import sets_of_bot, void_matches
from arena.plan.start_times import with_start_times
from arena.results.stored_tournament import StoredTournament
from arena.values.rows import PROGRAM, DecisionRow
from arena.values.settings import MOST
from arena.values.tournament_errors import FieldError, PlanError
from arena.values.versioned_names import is_version_of
from referee.engine.near import did_you_mean


def actor(by: str | None) -> str:
    """Return the name of who decides: `by`, or else the user of this process."""
    try:
        name = getuser() if by is None else by
    except (KeyError, OSError):  # a user id without a name
        return "unknown"
    return "organiser" if name == PROGRAM else name  # a server runs as a user of that name, by its documentation


def pause(tournament: StoredTournament, by: str | None, reason: str) -> DecisionRow:
    """Pause the tournament, wherever it is played. Raises PlanError where it is finished or paused already."""
    decisions = _unfinished(tournament, "paused")
    if decisions.pause is not None:
        raise PlanError(f"tournament {tournament.id} is paused already, by {decisions.pause.who}")
    return _append(tournament, by, "pause", {}, reason)


def resume(tournament: StoredTournament, by: str | None = None) -> None:
    """Resume the tournament if it is paused."""
    if tournament.decisions.pause is not None:
        _append(tournament, by, "resume", {}, "")


def mix_entropy(tournament: StoredTournament, value: str, by: str | None) -> StoredTournament:
    """Mix the public value into the secret of a tournament that awaits it, and return the tournament.

    Raises PlanError where none is awaited, or another one is mixed in already.
    """
    value = parse_entropy(value)
    seen = tournament.store.decision_count(tournament.id)
    tournament = tournament.reload()  # as it is by now; `seen` refuses what comes after
    if tournament.row.entropy == value:
        return tournament
    if tournament.row.entropy is not None:
        raise PlanError(f'the entropy of tournament {tournament.id} is "{tournament.row.entropy}" already')
    if not tournament.row.awaited_entropy:
        raise PlanError(
            f"tournament {tournament.id} awaits no entropy: what is mixed into a secret is named before its hash is "
            "published (arena tourney --entropy)"
        )
    _append(tournament, by, "entropy", {"value": value}, "", seen=seen)
    return tournament.reload()


def withdraw(
    tournament: StoredTournament,
    bot: str,
    remaining: RemainingPolicy,
    policy: ResultsPolicy,
    by: str | None,
    reason: str,
) -> DecisionRow:
    """Withdraw a bot from a tournament.

    remaining: what becomes of its remaining matches.
    policy: whether those that it has played count in the ranking.

    Raises FieldError for a bot that does not take part, PlanError where it cannot leave so.
    """
    decisions = tournament.decisions
    place = _place(decisions, tournament, bot)
    if place in decisions.withdrawn:
        raise FieldError(f"{bot} is withdrawn already")
    if tournament.row.definition.stop and remaining == "drop":
        raise PlanError(
            "what ends this tournament early rests on all matches of its field, so none may be missing: "
            f"withdraw {bot} with --remaining forfeit"
        )
    if tournament.row.definition.stop and policy == "omit":
        raise PlanError("what ends this tournament early rests on all matches of its field, so none can be left out")
    details = {"place": place, "remaining": remaining, "results": policy}
    row = (
        _drop(tournament, by, details, reason)
        if remaining == "drop"
        else _append(tournament, by, "withdraw", details, reason)
    )
    if tournament.row.finished:  # else whoever plays it does so
        tournament.summarise(is_over=True)
    return row


def void(tournament: StoredTournament, match: int, replay: bool, by: str | None, reason: str) -> DecisionRow:
    """Make a stored match void.

    match: its id.
    replay: whether it is played again, with the same deal.

    Raises PlanError where the tournament has no such match, or later stages rest upon it.
    """
    decisions = tournament.decisions
    number = match - tournament.row.first_match
    result = next(tournament.store.results(tournament.id, range(number, number + 1)), None)
    if result is None:
        raise PlanError(
            f"tournament {tournament.id} has no stored match {match}: "
            f"`arena matches --tourney {tournament.id}` lists those it has"
        )
    withdrawn = decisions.dropped.intersection(result.entrants)
    if replay and withdrawn:
        raise PlanError(
            f"match {match} cannot be played again, as {decisions.field[min(withdrawn)].name} is withdrawn: "
            "void it with --no-replay"
        )
    if KINDS[tournament.row.definition.schedule].format.is_multi_stage:
        plan = tournament.format.plan(max(decisions.next_leg - 1, 0), tournament.results)
        if plan is not None and number < plan.offset.match:
            raise PlanError(f"match {match} belongs to a stage that is over, and later stages rest upon its result")
    return _append(tournament, by, "void", {"match": number, "replay": replay}, reason)


def enter(
    tournament: StoredTournament, bot: str, samples: Mapping[str, Path], roster: Roster, by: str | None,
    reason: str, start_ms: int | None = None,
) -> DecisionRow:  # fmt: skip
    """Enter a bot from the next leg on.

    bot: as users name bots.
    samples, roster: the bots that have a name.
    start_ms: how long it may take to start, in milliseconds; None: as long as all bots.

    Raises FieldError for a bot that cannot be started, PlanError where nobody can enter any more.
    """
    decisions = _unfinished(tournament, "entered")
    definition = tournament.definition
    schedule = KINDS[definition.schedule]
    if definition.stop is not None or not schedule.admits_late_bots:
        what = "--sprt or --until-separated" if definition.stop is not None else f"a {definition.schedule}"
        raise PlanError(f"nobody enters {what} late: who meets whom was settled for the field that began it")
    blocks = -(-tournament.row.rounds // definition.block)
    legs = definition.stages if schedule.counts_stages else blocks
    if decisions.next_leg >= legs:
        kind = "stage" if schedule.counts_stages else f"block of {definition.block} rounds"
        hint = "" if schedule.counts_stages else " (--block makes them smaller)"
        raise PlanError(f"the last {kind} of tournament {tournament.id} has begun, so there is none to enter for{hint}")
    (newcomer,) = find_bots([bot], samples, roster, game=definition.game)
    if start_ms is not None:
        (newcomer,) = with_start_times((newcomer,), [(newcomer.name, start_ms)])
    *_, entrant = make_names_unique([*decisions.field, newcomer])
    staying = [decisions.field[place] for place in decisions.participants(decisions.next_leg)]
    check_author_separation(definition, [*staying, newcomer], len(set(definition.team_of)) or definition.seats)
    details = {"place": len(decisions.field), "bot": replace(newcomer, name=entrant.name).to_json()}
    return _append(tournament, by, "enter", details, reason, seen=len(decisions.log))


def extend(tournament: StoredTournament, rounds: int, by: str | None = None, reason: str = "") -> StoredTournament:
    """Extend a tournament to more rounds and return it.

    The matches so far stay as they are.

    rounds: the new number of all rounds.

    Raises PlanError for a format that has no further rounds, where the tournament ended early, for no more rounds than
    it has, and where bots could know the further deals; StoreError where ids for the further matches are taken.
    """
    row, definition = tournament.row, tournament.definition
    if KINDS[definition.schedule].format.is_multi_stage:
        raise PlanError(
            f"tournament {tournament.id} is a {definition.schedule}, whose later stages rest upon the rounds of the "
            "earlier ones, so it cannot be extended: begin a new tournament"
        )
    if rounds <= row.rounds:
        raise PlanError(
            f"tournament {tournament.id} has {row.rounds:,} rounds already: --rounds is their number in all"
        )
    if rounds > MOST:
        raise PlanError(f"there are at most {MOST:,} rounds, not {rounds}")
    if (verdict := tournament.ending.verdict) is not None:
        raise PlanError(f"tournament {tournament.id} is decided and cannot be extended: {verdict.sentence}")
    remote = ", ".join(bot.name for bot in tournament.decisions.field if bot.remote)
    if row.finished and remote:
        raise PlanError(
            f"tournament {tournament.id} is finished and its secret known, from which a remote bot ({remote}) could "
            "compute the further deals: begin a new tournament"
        )
    seen = len(tournament.log)
    longer = format_of(
        replace(tournament.decisions.apply(definition), rounds=rounds), row.mixed_secret, tournament.decisions
    )
    _append(tournament, by, "extend", {"rounds": rounds, "matches": longer.matches}, reason, seen=seen)
    return tournament.reload()


def _unfinished(tournament: StoredTournament, action: str) -> Decisions:
    """Return the decisions of a tournament that is not finished; raise PlanError where it is."""
    if tournament.row.finished:
        raise PlanError(f"tournament {tournament.id} is finished, so it cannot be {action}")
    return tournament.decisions


def _place(decisions: Decisions, tournament: StoredTournament, bot: str) -> int:
    return find_bot([entrant.name for entrant in decisions.field], bot, tournament.id)


def find_bot(names: Sequence[str], bot: str, tournament: int) -> int:
    """Return the place of a bot in the field of a tournament.

    names: of the field.
    bot: its name; without the version if only one version takes part.

    Raises FieldError if it takes no part.
    """
    versions = [name for name in names if is_version_of(name, bot)]
    if bot not in names and len(versions) == 1:
        return names.index(versions[0])
    if bot not in names:
        hint = did_you_mean(bot, names) or f" (field: {', '.join(names[:20])})"
        raise FieldError(f'no bot "{bot}" takes part in tournament {tournament}{hint}')
    return names.index(bot)


def _append(
    tournament: StoredTournament,
    by: str | None,
    kind: str,
    details: dict[str, Any],
    reason: str,
    seen: int | None = None,
) -> DecisionRow:
    row = tournament.store.append_decision(tournament.id, actor(by), kind, details, reason, seen=seen)
    return _decided(tournament, row)


def _drop(tournament: StoredTournament, by: str | None, details: dict[str, Any], reason: str) -> DecisionRow:
    """Withdraw a bot that plays no more, and void its open sets.

    Each leg that begins has an entry in the log, which must not refuse the organiser: what is void is computed anew.
    """
    while (row := _drop_now(tournament, by, details, reason)) is None:
        seen, tournament = len(tournament.log), tournament.reload()
        if not all(map(is_automatic, tournament.log[seen:])):
            break
    return _decided(tournament, row)


def _drop_now(tournament: StoredTournament, by: str | None, details: dict[str, Any], reason: str) -> DecisionRow | None:
    """Do it if the log has not grown since the tournament was loaded; None if it has."""
    decisions = tournament.decisions
    sets = sets_of_bot(details["place"], tournament.format, decisions, tournament.results)
    unreplayed = decisions.unreplayed
    return tournament.store.withdraw(
        tournament.id, actor(by), details, reason, lambda stored: void_matches(sets, unreplayed.union(stored)),
        seen=len(decisions.log),
    )  # fmt: skip


def _decided(tournament: StoredTournament, row: DecisionRow | None) -> DecisionRow:
    if row is None:
        raise PlanError(f"something else was decided on tournament {tournament.id} at the same moment: try again")
    return row


def is_automatic(entry: DecisionRow) -> bool:
    """Return whether an entry of the log only follows from the play or another entry, which lists leave out."""
    return entry.kind == "leg" or "withdrawal" in entry.details


def describe(entry: DecisionRow, names: Sequence[str], first_match: int) -> str:
    """Return an entry of the log as a sentence.

    names: of the field.
    first_match: the id of match 0.
    """
    details = entry.details
    match entry.kind:
        case "leg":
            return f"leg {details['leg']} begins"
        case "withdraw":
            counts = details["results"] == "keep"
            if details["remaining"] == "drop":
                void = sum(last - first + 1 for first, last in details.get("void", ()))
                rest = f"it plays no more, its complete sets {'count' if counts else 'are left out'}"
                rest += f", {void:,} matches of unfinished sets are void" if void else ""
            else:
                rest = f"it forfeits what is left, what it has played {'counts' if counts else 'is left out'}"
            return f"{names[details['place']]} is withdrawn: {rest}"
        case "enter":
            return f"{names[details['place']]} enters"
        case "entropy":
            return f'entropy "{details["value"]}" is mixed into the secret'
        case "void" if "withdrawal" in details:
            return f"match {first_match + details['match']} is void, as a withdrawn bot has not finished its set"
        case "extend":
            return f"extended to {details['rounds']:,} rounds, {details['matches']:,} matches"
        case "void":
            again = "is played again" if details["replay"] else "is not played again"
            return f"match {first_match + details['match']} is void and {again}"
        case kind:
            return {"pause": "paused", "resume": "resumed"}.get(kind, kind)
