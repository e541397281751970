"""The distributions of the workspace, as pyproject.toml lists them: python -m tools.workspace [features]."""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent

OF_THE_CORE = ("botarena-rules", "botarena-sdk")
"""The distributions that botarena itself requires; the others are packages with features."""


def members(root: Path) -> list[str]:
    """Return the folders of the distributions below the root, without that of botarena itself."""
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    folders: list[str] = settings["tool"]["uv"]["workspace"]["members"]
    return folders


if __name__ == "__main__":
    names = [Path(folder).name for folder in members(ROOT)]
    print(*(name for name in names if sys.argv[1:] != ["features"] or name not in OF_THE_CORE))
