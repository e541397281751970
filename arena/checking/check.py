"""All steps of a check, in their order.

First one process of the bot is spoken with directly. Where it fails there, nothing else is tried. Then it plays at a
real referee: the same matches twice, in another order and one at a time, and matches at the edges of each game.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import trio

from arena.checking.probe import Probe, confinement, named_in, probing
from arena.checking.report import Report, StepFailed
from arena.checking.script import Conversation
from arena.checking.trial_matches import Hall, hall, sentence
from arena.checking.trial_tables import odd, usual
from arena.tournament.plan.definition import Entrant, TimeControl
from arena.tournament.plan.field import enter, samples
from arena.tournament.run.exception_groups import cause
from arena.tournament.run.hosting import USUAL, Hosting
from referee.engine.game import Game
from referee.engine.registry import game as game_named
from referee.engine.registry import names
from referee.session.local_session import Program
from referee.wire import NAME_CHARACTERS, clean

MATCHES = 20
"""Matches at usual tables of each game."""

AGAIN = 8
"""How many of them are played again, one at a time."""

LOUD = 64 * 1024
"""Characters of output that are kept of a bot; who prints more is warned."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what terms a bot is checked.

    games: those it must play; empty: those that its hello names. time: clock and limits.
    matches: at usual tables of each game. hosting: how it is run.
    """

    games: tuple[Game, ...]
    time: TimeControl = field(default_factory=TimeControl)
    matches: int = MATCHES
    hosting: Hosting = USUAL


def check(bot: Entrant, terms: Terms, say: Callable[[str], None]) -> Report:
    """Check a bot and return the report. say: is told what happens on the way.

    Raises RefereeError where no referee can be started, SandboxError where bots cannot be confined as asked.
    """
    try:
        return trio.run(_Check(bot, terms, say).run)
    except BaseExceptionGroup as group:
        raise cause(group) from None


class _Check:
    def __init__(self, bot: Entrant, terms: Terms, say: Callable[[str], None]) -> None:
        self._bot = bot
        self._terms = terms
        self._say = say
        self._report = Report(bot.name)
        self._printed: list[str] = []
        self._loud = False
        self._games = terms.games

    async def run(self) -> Report:
        await self._speak()
        self._report.games = tuple(game.name for game in self._games)
        if self._report.passed:
            await self._play()
        self._quiet()
        self._report.output = "\n".join(self._printed)
        return self._report

    # One process, spoken with

    async def _speak(self) -> None:
        terms, bot = self._terms, self._bot
        memory = min(terms.time.memory_bytes, bot.memory_bytes or terms.time.memory_bytes)
        start = terms.time.start_time_ms / 1000
        program = Program(bot.command, bot.folder, start, memory, confinement(terms.hosting.sandbox))
        async with probing(program, terms.games[0].name if terms.games else "", bot.matches_at_once) as probe:
            report = self._report
            if not probe.session.is_welcomed:
                await probe.gone.wait()
            try:
                self._started(probe)
                await self._converse(probe)
                report.memory_bytes = probe.memory()
                await self._end(probe)
            except StepFailed as failure:
                report.add(self._title, "failed", str(failure))
            await probe.end()
        self._heard(probe.script.output.text(), probe.script.output.truncated)
        if self._report.passed and self._report.memory_bytes is not None:
            held, granted = self._report.memory_bytes / 1024**2, memory / 1024**2
            self._passed("memory", f"{held:.0f} MB of {granted:.0f} MB")

    def _started(self, probe: Probe) -> None:
        self._title = "starts"
        script, endpoints, session = probe.script, probe.endpoints, probe.session
        hello = endpoints.hello
        if hello is None and not endpoints.dialled:
            in_time = session.fault is not None and "within" in session.fault[1]
            if not in_time:
                raise StepFailed(script.failure)
            self._passed("starts", "it runs")
            self._title = "dials in"
            raise StepFailed(f"{script.failure}: it must dial ARENA_ADDRESS and say hello")
        self._passed("starts", "it runs")
        self._title = "dials in"
        if hello is None:
            raise StepFailed(f"it opened a stream, but {script.failure}")
        if endpoints.wrong_token:
            raise StepFailed(f"its hello does not hold the text of ARENA_TOKEN; {script.failure}")
        took = (script.welcomed_at or trio.current_time()) - probe.began
        self._passed("dials in", f"hello after {took * 1000:.0f} ms")
        self._title = "version"
        if not session.is_welcomed:
            raise StepFailed(script.failure)
        name = " ".join(filter(None, [clean(hello.name, NAME_CHARACTERS), script.bot_version]))
        protocols = ", ".join(map(str, hello.protocols))
        games = ", ".join(clean(game, NAME_CHARACTERS) for game in hello.games) or "any game"
        self._passed("version", f"protocol {protocols}, plays {games}" + (f", calls itself {name}" if name else ""))

        self._report.claims = tuple(named_in(hello))
        self._games = self._terms.games or tuple(map(game_named, named_in(hello) or names()))

    async def _converse(self, probe: Probe) -> None:
        seconds = (self._terms.time.move_time_ms + self._terms.time.bank_ms) / 1000 or 60.0
        talk = Conversation(self._games[0], probe.script, seconds)
        self._title = "first answer"
        asked = trio.current_time()
        move = await talk.first()
        self._passed("first answer", f"{move}, after {(trio.current_time() - asked) * 1000:.1f} ms")
        self._title = "asked again"
        await talk.asked_again()
        self._passed("asked again", "it answers what a process before it left open")
        self._title = "many at once"
        if talk.at_once > 1:
            await talk.many()
            self._passed("many at once", "it tells the questions of several matches apart")
        else:
            self._report.add("many at once", "skipped", "it wants one match at a time")
        self._title = "odd messages"
        await talk.odd()
        self._passed("odd messages", "empty messages and matches broken off do not disturb it")
        self._title = "far question"
        await talk.far()
        self._passed("far question", "it gives back numbers of questions exactly")

    async def _end(self, probe: Probe) -> None:
        self._title = "ends with its stream"
        await probe.end()
        if not probe.session.exit:
            raise StepFailed("it runs on 2 s after its stream has ended, and had to be killed")
        if probe.session.exit != "exited with code 0":
            raise StepFailed(f"when its stream ended in good order it {probe.session.exit}; it must exit with 0")
        self._passed("ends with its stream", "it exits with code 0")

    # Matches at a referee

    async def _play(self) -> None:
        [random] = enter(["random"], samples(self._games[0].name))
        terms = self._terms
        async with hall(self._bot, random, terms.time, self._say, terms.hosting) as opened:
            for game in self._games:
                await self._play_game(opened, game)

    async def _play_game(self, opened: Hall, game: Game) -> None:
        tables = usual(game, self._terms.matches)
        title = f"plays {game.name}"
        first = await opened.play(tables)
        self._heard(first.end.output, first.end.truncated)
        if faults := first.faults(tables.sittings):
            self._report.add(title, "failed", sentence(faults, len(tables.sittings)))
            self._report.add(f"{game.name} again", "skipped", f"{title} failed")
            self._report.add(f"{game.name} at odd tables", "skipped", f"{title} failed")
            return
        answers, charged = first.decisions(tables.sittings)
        each = f", {charged / answers / 1000:.2f} ms each" if answers else ""
        self._passed(title, f"{len(tables.sittings)} matches, {answers:,} answers{each}")
        some = replace(tables, sittings=tables.sittings[:AGAIN])
        again = await opened.play(some, at_once=1, backwards=True)
        differing = [n for n, record in again.records.items() if record.digest != first.records[n].digest]
        if faults := again.faults(some.sittings):
            told = sentence(faults, len(some.sittings))
            self._report.add(f"{game.name} again", "failed", f"with one match at a time: {told}")
        elif differing:
            self._report.add(
                f"{game.name} again",
                "warned",
                f"{len(differing)} of {len(some.sittings)} matches went otherwise in another order, with the same "
                "deals and bot seeds: what it draws elsewhere, or remembers, nobody can play again",
            )
        else:
            self._passed(
                f"{game.name} again", f"{len(some.sittings)} of them in another order, one at a time, go the same way"
            )
        await self._play_odd(opened, game)

    async def _play_odd(self, opened: Hall, game: Game) -> None:
        title, tried = f"{game.name} at odd tables", odd(game)
        for tables, outcome in zip(tried, await opened.play_all(tried), strict=True):
            self._heard(outcome.end.output, outcome.end.truncated)
            if faults := outcome.faults(tables.sittings):
                told = sentence(faults, len(tables.sittings))
                self._report.add(title, "failed", f"{tables.title}: {told}")
                return
        self._passed(title, ", ".join(tables.title for tables in tried))

    # What it prints

    def _heard(self, text: str, truncated: bool) -> None:
        if text:
            self._printed.append(text)
        self._loud = self._loud or truncated

    def _quiet(self) -> None:
        printed = sum(map(len, self._printed))
        if self._loud:
            self._report.add("quiet", "warned", f"it prints more than the {LOUD // 1024} KiB that are kept")
        else:
            self._passed("quiet", f"it printed {printed:,} characters" if printed else "it prints nothing")

    def _passed(self, title: str, sentence: str) -> None:
        self._report.add(title, "passed", sentence)
