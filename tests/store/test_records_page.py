"""The code of docs/records.md runs."""

import re
from pathlib import Path

import pytest

from arena.store import open_store
from tests import played
from tests.guessing import GUESSING

PAGE = Path(__file__).parents[2] / "docs" / "records.md"


BOT = {
    "command": ["/usr/bin/python3.11", "/home/ann/owl/owl.py", "--depth", "3", "/opt/book.bin"],
    "folder": "/home/ann/owl",
    "files": ["/home/ann/owl/owl.py", "/opt/book.bin"],
}


def test_hashes_and_seeds_are_checked_as_the_page_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    event = played.tournament(GUESSING)
    field = [BOT | {"name": bot.name, "sha256": bot.sha256} for bot in event.entrants]
    with open_store("arena.db", create=True) as store:
        number = store.add_tournament(played.planned(event, field=field))
        store.add_matches(number, [played.match(GUESSING, number) for number in range(8)])
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(code, str(PAGE), "exec"), names)
    assert names["deal"] == 1
