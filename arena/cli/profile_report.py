"""Print where the time of a bot goes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cli.output import table_text, table_width
from arena.values.terminal_width import cut_to_cells
from arena.values.text_table import Column, TextTable, text_column

if TYPE_CHECKING:
    from arena.bots.bot_profile import BotProfile, ProfiledFunction, ProfiledQuestion
    from arena.sdk.recorded_question import RecordedQuestion

QUESTIONS = (
    Column("question"),
    Column("answer", drop=1),
    Column("wall", drop=3),
    Column("CPU", drop=2),
    Column("charged"),
    Column("of move time"),
    text_column("played"),
)
FUNCTIONS = (Column("calls"), Column("itself"), Column("with calls"), text_column("function"))

SDK = "arena.sdk, protobuf"
"""What the functions of the SDK, of protobuf and of gRPC are called together."""

VIEW_CELLS = 76
"""Cells of a terminal for what the seat saw at a slow question."""

TAIL = 20
"""Lines that the bot printed last that are printed after a failure."""


@dataclass(frozen=True, slots=True)
class ProfileReport:
    """Where the time of a bot goes, for people and programs."""

    bot: str
    """The name of the bot."""
    folder: str
    """The folder of the bot."""
    recorded: "RecordedQuestion"
    """The last question of the seat."""
    plies: tuple[int, ...]
    """The numbers of the answers in the match, by question."""
    profile: "BotProfile"

    def lines(self, questions: int, functions: int) -> Iterator[str]:
        """Yield the report.

        questions: how many slow questions are shown at the most.
        functions: how many functions are shown at the most.
        """
        profile = self.profile
        yield from self._summary()
        if questions and profile.questions:
            yield ""
            yield from self._slowest(questions)
        if functions and profile.functions:
            yield ""
            yield from self._functions(functions)
        elif profile.no_functions:
            yield ""
            yield f"no times of functions: {profile.no_functions}"
        if profile.failure:
            from arena.record.printed import folded, whole_tail

            yield ""
            if tail := whole_tail(folded(profile.output.splitlines()), TAIL):
                yield f"last output of {self.bot}:"
                yield from (f"    {line}" for line in tail)
            yield f"{self.bot} failed: {profile.failure}"

    def _summary(self) -> Iterator[str]:
        profile, recorded = self.profile, self.recorded
        asked = profile.questions
        yield (
            f"{self.bot} answered {len(asked):,} of {profile.asked:,} questions of {recorded.game} "
            f"(seat {recorded.seat} of {recorded.seats}), hello after {_time(profile.start)}"
        )
        if not asked:
            return
        for title, spent in (
            ("wall", [each.wall for each in asked]),
            ("CPU", [each.cpu for each in asked]),
            ("charged", [each.charged for each in asked]),
        ):
            mean, most = sum(spent) / len(spent), max(spent)
            share = f", {most * 1000 / recorded.move_time_ms:.1%} of the move time" if self._has_share(title) else ""
            yield f"{title + ':':<9}{_time(sum(spent)):>8} in all, {_time(mean)} each, {_time(most)} at most{share}"

    def _has_share(self, title: str) -> bool:
        return title == "charged" and self.recorded.move_time_ms > 0

    def _slowest(self, limit: int) -> Iterator[str]:
        slowest = sorted(self.profile.questions, key=lambda each: each.charged, reverse=True)[:limit]
        rows = [
            (
                each.number,
                self.plies[each.number - 1],
                _time(each.wall),
                _time(each.cpu),
                _time(each.charged),
                self._share(each),
                each.move or "illegal",
            )
            for each in slowest
        ]
        width = table_width()
        heading, *lines = TextTable(QUESTIONS, rows).blocks(width)
        yield from heading.splitlines()
        for line, each in zip(lines, slowest, strict=True):
            yield from line.splitlines()
            yield f"    {cut_to_cells(_view(each), min(VIEW_CELLS, (width or VIEW_CELLS + 4) - 4))}"

    def _share(self, question: "ProfiledQuestion") -> str:
        limit = self.recorded.move_time_ms
        return f"{question.charged * 1000 / limit:.1%}" if limit else "-"

    def _functions(self, limit: int) -> Iterator[str]:
        from arena.bots.bot_profile import origin

        of: dict[str, list[ProfiledFunction]] = {"bot": [], "others": [], "sdk": []}
        for each in sorted(self.profile.functions, key=lambda function: function.own, reverse=True):
            of[origin(each, self.folder)].append(each)
        ranked = [*of["bot"], *of["others"]]
        shown, rest = ranked[:limit], ranked[limit:]
        rows = [(each.calls, _time(each.own), _time(each.total), self._name(each)) for each in shown]
        for title, summed in (("all others", rest), (SDK, of["sdk"])):
            if summed:
                rows.append((sum(each.calls for each in summed), _time(sum(each.own for each in summed)), "", title))
        yield "with Python's profiler, which makes all of it slower:"
        yield from table_text(FUNCTIONS, rows).splitlines()

    def _name(self, function: "ProfiledFunction") -> str:
        if function.file == "~":  # built in
            return function.name
        path = Path(function.file)
        shown = path.relative_to(self.folder) if path.is_relative_to(self.folder) else path.name
        return f"{shown}:{function.line} {function.name}"

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values; times are in seconds."""
        from arena.bots.bot_profile import origin

        profile, recorded = self.profile, self.recorded
        return {
            "bot": self.bot,
            "game": recorded.game,
            "seat": recorded.seat,
            "move_time_ms": recorded.move_time_ms,
            "start_seconds": profile.start,
            "asked": profile.asked,
            "questions": [
                {
                    "number": each.number,
                    "answer": self.plies[each.number - 1],
                    "wall_seconds": each.wall,
                    "cpu_seconds": each.cpu,
                    "charged_seconds": each.charged,
                    "move": each.move,
                    "legal": list(each.legal),
                    "view": dict(each.view),
                }
                for each in profile.questions
            ],
            "functions": [
                {
                    "file": each.file,
                    "line": each.line,
                    "name": each.name,
                    "calls": each.calls,
                    "own_seconds": each.own,
                    "total_seconds": each.total,
                    "of": origin(each, self.folder),
                }
                for each in profile.functions
            ],
            "no_functions": profile.no_functions,
            "failure": profile.failure,
            "output": profile.output.splitlines()[-TAIL:] if profile.failure else [],
        }


def _time(seconds: float) -> str:
    """Return a time in a unit that fits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{seconds * 1000:.2f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"


def _view(question: "ProfiledQuestion") -> str:
    return ", ".join(f"{name} {_value(value)}" for name, value in question.view.items())


def _value(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} {_value(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return " ".join(map(_value, value))
    return str(value)
