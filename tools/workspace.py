"""The distributions below packages: python -m tools.workspace [features|compiled|beside].

Those of the workspace, as pyproject.toml lists them; of these the packages with features; of these the ones with
modules in C; or those beside it, which have environments of their own.
"""

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent

OF_THE_CORE = ("botarena-rules", "botarena-sdk")
"""The distributions that botarena itself requires; the others of the workspace are packages with features."""


def members(root: Path) -> list[str]:
    """Return the folders of the distributions of the workspace, without that of botarena itself."""
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    folders: list[str] = settings["tool"]["uv"]["workspace"]["members"]
    return folders


def beside(root: Path) -> list[str]:
    """Return the folders of the distributions that are not in the workspace, as they need libraries that it has not."""
    found = [str(path.parent.relative_to(root)) for path in sorted((root / "packages").glob("*/pyproject.toml"))]
    return [folder for folder in found if folder not in members(root)]


if __name__ == "__main__":
    choice = sys.argv[1] if len(sys.argv) > 1 else ""
    names = [Path(folder).name for folder in (beside if choice == "beside" else members)(ROOT)]
    if choice in ("features", "compiled"):
        names = [name for name in names if name not in OF_THE_CORE]
    if choice == "compiled":
        names = [name for name in names if (ROOT / "packages" / name / "hatch_build.py").exists()]
    print(*names)
