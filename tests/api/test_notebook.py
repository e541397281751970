"""The notebook of docs/notebooks runs from its first cell to its last, in a Jupyter kernel and as a program."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient", reason="Jupyter is not installed (make test-notebook)")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")
pytestmark = pytest.mark.toolchain

NOTEBOOK = Path(__file__).parents[2] / "docs/notebooks/library.ipynb"


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a function that runs a notebook in a folder of its own, in the Python of the tests."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    work = tmp_path / "work"
    work.mkdir()

    def run(notebook: Any) -> Any:
        client = nbclient.NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(work)}})
        return client.execute()

    yield run
    shutil.rmtree(work)


def outputs(cell: Any) -> list[Any]:
    return [output for output in cell.outputs if output.output_type != "stream" or output.name == "stdout"]


def test_every_cell_runs_and_shows_what_it_showed(kernel: Any) -> None:
    stored = nbformat.read(NOTEBOOK, 4)
    done = kernel(nbformat.read(NOTEBOOK, 4))
    compared = 0
    for before, after in zip(stored.cells, done.cells, strict=True):
        if before.cell_type == "code":
            kinds = [sorted(output.get("data", output)) for output in outputs(before)]
            assert [sorted(output.get("data", output)) for output in outputs(after)] == kinds, before.source
            assert not [output for output in after.outputs if output.get("name") == "stderr"], before.source
            compared += len(kinds)
    assert compared >= 8


def cells(*sources: str) -> Any:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


def test_what_a_bot_raises_shows_its_line_in_the_cell(kernel: Any) -> None:
    notebook = cells(
        "from arena.api import play\ndef broken(question):\n    return question.legal['first']",
        "play('cambio', [broken, 'random'])",
    )
    with pytest.raises(nbclient.exceptions.CellExecutionError) as caught:
        kernel(notebook)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", str(caught.value))
    assert "TypeError: tuple indices must be integers" in shown
    assert "return question.legal['first']" in shown


def test_a_cell_may_await_and_print_from_its_bot(kernel: Any) -> None:
    done = kernel(
        cells(
            "from arena.api import play_async, ArenaError",
            "def loud(question):\n    print('asked')\n    return question.legal[0]",
            "(await play_async('cambio', [loud, 'random'], options={'chips': 1}, seed=1)).players",
            "try:\n    await play_async('canbio', [loud, 'random'])\nexcept ArenaError as error:\n    print(error)",
        )
    )
    assert done.cells[2].outputs[-1]["data"]["text/plain"] == "('loud', 'random')"
    assert "asked" in "".join(output.get("text", "") for output in done.cells[2].outputs)
    assert "cambio" in done.cells[3].outputs[0]["text"]


def test_the_stop_button_ends_a_tournament_and_the_kernel_goes_on(kernel: Any) -> None:
    done = kernel(
        cells(
            "import os, signal\nfrom arena.api import tournament\npressed = []",
            "def stopper(question):\n"
            "    if not pressed:\n"
            "        pressed.append(True)\n"
            "        os.kill(os.getpid(), signal.SIGINT)\n"
            "    return question.legal[0]",
            "try:\n    tournament('cambio', [stopper, 'random'])\nexcept KeyboardInterrupt:\n    print('stopped')",
            "from pathlib import Path\n"
            "[stat for stat in Path('/proc').glob('[0-9]*/stat')\n"
            " if int(stat.read_text().rsplit(')', 1)[1].split()[1]) == os.getpid()]",
        )
    )
    assert done.cells[2].outputs[0]["text"] == "stopped\n"
    assert done.cells[3].outputs[0]["data"]["text/plain"] == "[]"


def test_pandas_and_polars_take_the_frame() -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    from arena.api import tournament
    from tests.api.bots import SHORT, Drawer, first

    frame = tournament("cambio", [first, Drawer], rounds=2, options=SHORT, progress=False).to_frame()
    rows = frame.to_pylist()
    assert frame.to_pandas().to_dict("records") == rows
    assert polars.DataFrame(frame).to_dicts() == rows
    assert pandas.DataFrame.from_arrow(frame).shape == (8, len(frame.column_names))
