import click
import pytest

from arena.cli.options import Duration


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("50ms", 50), ("1s", 1000), ("1.5s", 1500), ("2min", 120_000), ("3", 3000), (" 10 MS ", 10), ("0", 0)],
)
def test_durations_are_milliseconds(text: str, milliseconds: int) -> None:
    assert Duration().convert(text, None, None) == milliseconds


@pytest.mark.parametrize("text", ["", "soon", "-1s", "1h", "0.5ms", "1e3s", "9999999min"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a duration|whole number of milliseconds"):
        Duration().convert(text, None, None)
