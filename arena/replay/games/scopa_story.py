"""The key events of Scopa: sweeps, the settebello, and what each deal brought."""

from collections.abc import Iterator, Sequence

from arena.language.message import Message, counted
from arena.replay.log_lines import LogLine
from arena.replay.story import Cast, KeyEvent, event_of
from referee.games import scopa
from referee.games.italian_pack import SETTEBELLO


def key_events(lines: Sequence[LogLine], cast: Cast) -> Iterator[KeyEvent]:
    """Yield the sweeps, who got the seven of coins, what each deal brought, and how the match ended."""
    names = cast.names
    sides = {team: cast.side(seat) for seat, team in reversed([*enumerate(cast.teams)])}
    played = ""
    best: tuple[int, int, int, int] | None = None  # what a team scored in a deal, its line, its number, and what it has
    for number, line in enumerate(lines):
        kind, *values = event_of(line)
        if kind == scopa.PLAYS:
            played = values[1]
        elif kind == scopa.TAKES and SETTEBELLO in (played, *values[1].split()):
            text = Message("{0} captures the seven of coins, a point", names[values[0]])
            yield KeyEvent(number, 2.5, "settebello", text)
        elif kind == scopa.SWEEP:
            text = Message("{0} sweeps the table: a scopa, a point", names[values[0]])
            yield KeyEvent(number, 4, "scopa", text)
        elif kind == scopa.SCORES:
            scored = values[1], number, values[0], values[2]
            best = max(best, scored) if best else scored
        if best and kind != scopa.SCORES:
            yield _deal(best, sides)
            best = None
        if kind in (scopa.WON, scopa.MERCIFUL):
            one, many = "{0} reaches {1} point: the match is over", "{0} reaches {1} points: the match is over"
            text = counted(values[1], one, many, sides[values[0]], values[1])
            yield KeyEvent(number, 7, "end", text)
        elif kind == scopa.LAST_DEAL:
            yield KeyEvent(number, 3, "end", line)
    if best:
        yield _deal(best, sides)


def _deal(best: tuple[int, int, int, int], sides: dict[int, str]) -> KeyEvent:
    gained, number, team, total = best
    one = "{0} gains most in the deal, {1} point, and has {2}"
    many = "{0} gains most in the deal, {1} points, and has {2}"
    text = counted(gained, one, many, sides[team], gained, total)
    return KeyEvent(number, 3.5 + gained / 4, "deal", text)
