"""What callers grant single bots, and the environment variables that they hand to them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from arena.api.field import Field
from arena.plan.grants import grant
from arena.values.tournament_errors import FieldError

Grants = Mapping[str, Sequence[str]]
"""Grants by the name of their bot: {"owl": ["network", "device:/dev/nvidia0"]}."""

Secrets = Mapping[str, Sequence[str]]
"""Names of environment variables by the name of their bot: {"owl": ["LLM_API_KEY"]}."""


def with_grants(field: Field, grants: Grants | None) -> Field:
    """Return a field with grants. Raises FieldError for an unknown grant, and a bot that cannot have one."""
    words = _pairs(grants, 'grants is a dict of bots and lists of grants, such as {"owl": ["network"]}')
    return replace(field, entrants=grant(field.entrants, words))


def read_secrets(secrets: Secrets | None) -> tuple[tuple[str, str, str], ...]:
    """Return bots, variables and their values. Raises FieldError for a variable that is not set."""
    # Whoever writes a key in place of its variable's name does not want to see it in an error.
    expected = (
        'secrets is a dict of bots and lists of environment variables, such as {"owl": ["LLM_API_KEY"]}: '
        "their names, not their values"
    )
    passed_on = []
    for bot, variable in _pairs(secrets, expected):
        if not variable.isidentifier():
            raise FieldError(expected)
        if variable not in os.environ:
            raise FieldError(f"{bot} is to get the variable {variable}, which is not set: put it into os.environ first")
        passed_on.append((bot, variable, os.environ[variable]))
    return tuple(passed_on)


def _pairs(values: Mapping[str, Sequence[str]] | None, expected: str) -> Iterator[tuple[str, str]]:
    """Yield each bot with each of its texts. Raises FieldError, with the sentence `expected`, for other values."""
    if not isinstance(values, Mapping | None):
        raise FieldError(expected)
    for bot, texts in (values or {}).items():
        if isinstance(texts, str) or not isinstance(texts, Sequence):  # a text would be taken for a list of its letters
            raise FieldError(expected)
        for text in texts:
            if not isinstance(text, str):
                raise FieldError(expected)
            yield str(bot), text
