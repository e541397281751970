"""The page of the Python packages for users, rendered from their docstrings by mkdocstrings."""

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGES = {
    "arena.sdk": "Write a bot. [Writing a bot](bots.md) is its manual.",
    "arena.api": "Play matches and tournaments from Python. [arena from Python](library.md) is its manual.",
    "arena.envs.pettingzoo": "Every game for PettingZoo. "
    "[Environments for training](training.md) is the manual of these modules.",
    "arena.envs.gymnasium": "One seat of a game for Gymnasium, against other bots.",
    "arena.envs.vector": "Many matches in step, with NumPy arrays.",
    "arena.envs.openspiel": "Every game for OpenSpiel.",
    "arena.envs.policy": "A policy as a bot.",
    "arena.testing": "Test a game of your own. [Writing a game](games.md) shows how.",
}
"""For each what it is for; those that this checkout does not have are left out."""

_HEAD = """\
# Python API

What bots, notebooks and tests of games may import, from the docstrings. Everything else in `arena` and `referee` is
internal.

"""


def api_page(root: Path) -> str:
    """Return the page.

    root: of the checkout.
    """
    sections = (_section(name, purpose, root) for name, purpose in PACKAGES.items())
    return _HEAD + "\n".join(filter(None, sections))


def _section(package: str, purpose: str, root: Path) -> str:
    """Return the section of a package; "" if there is none of that name."""
    places = [folder / package.replace(".", "/") for folder in (root, *sorted(root.glob("packages/*")))]
    paths = (path for place in places for path in (place / "__init__.py", place.with_suffix(".py")))
    source = next(filter(Path.exists, paths), None)
    if source is None:
        return ""
    names = list(_public(source))
    members = [f"::: {package}.{name}\n    options:\n      show_root_heading: true\n" for name in names]
    return f"## {package}\n\n{purpose}\n\n" + ("\n".join(members) or f"::: {package}\n")


def _public(source: Path) -> Iterator[str]:
    """Yield the names that a module exports: those of `__all__`, or its own public classes and functions."""
    body = ast.parse(source.read_text()).body
    for statement in body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            yield from ast.literal_eval(statement.value)
            return
    for statement in body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef) and not statement.name.startswith("_"):
            yield statement.name
