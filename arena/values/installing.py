"""How what is missing is installed here: from the package index, or, until arena is there, from what it came from."""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from os.path import relpath
from pathlib import Path
from shlex import quote
from urllib.parse import unquote, urlsplit

ON_INDEX = False
"""Whether arena is on the package index: whether docs/releases.md lists a release. `make docs` writes it."""


def how_to_install(requirement: str) -> str:
    """Return the command that installs a distribution of arena.

    requirement: as "botarena-chess", or with an extra, as "botarena[web]".
    """
    name, _, extras = requirement.rstrip("]").partition("[")
    wanted = f"'{requirement}'" if extras else requirement
    if ON_INDEX:
        return f"pip install {wanted}"
    origin = _origin()
    if origin is None:
        return f"pip install --find-links dist {wanted} (dist is the folder with the wheels of arena)"
    if origin.suffix == ".whl":
        return f"pip install --find-links {_path(origin.parent)} {wanted}"
    make = "make" if origin == Path.cwd() else f"make -C {_path(origin)}"
    if Path(sys.prefix) == origin / ".venv" and name == "botarena" and extras:
        return f"{make} install EXTRAS={extras}"
    return f"{make} dist, then pip install --find-links {_path(origin / 'dist')} {wanted}"


def _origin() -> Path | None:
    """Return the folder or wheel that arena was installed from; None if that is not known (PEP 610)."""
    try:
        recorded = json.loads(distribution("botarena").read_text("direct_url.json") or "{}")
        url = urlsplit(recorded.get("url", ""))
    except (PackageNotFoundError, ValueError, AttributeError):
        return None
    return Path(unquote(url.path)) if url.scheme == "file" else None


def _path(path: Path) -> str:
    """Return a path as a command names it from the current folder: relative where it lies below."""
    return quote(relpath(path) if path.is_relative_to(Path.cwd()) else str(path))
