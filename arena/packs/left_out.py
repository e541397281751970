"""What never goes into a pack though it lies in a bot's folder, and what goes into one only when it is named.

The lists are those of `arena init`'s .gitignore, too.
"""

import re
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from arena.packs.errors import PackError

JUNK = frozenset({
    ".git", ".hg", ".svn", ".jj", ".venv", "venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".hypothesis", ".idea", ".vscode", ".gradle", ".DS_Store", "Thumbs.db", ".bin",
})  # fmt: skip
"""Names that are in no pack at all: version control, caches, editors, and npm's links to programs."""

JUNK_ENDINGS = (".pyc", ".pyo", ".swp", "~")

PRODUCTS = frozenset({"build", "dist", "target", "obj", "out"})
"""Names that are not packed if there is a build step, which makes them again. `node_modules` is not one of them: it
holds a bot's vendored sources, without which it could not be built offline."""

CACHES = frozenset({
    ".tox", ".nox", ".cache", ".ipynb_checkpoints", ".eggs", ".coverage", ".pytype", ".npm", ".parcel-cache",
})  # fmt: skip
"""More names of caches."""

CACHE_ENDINGS = (".egg-info",)

OURS = frozenset({"arena.db", "arena.db-wal", "arena.db-shm", "arena.db-journal", "arena-cert.pem", "arena-key.pem"})
"""Names that arena itself gives to files."""

SITE = ".arena-site.json"
"""The file that marks a folder as a site which `arena site` wrote."""

FETCHED = frozenset({"node_modules"})
"""Names that are not packed if the build step may use the network, and fetches them."""

COMPILED = (".class", ".o", ".hi", ".gch", ".pch")
"""Endings of files that are not packed if there is a build step, which makes them again."""

SECRETS = (
    ".env", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa", "id_dsa", "id_ecdsa",
    "id_ed25519", ".netrc", ".pypirc", ".git-credentials", ".htpasswd", "credentials", "credentials.json",
)  # fmt: skip
"""Patterns of names that secrets have; `.env.local` and the like count as `.env`."""

LARGE = 32 * 1000 * 1000
"""Bytes from which a file is unexpectedly large."""

_PUBLIC_ENV = (".example", ".sample", ".template", ".dist")
"""Endings of files like `.env` that are made to be shown."""

_VENDORED = frozenset({"node_modules", "vendor", "site-packages", "third_party"})
"""Folders with packages of others, whose tests bring keys that are no secrets."""

_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|^PuTTY-User-Key-File-")

