"""The action of each key. `arena.replay.keys` has the help texts."""

from textual.binding import Binding

from arena.replay.marks import FAULT, LOSS, OUT, ROUND

JUMPS = {"r": ROUND, "e": OUT, "d": LOSS, "f": FAULT}
"""The kind of mark to which each key jumps; its capital letter jumps back."""

BINDINGS = [
    *(Binding(key, f"jump('{kind}', 1)") for key, kind in JUMPS.items()),
    *(Binding(key.upper(), f"jump('{kind}', -1)") for key, kind in JUMPS.items()),
    *(Binding(str(seat), f"see({seat})") for seat in range(10)),
    Binding("right", "step(1)"),
    Binding("left", "step(-1)"),
    Binding("full_stop", "question(1)"),
    Binding("comma", "question(-1)"),
    Binding("shift+right", "jump('round', 1)"),
    Binding("shift+left", "jump('round', -1)"),
    Binding("home", "first"),
    Binding("end", "end"),
    Binding("space", "play"),
    Binding("plus,equals_sign", "pace(1)"),
    Binding("minus", "pace(-1)"),
    Binding("k", "moment(1)"),
    Binding("K", "moment(-1)"),
    Binding("m", "move(1)"),
    Binding("M", "move(-1)"),
    Binding("w", "choose(1)"),
    Binding("W", "choose(-1)"),
    Binding("o", "everything"),
    Binding("s", "perspective(1)"),
    Binding("S", "perspective(-1)"),
    Binding("slash", "prompt('search')"),
    Binding("g", "prompt('go to move')"),
    Binding("n", "search(1)"),
    Binding("N", "search(-1)"),
    Binding("up", "scroll('#question-panel', -1)"),
    Binding("down", "scroll('#question-panel', 1)"),
    Binding("pageup", "scroll('#table-panel', -8)"),
    Binding("pagedown", "scroll('#table-panel', 8)"),
    Binding("v", "verify"),
    Binding("l", "link"),
    Binding("a", "again"),
    Binding("c", "continue"),
    Binding("p", "printed"),
    Binding("question_mark", "keys"),
    Binding("q", "quit"),
]
