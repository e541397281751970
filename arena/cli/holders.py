"""What `arena accounts` and `arena tokens` print: a new token, once, and who has one."""

from collections.abc import Mapping, Sequence

from arena.cli.output import echo
from arena.texts import json_text


def print_token(holder: Mapping[str, str], token: str, use: str, as_json: bool) -> None:
    """Print a token that was made. holder: whose it is, with `name`. use: what it is for, as a sentence."""
    if as_json:
        echo(json_text({**holder, "token": token}))
    else:
        echo(token)
        echo(f"This is the token of {holder['name']}, and is not shown again. {use}", err=True)


def print_holders(
    what: str, holders: Sequence[Mapping[str, str]], headers: Sequence[str], nobody: str, as_json: bool
) -> None:
    """Print who has one. what: the key in JSON. headers: of the columns. nobody: what is said where it is no one."""
    if as_json:
        echo(json_text({what: list(holders)}))
    elif holders:
        from tabulate import tabulate

        echo(tabulate([tuple(each.values()) for each in holders], headers, "simple"))
    else:
        echo(nobody, err=True)
