"""Compiles parts of arena to C while hatchling builds a wheel or an editable installation.

The distributions botarena, botarena-sdk and botarena-rules lie in one tree, and each has its part of what is compiled.
A package with features has its modules in its own folder.

The environment variable ARENA_COMPILE says which:

    (unset)  all, if there are a C compiler and Python's headers; otherwise arena is installed without it
    none     nothing
    codec    the modules in Cython, such as the codec and chance; a failure is an error
    all      these, and the rules and the referee's work for each decision; a failure is an error

The codec and chance are built by Cython, the rules by mypyc. An editable installation gets the first beside their
sources, and the latter in referee/.compiled, where wheels that are built in the same checkout find them, too.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, mkdtemp
from typing import TYPE_CHECKING, Any, ClassVar

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType

CODEC_DEPENDENCIES = ["cython>=3.1", "setuptools>=77"]
MYPYC_DEPENDENCIES = [
    # mypyc, and the types that what is compiled relies on
    "mypy>=1.18", "mypy-extensions>=1.0", "protobuf>=6.31.1", "setuptools>=77", "trio>=0.30.0", "types-protobuf>=6.30",
]  # fmt: skip

STORED = 8
"""How many states of the sources of a group what is compiled is kept of: branches are left and come back."""

CHOICES = ("", "none", "codec", "all")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules beside their sources; Python prefers them."""

    modules: ClassVar[tuple[str, ...]] = ("referee.codec.native",)
    """The modules in Cython that belong to the distribution."""
    group: ClassVar[str] = "referee"
    """What mypyc compiles of the distribution: one of `GROUPS` in referee/extensions.py; empty if nothing."""

    @property
    def tree(self) -> Path:
        """The folder with the packages `referee` and `tools`, or what an sdist has of them."""
        return Path(self.root)

    @property
    def sources(self) -> Path:
        """The folder with the packages that the modules belong to: that of the tree, or of a distribution beside it."""
        return self.tree

    def dependencies(self) -> list[str]:
        """Return what the compilation needs; nothing where it is not possible anyway."""
        if self._choice == "none" or (not self._choice and self._extensions.missing_tools()):
            return []
        return CODEC_DEPENDENCIES + (MYPYC_DEPENDENCIES if self._compiles_group else [])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what is to be compiled. Raises SystemExit with a sentence where that fails and must not."""
        self._folder = Path(mkdtemp(prefix="arena-compiling-"))
        if self._choice == "none":
            return
        extensions, root = self._extensions, str(self.sources) if self.sources != self.tree else None
        is_editable = version == "editable"
        is_current = is_editable and all(extensions.is_current(module, root) for module in self.modules)
        parts = [] if is_current else ["codec"]
        folder = self._compiled_folder(is_editable)
        if self._compiles_group and not (folder and folder.is_dir()):
            parts.append(self.group)
        time = extensions.source_time(self.modules if root else None, root)
        built, errors = self._compile(parts, is_editable=is_editable)
        try:
            if "codec" in built and is_editable:
                self._place(built["codec"], time)
            if self.group in built and folder:
                self._store(built[self.group], folder)
        except OSError as error:
            errors.append(str(error))
        if errors and self._choice:
            shutil.rmtree(self._folder)
            raise SystemExit("\n".join(errors))
        if errors:
            self.app.display_warning(
                f"{self.metadata.name} is installed without modules in C, which are faster: {' '.join(errors)}"
            )
        if is_editable:
            return
        if folder and folder.is_dir():
            built[self.group] = modules_in(folder)
        if any(built.values()):
            for files in built.values():
                build_data["force_include"].update(files)
            build_data["pure_python"] = False
            build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was needed for it."""
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _compiles_group(self) -> bool:
        return bool(self.group) and self._choice in ("", "all")

    @property
    def _is_checkout(self) -> bool:
        return Path(self.tree, "packages", "botarena-rules").is_dir()

    def _compiled_folder(self, is_editable: bool) -> Path | None:
        """The folder for what is compiled of the present sources of the group, where it is kept.

        A wheel for other machines (`all`) is compiled anew: the checkout may have been copied to where it is built.
        """
        is_kept = self._is_checkout and self._compiles_group and (is_editable or not self._choice)
        return Path(self._extensions.compiled_folder(self.group)) if is_kept else None

    @property
    def _choice(self) -> str:
        choice = os.environ.get("ARENA_COMPILE", "")
        if choice not in CHOICES:
            raise SystemExit(f'ARENA_COMPILE is "{choice}": it may be {", ".join(filter(None, CHOICES))}, or unset')
        return choice

    @property
    def _extensions(self) -> "ModuleType":
        if str(self.tree) not in sys.path:
            sys.path.insert(0, str(self.tree))
        from referee import extensions

        return extensions

    def _compile(self, parts: list[str], *, is_editable: bool) -> tuple[dict[str, dict[str, str]], list[str]]:
        """Compile parts side by side.

        Return the path of each module with its place in the packages, by part, and what went wrong, as sentences.
        """
        if not parts:
            return {}, []
        if missing := self._extensions.missing_tools():
            return {}, [f"{missing} missing for {sys.executable} (Debian: apt-get install gcc libc6-dev python3-dev)"]
        environment = os.environ | {"CC": self._extensions.find_compiler()}
        if is_editable:
            environment["ARENA_OPTIMISATION"] = "-O1"  # whoever works on the sources waits for it, again and again
        if self._is_checkout:
            environment["ARENA_OBJECTS"] = str(Path(self.tree, "build", "objects"))
        script = Path(self.tree, "tools", "compile_extensions.py")
        processes = {
            part: subprocess.Popen(
                [sys.executable, str(script), part, str(self._folder / part), *self.modules],
                cwd=self.sources, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
            for part in parts
        }  # fmt: skip
        built: dict[str, dict[str, str]] = {}
        errors = []
        for part, process in processes.items():
            output, _ = process.communicate()
            if process.returncode:
                errors.append(f"the {part} could not be compiled:\n{output[-4000:]}")
            else:
                built[part] = modules_in(self._folder / part / "built")
        return built, errors

    def _store(self, built: dict[str, str], target: Path) -> None:
        """Put what is compiled of a group into its folder, all at once, and drop those of sources of long ago.

        Raises OSError, also where somebody has changed a source meanwhile: nobody knows what was compiled.
        """
        if target != Path(self._extensions.compiled_folder(self.group)):
            raise OSError(f"a source of {self.group} was changed while it was compiled: install it again")
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(mkdtemp(dir=target.parent, prefix=".making-"))
        try:
            for path, place in built.items():
                (temporary / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, temporary / place)
                Path(temporary / place).chmod(0o755)
            temporary.chmod(0o755)  # bots run as other users
            with suppress(OSError):  # another installation has made it meanwhile
                temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        stored = sorted(target.parent.glob(f"{self.group}-*"), key=lambda path: path.stat().st_mtime, reverse=True)
        for folder in stored[STORED:]:
            shutil.rmtree(folder, ignore_errors=True)

    def _place(self, built: dict[str, str], time: int | None) -> None:
        """Put modules beside their sources, each at once: processes may be using the previous one."""
        for path, place in built.items():
            target = Path(self.sources, place)
            with NamedTemporaryFile(dir=target.parent, prefix=".", suffix=".so", delete=False) as file:
                temporary = Path(file.name)
            try:
                shutil.copyfile(path, temporary)
                temporary.chmod(0o755)
                if time is not None:
                    os.utime(temporary, ns=(time, time))
                temporary.replace(target)
            finally:
                with suppress(FileNotFoundError):
                    temporary.unlink()


class PartBuildHook(BuildHook):
    """Takes the files of a distribution in `packages` from the tree that botarena is built from."""

    packaged: ClassVar[tuple[str, ...]]
    """The files that the distribution consists of, as patterns."""
    built_from: ClassVar[tuple[str, ...]]
    """What its compiled modules are built from, and with, as far as it is not packaged; an sdist has it too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files to a wheel or an sdist, and compile."""
        if self.target_name == "sdist":
            self._include(build_data, (*self.packaged, *self.built_from))
            return
        if version != "editable":
            self._include(build_data, self.packaged)
        super().initialize(version, build_data)

    def _include(self, build_data: dict[str, Any], patterns: tuple[str, ...]) -> None:
        for pattern in patterns:
            paths = sorted(self.tree.glob(pattern))
            if not paths:
                raise SystemExit(f"there is nothing at {pattern} in {self.tree}")
            build_data["force_include"] |= {str(path): str(path.relative_to(self.tree)) for path in paths}


def modules_in(folder: Path) -> dict[str, str]:
    """Return the paths of the compiled modules in a folder, each with its place in the packages."""
    return {str(path): str(path.relative_to(folder)) for path in sorted(folder.rglob("*.so"))}


def get_build_hook() -> type[BuildHook]:
    """Return the hook of botarena; hatchling would find two classes."""
    return BuildHook
