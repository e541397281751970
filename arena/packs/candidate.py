"""A bot that is to be submitted: its path, read and packed."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from arena.packs.dependencies import Dependencies, find_dependencies, in_pack
from arena.packs.errors import ManifestError, PackError
from arena.packs.left_out import PRODUCTS, Selection, describe_pack, refuse_unexpected
from arena.packs.manifest import FILE, Manifest, read_manifest
from arena.packs.pack import Pack, pack_file, pack_folder
from arena.values.near_path import did_you_mean_path
from referee.sandbox.environment import PACKAGES


@dataclass(frozen=True, slots=True)
class Candidate:
    """A bot that is not yet accepted."""

    manifest: Manifest
    source: Pack
    """Its files as submitted."""
    path: Path
    """The path where the files were."""
    left_out: tuple[str, ...] = ()
    """The paths in its folder that are not packed."""

    @property
    def packed(self) -> str:
        """How big its pack is and what was left out of it, in words."""
        return f"packed {describe_pack(len(self.source.files), self.source.size, self.left_out)}"

    def refuse_unexpected(self, include: Collection[str] = ()) -> None:
        """Raise PackError if a file looks like a secret or is unexpectedly large.

        include: paths that may be either.
        """
        refuse_unexpected(((file.path, file.content) for file in self.source.files), include)

    @property
    def dependencies(self) -> Dependencies | None:
        """The packages that it depends on; None if there are none, or if it brings them. Raises ManifestError."""
        if any(file.path.startswith(f"{PACKAGES}/") for file in self.source.files):
            return None
        return find_dependencies(self.manifest, in_pack(self.source))

    @property
    def network_uses(self) -> str:
        """What it needs the network for before it plays, in words; empty: nothing. Raises ManifestError."""
        uses = [f"its build ({' '.join(self.manifest.build)})"] if self.manifest.build_network else []
        if (dependencies := self.dependencies) is not None and dependencies.missing:
            uses.append(f"the packages that it depends on ({', '.join(map(str, dependencies.missing))})")
        return " and ".join(uses)


def read_candidate(path: Path, include: Collection[str] = ()) -> Candidate:
    """Return the bot at a path: a folder with a bot.toml, such a file by any name, a Python file or a program.

    include: paths in its folder that are packed although they look like what arena writes or builds leave.

    Raises ManifestError, PackError.
    """
    if path.is_symlink():
        raise PackError(f"{path} is a symbolic link: name its target")
    if not path.exists():
        raise PackError(f"{path} does not exist{did_you_mean_path(path)}")
    if path.is_dir():
        path /= FILE
    if path.suffix == ".toml":
        manifest = read_manifest(path)
        selection = Selection(
            include, built=manifest.command[0] if manifest.build else "", fetches=manifest.build_network
        )
        if manifest.build:  # the result of the build is packed later
            pack = pack_folder(path.parent, ignore=manifest.ignore, skip=PRODUCTS, selection=selection)
        else:
            pack = pack_folder(path.parent, ignore=manifest.ignore, keep=manifest.keep, selection=selection)
        return Candidate(manifest, pack, path.parent, tuple(selection.left_out))
    source = pack_file(path)
    [file] = source.files
    if path.suffix == ".py":
        return Candidate(Manifest("python", ("python3", file.path)), source, path)
    if file.executable:
        return Candidate(Manifest("program", (f"./{file.path}",)), source, path)
    raise ManifestError(
        f"{path} is neither a Python file (.py) nor executable (chmod +x): put anything else into a folder with "
        f"a {FILE} that says how to start it"
    )
