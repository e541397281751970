import pytest

from arena.cli import progress as module
from arena.cli.progress import Progress


def test_away_from_a_terminal_it_prints_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(module, "monotonic", lambda: now)
    with Progress(total=1000, played=200) as progress:
        now += 5
        progress.progress(100, 1000)
        now += 5
        progress.progress(100, 2000)
        progress.say("bots are trusted")
    told = capsys.readouterr()
    assert told.err == "400 of 1,000 matches, 20 matches/s, 300 decisions/s, 30 s left\nbots are trusted\n"
    assert told.out == ""


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (61, "1:01"), (3723, "1:02:03")])
def test_time_left(seconds: float, text: str) -> None:
    assert module._clock(seconds) == text
