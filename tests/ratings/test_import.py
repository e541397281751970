import subprocess
import sys

import pytest

import arena.ratings


@pytest.mark.promise
def test_importing_the_package_loads_neither_numpy_nor_scipy() -> None:
    code = "import sys, arena.ratings; print(sorted({'numpy', 'scipy', 'tabulate'} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


def test_every_exported_name_exists() -> None:
    assert all(getattr(arena.ratings, name) for name in arena.ratings.__all__)
    with pytest.raises(AttributeError, match="no attribute 'elo'"):
        arena.ratings.elo  # noqa: B018
