import pytest


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have checks take this machine for idle, as other tests run beside."""
    monkeypatch.setattr("arena.bots.starvation.is_starved", lambda use: False)