_PROGRAM_HEADS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""How compiled programs begin: those of Linux, Windows and macOS."""

_HEAD = 256 * 1024
_TAIL = 64 * 1024

_COMPANIONS = ("-wal", "-shm", "-journal")

_EXPORTS = (
    b'{"kind": "tournament", "tournament": {', b'{"kind": "league", "league": {', b"tournament,game,match,number,",
)  # fmt: skip
"""How exports of tournaments and leagues begin, and tables of their matches."""

_PARQUET = b"PAR1"
_PARQUET_COLUMNS = (b"faults_illegal", b"duration_ms", b"forfeit")
"""Columns of a table of matches, which are named at the end of the file."""

_SHOWN = 10
"""Most paths in a sentence."""


class Selection:
    """Decides which files of a folder are packed, and notes which are left out.

    left_out: their paths inside the folder, those of folders with a slash at the end.
    """

    def __init__(self, include: Iterable[str] = (), *, built: str = "", fetches: bool = False) -> None:
        """Prepare the selection.

        include: paths inside the folder that are packed all the same, with all below them.
        built: the program that the build step makes, as the command names it; empty without a build step.
        fetches: whether the build step may use the network.
        """
        self._include = [_normal(path) for path in include]
        self._built = _normal(built) if built else ""
        self._fetches = fetches
        self.left_out: list[str] = []

    def leaves_out(self, path: Path, inside: str) -> bool:
        """Return whether to leave out a file or folder.

        inside: its path in the pack.
        """
        if _is_named(inside, self._include) or any(named.startswith(f"{inside}/") for named in self._include):
            return False
        name = path.name
        if name in CACHES or name in OURS or name.endswith(CACHE_ENDINGS) or (self._fetches and name in FETCHED):
            return True
        if path.is_symlink():  # refused elsewhere, and never read
            return False
        if path.is_dir():
            return (path / SITE).is_file()
        if self._built and (name.endswith(COMPILED) or (inside == self._built and _is_compiled(path))):
            return True
        return is_ours(path)

    def note(self, inside: str, *, is_folder: bool) -> None:
        """Note a path that is left out."""
        self.left_out.append(f"{inside}/" if is_folder else inside)


def is_ours(path: Path) -> bool:
    """Tell whether arena wrote a file, by its content: a database and what belongs to it, an export or its table."""
    for companion in _COMPANIONS:
        main = path.with_name(path.name.removesuffix(companion))
        if main != path and main.name and main.is_file() and is_ours(main):
            return True
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(16)
            if head.startswith(b"SQLite format 3"):
                return b"alembic_version" in head + file.read(_HEAD) or _begins_with_schema(path)
            if head.startswith(_PARQUET):
                file.seek(max(0, path.stat().st_size - _TAIL))
                tail = file.read(_TAIL)
                return all(column in tail for column in _PARQUET_COLUMNS)
            return (head + file.read(64)).startswith(_EXPORTS)
    except OSError:  # reported when it is packed
        return False


def refuse_unexpected(files: Iterable[tuple[str, bytes]], include: Collection[str] = ()) -> None:
    """Raise PackError if a file looks like a secret, or is unexpectedly large.

    files: paths inside the folder, and contents.
    include: paths that may be either.
    """
    named = [_normal(path) for path in include]
    found = [
        f"{path} {reason}"
        for path, content in files
        if not _is_named(path, named) and (reason := _reason(path, content))
    ]
    if found:
        it, path = ("it", "PATH") if len(found) == 1 else ("them", "PATH for each")
        raise PackError(
            f'{_listed(found, "; ")}: leave {it} out (ignore = ["NAME"] in bot.toml), or pack {it} all the same '
            f"(--include {path})"
        )


def describe_pack(files: int, size: int, left_out: Collection[str]) -> str:
    """Return how big a pack is and what was left out, in words.

    files: how many there are.
    size: how many bytes they have together.
    """
    text = f"{files:,} file{'s' * (files != 1)}, {human_size(size)}"
    return f"{text}; left out: {_listed(left_out, ', ')}" if left_out else text


def human_size(size: int) -> str:
    """Return a number of bytes as people read it: 512 bytes, 3.4 kB, 120 MB."""
    value = float(size)
    if size < 1000:
        return f"{size} byte{'s' * (size != 1)}"
    for unit in ("kB", "MB", "GB"):
        value /= 1000
        if value < 999.5 or unit == "GB":
            break
    return f"{value:.1f} {unit}" if value < 9.95 else f"{value:.0f} {unit}"


def gitignore() -> str:
    """Return the lines of a .gitignore that keep the same out of a repository."""
    folders = sorted(JUNK | CACHES - {".coverage"} | FETCHED) + sorted(f"/{name}/" for name in PRODUCTS)
    files = [*(f"*{end}" for end in (*JUNK_ENDINGS, *CACHE_ENDINGS, *COMPILED)), ".coverage"]
    exports = ["*.db", *(f"*.db{end}" for end in _COMPANIONS), *sorted(OURS)]
    parts = {
        "Caches, editors, packages": [name for name in folders if name != ".git"],
        "Made by builds": files,
        "Written by arena": exports,
        "Secrets": [*SECRETS, ".env.*", f"!.env{_PUBLIC_ENV[0]}"],
    }
    return "\n".join(f"# {title}\n" + "".join(f"{line}\n" for line in lines) for title, lines in parts.items())


def _reason(path: str, content: bytes) -> str:
    """Return why a file is packed only when it is named; empty if it is packed anyway."""
    if len(content) >= LARGE:
        return f"is unexpectedly large ({human_size(len(content))})"
    parts = PurePosixPath(path)
    if not _VENDORED.isdisjoint(parts.parts):
        return ""
    if _PRIVATE_KEY.search(content) is not None:
        return "holds a private key"
    name = parts.name.lower()
    is_env = name.startswith(".env.") and not name.endswith(_PUBLIC_ENV)
    if is_env or any(fnmatchcase(name, pattern) for pattern in SECRETS):
        return "has the name of a secret"
    return ""


def _is_compiled(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4).startswith(_PROGRAM_HEADS)
    except OSError:  # reported when it is packed
        return False


def _begins_with_schema(path: Path) -> bool:
    """Tell whether the tables of arena are in the log of a database whose file has no pages yet."""
    with path.with_name(path.name + "-wal").open("rb") as file:
        return b"alembic_version" in file.read(_HEAD)


def _normal(path: str) -> str:
    return str(PurePosixPath(path))


def _is_named(inside: str, named: Collection[str]) -> bool:
    return any(inside == path or inside.startswith(f"{path}/") for path in named)


def _listed(texts: Collection[str], separator: str) -> str:
    shown = list(texts)[:_SHOWN]
    return separator.join(shown) + (f" and {len(texts) - _SHOWN:,} more" if len(texts) > _SHOWN else "")
