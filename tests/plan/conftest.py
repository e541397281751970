from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """Write a file that may be executed."""

    def write(name: str, content: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        path.chmod(0o755)
        return path

    return write
