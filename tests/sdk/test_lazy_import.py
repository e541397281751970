"""What a bot does not use is not loaded, and is there for a bot that does."""

import importlib
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.sdk.lazy_import import lazy_import
from referee.v1.cambio_pb2 import CambioView
from referee.v1.play_pb2 import PlayRequest, PlayResponse

PARTS = (
    "asyncio.events",
    "grpc.aio._channel",
    "grpc._channel",
    "google.protobuf.text_format",
    "ast",  # of inspect
    "locale",  # of calendar
    "textwrap",  # of traceback
    "random",
)
PLAYS = f"""
def choose(self, question):
    return "keep" if question.view.card == 9 else "exchange"

def match_ended(self, match, scores, ranks):
    import sys
    print(*[part in sys.modules for part in {PARTS}])
"""
LOOKS = """
    import asyncio
    import grpc
    from google.protobuf import text_format

    async def ready():
        async with grpc.aio.insecure_channel("localhost:1") as channel:
            return channel.get_state()

    print(asyncio.run(ready()))
"""


@pytest.mark.processes
@pytest.mark.parametrize(("body", "said"), [(PLAYS, ""), (PLAYS + LOOKS, "ChannelConnectivity.IDLE\n")])
@pytest.mark.parametrize("imports", ["", "from referee.v1.cambio_pb2 import CambioView\n"])
def test_what_is_put_off(
    standin: Any, write_bot: Callable[..., Path], deal: Any, greet: PlayResponse, body: str, said: str, imports: str
) -> None:
    def talk(requests: Iterator[PlayRequest]) -> Iterator[PlayResponse]:
        next(requests)
        yield greet
        yield deal().start(1).ask(1, 1, view=CambioView(card=9).SerializeToString()).response
        assert next(requests).answers.answers[0].index == 0
        yield deal().end(1).response

    ended = standin.run(write_bot(body, imports), talk)
    assert (ended.out, ended.err, ended.code) == (f"{' '.join(['False'] * len(PARTS))}\n{said}", "", 0)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A package `later`, imported lazily, that notes in a file how often it was loaded."""
    folder = tmp_path / "later"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        f"""
import time
with open({str(tmp_path / "loads")!r}, "a") as file:
    file.write("loaded\\n")
time.sleep(0.05)
from later import other
value = 7
"""
    )
    (folder / "part.py").write_text("answer = 42")
    (folder / "other.py").write_text("import later\nhas_value = hasattr(later, 'value')")
    monkeypatch.syspath_prepend(tmp_path)
    with lazy_import("later"):
        yield importlib.import_module("later")
    for name in ("later", "later.part", "later.other"):
        sys.modules.pop(name, None)


def loads(tmp_path: Path) -> int:
    file = tmp_path / "loads"
    return len(file.read_text().splitlines()) if file.exists() else 0


def test_submodule_without_its_package(package: Any, tmp_path: Path) -> None:
    assert importlib.import_module("later.part").answer == 42
    assert package.part.answer == 42
    assert loads(tmp_path) == 0
    assert package.value == 7
    assert package.other.has_value is False  # it was imported in the middle
    assert loads(tmp_path) == 1
    assert type(package) is ModuleType
    assert package.__spec__
    assert package.__loader__ is package.__spec__.loader
    with pytest.raises(AttributeError):
        package.nothing  # noqa: B018


def test_what_is_set_is_not_overwritten(package: Any, tmp_path: Path) -> None:
    package.value = 8
    assert (package.value, loads(tmp_path)) == (8, 1)


def test_names_of_a_deferred_module(package: Any, tmp_path: Path) -> None:
    assert "value" in dir(package)
    assert loads(tmp_path) == 1


def test_threads_load_once(package: Any, tmp_path: Path) -> None:
    values: list[int] = []
    threads = [threading.Thread(target=lambda: values.append(package.value)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (values, loads(tmp_path)) == ([7] * 8, 1)


def test_failure_is_raised_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    with lazy_import("broken"):
        module = importlib.import_module("broken")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            module.anything  # noqa: B018
    sys.modules.pop("broken")
