"""What the live pages of leagues show, as commands are told."""

import click
import pytest
from click.testing import CliRunner

from arena.cli.watch_options import WatchOptions, watch_options
from arena.server.watch.watched_league import Watching


def parsed(*words: str) -> WatchOptions:
    taken: list[WatchOptions] = []

    @click.command()
    @watch_options
    def command(watch: WatchOptions) -> None:
        taken.append(watch)

    result = CliRunner().invoke(command, words)
    if result.exit_code:
        raise click.UsageError(result.output)
    return taken[0]


def test_matches_under_way_are_shown_once_their_deal_is_settled_by_default() -> None:
    watching = parsed().watching()
    assert watching is not None
    assert watching.matches is not None
    assert watching.matches.delay == 0
    assert not watching.everybody_sees_all


def test_the_organiser_decides_what_is_seen_and_how_much_later() -> None:
    assert parsed("--watch", "off").watching() is None
    assert parsed("--watch", "stored").watching() == Watching()
    watching = parsed("--watch", "all", "--watch-delay", "2min").watching()
    assert watching is not None
    assert watching.everybody_sees_all
    assert watching.matches is not None
    assert watching.matches.delay == 120


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--watch", "stored", "--watch-delay", "5s"), "which --watch stored does not show"),
        (("--watch-delay", "2h"), "2h"),
        (("--watch-delay", "4000"), "an hour at most"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(click.UsageError, match=sentence):
        parsed(*words)
