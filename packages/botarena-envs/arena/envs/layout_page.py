"""Print docs/observations.md: what the observations of each game are made of.

python -m arena.envs.layout_page > FILE
"""

from arena.envs.episode import Setup
from arena.envs.observation import LAYOUTS, LEFT_OUT, describe

HEAD = """\
# Observations

What the [environments](training.md) observe in each game, by index, with the seats of a tournament and the default
options. Each value is a float32 from -1 to 1, made from the fields of the view that [protocol.md](protocol.md)
documents, and from nothing else. Seats are counted from the observing one, which comes first; "by seat" means so many
values for it, then for the next one, and so on. What is unknown or absent is 0. A one-hot group has 1 for the value
that is the case.

`arena.envs.observation.describe(game, options, seats)` returns the table for any options and seats. `make docs` writes
this page.

Some fields need no place: {}.
"""


def page() -> str:
    """Return the page."""
    left_out = "; ".join(f"`{field}` ({reason})" for field, reason in LEFT_OUT.items())
    parts = [HEAD.format(left_out)]
    for name in LAYOUTS:
        setup = Setup(name, None, {})
        actions = f"{setup.actions.size} actions"
        if unlisted := setup.actions.size - len(setup.actions.listed):
            actions += f", {unlisted} of them for moves that are not listed"
        rows = [
            f"| {start}{f' to {start + size - 1}' if size > 1 else ''} | {_names(fields)} | {meaning} |"
            for fields, start, size, meaning in describe(setup.game, setup.options, setup.seats)
        ]
        head = f"## {name}\n\n{setup.seats} seats: {setup.observer.size} values, {actions}."
        parts.append("\n".join([head, "", "| index | fields | values |", "| --- | --- | --- |", *rows, ""]))
    return "\n".join(parts)


def _names(fields: str) -> str:
    return ", ".join(f"`{field}`" for field in fields.split(", "))


if __name__ == "__main__":
    print(page(), end="")
