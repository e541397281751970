"""The check of a bot, step by step.

The first steps connect to one process of the bot directly. If they pass, the bot plays at a real referee: typical
matches, some of them again in another order and one at a time, then the smallest and largest tables and each preset.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf

import trio

from arena.bots.findings import Finding, TrialFindings
from arena.bots.first_words import first_words
from arena.bots.kept_phases import LEAST_SECONDS, KeptPhases
from arena.bots.machine_check import check_machine, check_not_busy
from arena.bots.match_budget import (
    FEW_MATCHES,
    FEW_REPEATED,
    MATCH_SECONDS,
    MATCHES,
    REPEATED_MATCHES,
    MatchBudget,
    least_answers,
)
from arena.bots.probe import ProcessProbe, confinement, installed_games, probing
from arena.bots.report import CheckStep, Report, StepFailed
from arena.bots.script import BATCH_MATCHES, ProtocolScript, first_question
from arena.bots.trial_matches import SLOW, TrialOutcome, TrialReferee, joined, sentence, trial_referee
from arena.bots.trial_pace import TrialPace, TrialProgress, match_size
from arena.bots.trial_tables import TrialTables, edge_tables, joint_tables, typical_tables
from arena.bridge.bot_lines import NOT_JSON
from arena.packs.manifest import FILE
from arena.plan.field import find_bots, samples
from arena.record.printed import python_cause
from arena.run.exception_groups import unwrap_group
from arena.run.hosting import USUAL, Hosting
from arena.run.progress import duration
from arena.run.record_rows import kind_name
from arena.values.definition import Entrant, TimeControl
from referee.engine.clean_text import clean
from referee.engine.game import Game
from referee.engine.near import did_you_mean
from referee.engine.registry import game as game_named
from referee.engine.registry import names
from referee.match.faults import in_seconds
from referee.process.awake_clock import run_awake
from referee.session.local_session import Program
from referee.v1.work_pb2 import Fault
from referee.wire import NAME_CHARACTERS, view_message

LONG_SECONDS = 15.0
"""How long matches must be expected to take for the check to say so."""

SERIAL_SHARE = 0.75
"""A bot that takes more of the time of a single answer for each of several at once answers one after the other."""

MOST_GAMES = 3
"""Games of a hello that are named where none of them is installed."""

ENDED = frozenset({"crash", "hung", "start", "memory"})
"""Faults of a process that has ended, and printed why or where it was."""

KEPT_CHARACTERS = 64 * 1024
"""Characters of output that are kept of a bot. More output is a warning."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """The settings of a check."""

    games: tuple[Game, ...]
    """The games that the bot must play; empty: those that its hello names."""
    time: TimeControl = field(default_factory=TimeControl)
    """The clock and the limits."""
    matches: int = MATCHES
    """The number of matches at typical tables of each game."""
    hosting: Hosting = USUAL
    """How the bot is run: its sandbox and CPU affinity."""
    seconds: float = MATCH_SECONDS
    """The time that all matches should take, in seconds; a slow bot plays fewer."""
    is_limited: bool = False
    """Whether a bot fails whose matches take longer than that."""
    kept: KeptPhases | None = None
    """What earlier attempts of the check have played; None: nothing is kept for later ones."""


def check(
    bot: Entrant,
    terms: CheckSettings,
    say: Callable[[str], None],
    on_step: Callable[[CheckStep], None] | None = None,
    on_progress: Callable[[TrialProgress], None] | None = None,
) -> Report:
    """Check a bot and return the report.

    say: called with what the referee prints, and how long a slow bot will take.
    on_step: called with each step as it is finished.
    on_progress: called as matches begin, go on and end.

    Raises MachineBusy if the bot failed by time and a sample bot, alone after it, shows that the machine is too busy;
    RefereeError if no referee can be started, or no bot at all, as where the machine is short of something;
    HostingError if the sandbox that was asked for is unavailable.
    """
    try:
        return run_awake(_Check(bot, terms, say, on_step, on_progress).run)
    except BaseExceptionGroup as group:
        raise unwrap_group(group) from None


class _Check:
    def __init__(
        self,
        bot: Entrant,
        terms: CheckSettings,
        say: Callable[[str], None],
        on_step: Callable[[CheckStep], None] | None,
        on_progress: Callable[[TrialProgress], None] | None,
    ) -> None:
        self._bot = bot
        self._terms = terms
        self._say = say
        self._on_progress = on_progress
        self._title = ""
        self._seconds_per_answer = 0.0
        self._is_serial = True
        self._report = Report(bot.name, on_step=on_step)
        self._printed: list[str] = []
        self._is_truncated = False
        self._games = terms.games
        self._random: Entrant
        self._budget: MatchBudget
        self._played = 0
        self._limit = trio.CancelScope()
        self._hopeless = ""

    async def run(self) -> Report:
        await self._check_protocol()
        self._report.games = tuple(game.name for game in self._games)
        if self._report.passed:
            began = trio.current_time()
            with trio.move_on_after(self._terms.seconds if self._terms.is_limited else inf) as limit:
                self._limit = limit
                await self._play()
            if limit.cancelled_caught:
                await self._check_not_busy()
                self._report.add("in time", "failed", self._hopeless or self._budget.exceeded(self._played))
                self._report.is_slow = True
            elif warning := self._budget.warning(trio.current_time() - began):
                self._report.add("in time", "warned", warning)
        self._check_output()
        self._report.output = "\n".join(text.removesuffix("\n") for text in self._printed)
        return self._report

    # Steps with one process, without a referee

    async def _check_protocol(self) -> None:
        terms, bot = self._terms, self._bot
        memory = min(terms.time.memory_bytes, bot.memory_bytes or terms.time.memory_bytes)
        start = (bot.start_time_ms or terms.time.start_time_ms) / 1000
        program = Program(bot.command, bot.folder, start, memory, confinement(terms.hosting.sandbox))
        async with probing(program, terms.games[0].name if terms.games else "", bot.matches_at_once) as probe:
            report = self._report
            if not probe.session.is_welcomed:
                await probe.gone.wait()
            try:
                await self._check_start(probe, program)
                await self._ask_questions(probe)
                report.memory_bytes = probe.memory()
                await self._end(probe)
            except StepFailed as failure:
                if failure.is_slow:
                    probe.ask_for_stack()
                await probe.end()  # it must have no part in what the machine has for another bot
                report.is_slow = failure.is_slow or probe.session.is_late
                if report.is_slow:
                    await self._check_not_busy()
                elif not probe.session.is_welcomed:
                    await check_machine(self._terms.time, self._terms.hosting)
                report.add(self._title, "failed", self._explained(str(failure), probe.script.output.text()))
            await probe.end()
        self._record_output(probe.script.output.text(), probe.script.output.truncated)
        if self._report.passed and self._report.memory_bytes is not None:
            held, granted = self._report.memory_bytes / 1024**2, memory / 1024**2
            self._passed("memory", f"{held:.0f} MB of {granted:.0f} MB")

    async def _check_start(self, probe: ProcessProbe, program: Program) -> None:
        self._title = "starts"
        script, endpoints, session = probe.script, probe.endpoints, probe.session
        hello = endpoints.hello
        if hello is None and not endpoints.dialled:
            if not session.is_late:
                raise StepFailed(f"{script.failure}{_cause_of_end(script.output.text(), session.exit)}")
            self._passed("starts", "it runs")
            self._title = "dials in"
            words = await first_words(program) if session.is_idle else ""
            raise StepFailed(f"{script.failure}; {words}" if words else script.failure)
        self._passed("starts", "it runs")
        self._title = "dials in"
        if hello is None or endpoints.wrong_token:
            raise StepFailed(script.failure)
        took = (script.welcomed_at or trio.current_time()) - probe.began
        self._passed("dials in", f"hello after {took * 1000:.0f} ms")
        self._title = "version"
        if hello.games and not installed_games(hello):
            raise StepFailed(_no_such_game(hello.games))
        if not session.is_welcomed:
            raise StepFailed(script.failure)
        name = " ".join(filter(None, [clean(hello.name, NAME_CHARACTERS), script.bot_version]))
        protocols = ", ".join(map(str, hello.protocols))
        games = ", ".join(clean(game, NAME_CHARACTERS) for game in hello.games) or "any game"
        self._passed("version", f"protocol {protocols}, plays {games}" + (f", calls itself {name}" if name else ""))

        self._report.claims = tuple(installed_games(hello))
        self._games = self._terms.games or tuple(map(game_named, installed_games(hello) or names()))

    async def _ask_questions(self, probe: ProcessProbe) -> None:
        time = self._terms.time
        seconds = (time.move_time_ms + time.bank_ms) / 1000 or 60.0
        limit = ""
        if time.move_time_ms and time.bank_ms:
            move, bank = in_seconds(time.move_time_ms / 1000), in_seconds(time.bank_ms / 1000)
            limit = f"{in_seconds(seconds)}: the move time of {move} and the bank of {bank}"
        ready_seconds = time.ready_time_ms / 1000 or inf
        talk = ProtocolScript(self._games[0], probe.script, seconds, ready_seconds, limit=limit)
        if probe.script.wants_ready:
            self._title = "gets ready"
            began = trio.current_time()
            await talk.get_ready()
            self._passed("gets ready", f"for a match, after {(trio.current_time() - began) * 1000:.1f} ms")
        self._title = "first answer"
        try:
            move = await talk.ask_first()
        except StepFailed as failure:
            question = first_question(self._games[0], self._terms.time)
            self._report.found.append(Finding(self._title, str(failure), question))
            raise
        self._seconds_per_answer = trio.current_time() - talk.asked_at
        self._passed("first answer", f"{move}, after {self._seconds_per_answer * 1000:.1f} ms")
        self._title = "asked again"
        await talk.repeat_question()
        self._passed("asked again", "it answers a question that an earlier process left open")
        self._title = "many at once"
        if talk.at_once > 1:
            await talk.ask_batch()
            seconds = (trio.current_time() - talk.asked_at) / min(BATCH_MATCHES, talk.at_once)
            self._is_serial = seconds > SERIAL_SHARE * self._seconds_per_answer
            self._seconds_per_answer = seconds
            self._passed("many at once", "it answers questions of several matches in one message")
        else:
            self._report.add("many at once", "skipped", "it plays one match at a time")
        self._title = "odd messages"
        await talk.send_unusual_messages()
        self._passed("odd messages", "it goes on after empty messages and aborted matches")
        self._title = "far question"
        await talk.ask_large_number()
        self._passed("far question", "it returns 64-bit question numbers exactly")

    async def _end(self, probe: ProcessProbe) -> None:
        self._title = "ends with its stream"
        await probe.end()
        if not probe.session.exit:
            raise StepFailed("it was still running 2 s after its stream ended, and was killed", is_slow=True)
        if probe.session.exit != "exited with code 0":
            raise StepFailed(f"after its stream ended it {probe.session.exit}; it must exit with code 0")
        self._passed("ends with its stream", "it exits with code 0")

    # Steps with matches at a referee

    async def _play(self) -> None:
        [self._random] = find_bots(["random"], samples(self._games[0].name))
        terms = self._terms
        self._budget = MatchBudget(terms.seconds, len(self._games))
        on_pace = self._tell_pace if self._on_progress is not None else None
        async with trial_referee(self._bot, self._random, terms.time, self._say, terms.hosting, on_pace) as opened:
            for game in self._games:
                await self._play_game(opened, game)
                self._played += 1

    async def _play_game(self, opened: TrialReferee, game: Game) -> None:
        self._title = title = f"plays {game.name}"
        tables, repeated, first = await self._play_usual_tables(opened, game)
        self._record_output(first.end.output, first.end.truncated)
        if faults := first.faults(tables.matches):
            self._failed(title, sentence(faults, len(tables.matches)), faults, first)
            self._report.found += self._findings(title, tables, first).faults()
            self._report.add(f"{game.name} again", "skipped", f"{title} failed")
            self._report.add(f"{game.name} at odd tables", "skipped", f"{title} failed")
            return
        answers, charged = first.decisions(tables.matches)
        self._report.charged_us[game.name] = max(charged // len(tables.matches), 1)
        pace = f", {charged / answers / 1000:.2f} ms each" if answers else ""
        fewer = f"; {FEW_MATCHES} and not {self._terms.matches}, as it is slow" if repeated == FEW_REPEATED else ""
        self._passed(title, f"{len(tables.matches)} matches, {answers:,} answers{pace}{fewer}{_before([first])}")
        self._title = f"{game.name} again"
        some = replace(tables, matches=tables.matches[:repeated])
        [again] = await self._play_phases(opened, [some], alone=True)
        differing = [n for n, record in again.records.items() if record.digest != first.records[n].digest]
        if faults := again.faults(some.matches):
            failures = sentence(faults, len(some.matches))
            self._failed(f"{game.name} again", f"with one match at a time: {failures}", faults, again)
            self._report.found += self._findings(f"{game.name} again", some, again).faults()
        elif differing:
            self._report.add(
                f"{game.name} again",
                "warned",
                f"{len(differing)} of {len(some.matches)} matches went otherwise in another order, with the same "
                "deals and bot seeds: what it draws elsewhere, or remembers, nobody can play again",
            )
            number = min(differing)
            if finding := self._findings(f"{game.name} again", some, first).difference(number, again.records[number]):
                self._report.found.append(finding)
        else:
            order = "of them in another order, one at a time, go the same way"
            self._passed(f"{game.name} again", f"{len(some.matches)} {order}{_before([again])}")
        await self._play_edge_tables(opened, game)

    async def _play_usual_tables(self, opened: TrialReferee, game: Game) -> tuple[TrialTables, int, TrialOutcome]:
        """Play the usual matches of a game, few of a slow bot; return them, how many to repeat, and the outcome."""
        tables = typical_tables(game, self._terms.matches)
        if self._terms.seconds < inf and len(tables.matches) > FEW_MATCHES:
            few = replace(tables, matches=tables.matches[:FEW_MATCHES])
            self._say_how_long(few)
            few, outcome = await self._play_first(opened, few)
            if outcome.faults(few.matches):
                return few, FEW_REPEATED, outcome
            await self._end_if_hopeless(few, outcome.seconds)
            if self._budget.is_slow(outcome.seconds, len(tables.matches)):
                return few, FEW_REPEATED, outcome
        else:
            self._say_how_long(tables)
        [outcome] = await self._play_phases(opened, [tables])
        return tables, REPEATED_MATCHES, outcome

    async def _play_first(self, opened: TrialReferee, few: TrialTables) -> tuple[TrialTables, TrialOutcome]:
        """Play the first matches of a game; return those that were played, and the outcome.

        They are one phase. But those of a slow bot that answers one question after the other are one each, as a phase
        is what outlives an interruption; after a fault no other begins.
        """
        if self._terms.kept is None or not self._is_serial or self._seconds_of(few) < 2 * LEAST_SECONDS:
            [outcome] = await self._play_phases(opened, [few])
            return few, outcome
        outcomes = list[TrialOutcome]()
        for trial in few.matches:
            one = replace(few, matches=(trial,))
            outcomes += await self._play_phases(opened, [one])
            if outcomes[-1].faults(one.matches):
                break
        return replace(few, matches=few.matches[: len(outcomes)]), joined(outcomes)

    async def _end_if_hopeless(self, few: TrialTables, seconds: float) -> None:
        """End the matches if those of all games cannot be played in time, at the pace of the first ones.

        few: those that were played.
        seconds: how long they took.
        """
        if not self._terms.is_limited or len(self._games) == 1 or seconds < LONG_SECONDS:
            return
        per_answer = seconds / (match_size(few).own * len(few.matches))
        expected = per_answer * sum(map(least_answers, self._games))
        names_games = bool(self._terms.games or self._report.claims)
        self._hopeless = self._budget.hopeless(few.game.name, expected, names_games=names_games)
        if self._hopeless:
            self._limit.cancel()
            await trio.lowlevel.checkpoint()

    def _say_how_long(self, tables: TrialTables) -> None:
        """Say how long some matches will take, if that is long, from the time that the bot took for an answer."""
        seconds = self._seconds_of(tables)
        if seconds > LONG_SECONDS:
            self._say(
                f"it took {in_seconds(self._seconds_per_answer)} for an answer: "
                f"{len(tables.matches)} matches of {tables.game.name} will take about {duration(seconds)}"
            )

    def _seconds_of(self, tables: TrialTables) -> float:
        """Return about how long some matches will take, from the time that the bot took for an answer, in seconds."""
        return self._seconds_per_answer * match_size(tables).own * len(tables.matches)

    def _tell_pace(self, pace: TrialPace) -> None:
        assert self._on_progress is not None
        self._on_progress(pace.progress(self._title))

    async def _play_edge_tables(self, opened: TrialReferee, game: Game) -> None:
        self._title = title = f"{game.name} at odd tables"
        tried = edge_tables(game)
        if await self._plays_as_one(opened, tried):
            self._passed(title, ", ".join(tables.title for tables in tried))
            return
        outcomes = await self._play_phases(opened, tried)
        for tables, outcome in zip(tried, outcomes, strict=True):
            self._record_output(outcome.end.output, outcome.end.truncated)
            if faults := outcome.faults(tables.matches):
                failures = sentence(faults, len(tables.matches))
                self._failed(title, f"{tables.title}: {failures}", faults, outcome)
                self._report.found += self._findings(title, tables, outcome).faults()
                return
        self._passed(title, ", ".join(tables.title for tables in tried) + _before(outcomes))

    async def _plays_as_one(self, opened: TrialReferee, several: Sequence[TrialTables]) -> bool:
        """Play matches of several tables in one phase, and return whether nothing went wrong.

        Otherwise they count for nothing: in its events a bot meets matches of one kind at a time. Those of a slow bot
        are not played, as a phase is what outlives an interruption.
        """
        if sum(map(self._seconds_of, several)) > LEAST_SECONDS:
            return False
        joint = joint_tables(several)
        [outcome] = await opened.play([joint])
        if outcome.failures or outcome.faults(joint.matches):
            return False
        self._record_output(outcome.end.output, outcome.end.truncated)
        return True

    async def _play_phases(
        self, opened: TrialReferee, several: Sequence[TrialTables], *, alone: bool = False
    ) -> list[TrialOutcome]:
        """Play phases, but for those that an earlier attempt has played.

        alone: whether their matches are played one at a time, backwards.

        Raises MachineBusy if the bot lost by time and the machine is too busy.
        """
        kept, time = self._terms.kept, self._terms.time
        found = [None if kept is None else kept.find(tables, time, alone=alone) for tables in several]
        missing = [tables for tables, outcome in zip(several, found, strict=True) if outcome is None]
        began = trio.current_time()
        play = partial(opened.play, at_once=1, backwards=True) if alone else opened.play
        played = iter(await self._play_undisturbed(missing, play) if missing else ())
        seconds = (trio.current_time() - began) / max(len(missing), 1)
        outcomes = []
        for tables, outcome in zip(several, found, strict=True):
            if outcome is not None:
                self._limit.deadline -= outcome.seconds  # as if it had been played now
            else:
                outcome = next(played)
                outcome.seconds = seconds
                if kept is not None:
                    kept.add(tables, time, outcome, alone=alone)
            outcomes.append(outcome)
        return outcomes

    async def _play_undisturbed(
        self, several: Sequence[TrialTables], play: Callable[[Sequence[TrialTables]], Awaitable[list[TrialOutcome]]]
    ) -> list[TrialOutcome]:
        """Play phases; once more where the bot lost by time, and something else than itself may be the reason.

        play: plays them with fresh processes.

        Raises MachineBusy if the bot lost by time and the machine is too busy.
        """
        outcomes = await play(several)
        for is_last in (False, True):
            played = list(zip(outcomes, several, strict=True))
            if not any(outcome.is_slow(tables.matches) for outcome, tables in played):
                break
            await self._check_not_busy()
            if is_last or not any(outcome.is_disturbed(tables.matches) for outcome, tables in played):
                break
            outcomes = await play(several)
        return outcomes

    async def _check_not_busy(self) -> None:
        await check_not_busy(self._terms.time, self._terms.hosting)

    def _findings(self, step: str, tables: TrialTables, outcome: TrialOutcome) -> TrialFindings:
        return TrialFindings(step, self._bot, self._random, self._terms.time, tables, outcome)

    # Output

    def _record_output(self, text: str, truncated: bool) -> None:
        if text:
            self._printed.append(text)
        self._is_truncated = self._is_truncated or truncated

    def _check_output(self) -> None:
        printed = sum(map(len, self._printed))
        if self._is_truncated:
            self._report.add(
                "quiet", "warned", f"it prints more than {KEPT_CHARACTERS // 1024} KiB; the rest is discarded"
            )
        else:
            self._passed("quiet", f"it printed {printed:,} characters" if printed else "it prints nothing")

    def _failed(self, title: str, sentence: str, faults: Sequence[Fault], outcome: TrialOutcome) -> None:
        if outcome.failures or not ENDED.isdisjoint(kind_name(fault.kind) for fault in faults):
            sentence = self._explained(sentence, outcome.end.output)
        self._report.add(title, "failed", sentence)
        self._report.is_slow = self._report.is_slow or any(kind_name(fault.kind) in SLOW for fault in faults)

    def _passed(self, title: str, sentence: str) -> None:
        self._report.add(title, "passed", sentence)

    def _explained(self, sentence: str, printed: str) -> str:
        """Return what went wrong with what the bot printed of it: in Python its exception, the line, and what helps."""
        lines = printed.splitlines()
        cause = python_cause(lines) or (lines[-1] if lines and NOT_JSON in lines[-1] else "")
        if not cause or cause in sentence:
            return sentence
        if missing := _NO_FIELD.match(cause):
            game = self._games[0]
            near = did_you_mean(missing[1], [field.name for field in view_message(game).DESCRIPTOR.fields])
            cause += f"{near}; `arena games {game.name} --view` lists the fields of the view"
        return f"{sentence}; {cause}"


def _before(outcomes: Sequence[TrialOutcome]) -> str:
    """Return the words, to follow a sentence, that phases were played in an earlier attempt; empty if any was not."""
    return "; played before the check was interrupted" if all(outcome.is_kept for outcome in outcomes) else ""


def _no_such_game(games: Sequence[str]) -> str:
    """Return the sentence about a bot that plays only games that are not installed."""
    known = names()
    shown = [clean(game, NAME_CHARACTERS) for game in games[:MOST_GAMES]]
    near = did_you_mean(shown[0], known)
    return f"it plays only {', '.join(shown)}, and there is no such game{near} (games: {', '.join(known)})"


def _cause_of_end(printed: str, exit: str) -> str:
    """Return what its output and its exit tell of a bot that ended before its hello, to follow the failure."""
    last = next((line.strip() for line in reversed(printed.splitlines()) if line.strip()), "")
    if missing := _NO_MODULE.fullmatch(last):
        return f"; it imports {missing[1]}, which is not there: declare the package that has it ({FILE}: dependencies)"
    if exit == "exited with code 0":
        return ": it must connect to ARENA_ADDRESS and play until its stream ends (in Python: call run() of the bot)"
    if python_cause(printed.splitlines()):  # follows
        return ""
    return f"; it printed last: {last[:200]}" if last else ""


_NO_MODULE = re.compile(r"ModuleNotFoundError: No module named '([A-Za-z0-9_]+)[^']*'")

_NO_FIELD = re.compile(r"AttributeError: ([A-Za-z0-9_]+) \(")
"""What protobuf's messages raise for a field that they do not have."""
