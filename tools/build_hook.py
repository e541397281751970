"""Compiles parts of arena to C while hatchling builds a wheel or an editable installation.

The distributions botarena, botarena-sdk and botarena-rules lie in one tree, and each has its part of what is compiled.

The environment variable ARENA_COMPILE says which:

    (unset)  the codec, if there are a C compiler and Python's headers; otherwise arena is installed without it
    none     nothing
    codec    the codec; a failure is an error
    all      the codec, and the rules and the referee's work for each decision: for a wheel; a failure is an error

The codec is built by Cython, the rules by mypyc. An editable installation gets the codec beside its source.
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

CHOICES = ("", "none", "codec", "all")


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules beside their sources; Python prefers them."""

    modules: ClassVar[tuple[str, ...]] = ("referee.codec.native",)
    """The modules in Cython that belong to the distribution."""
    group: ClassVar[str] = "referee"
    """What mypyc compiles of the distribution: one of `GROUPS` in tools/compile_extensions.py; empty if nothing."""

    @property
    def tree(self) -> Path:
        """The folder with the sources."""
        return Path(self.root)

    def dependencies(self) -> list[str]:
        """Return what the compilation needs; nothing where it is not possible anyway."""
        if self._choice == "none" or (not self._choice and self._extensions.missing_tools()):
            return []
        return CODEC_DEPENDENCIES + (MYPYC_DEPENDENCIES if self._compiles_group else [])

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what is to be compiled. Raises SystemExit with a sentence where that fails and must not."""
        self._folder = Path(mkdtemp(prefix="arena-compiling-"))
        is_editable = version == "editable"
        if self._choice == "all" and is_editable:
            raise SystemExit("an editable installation has no compiled rules: they would hide changes of the sources")
        if self._choice == "none":
            return
        if is_editable and all(map(self._extensions.is_current, self.modules)):
            return
        time = self._extensions.source_time()
        try:
            built = self._compile(["codec", self.group] if self._compiles_group else ["codec"])
            if is_editable:
                self._place(built, time)
                return
        except (CompileError, OSError) as error:
            if self._choice:
                shutil.rmtree(self._folder)
                raise SystemExit(str(error)) from None
            self.app.display_warning(
                f"{self.metadata.name} is installed without its modules in C, which are faster: {error}"
            )
            return
        build_data["force_include"].update(built)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was needed for it."""
        if hasattr(self, "_folder"):
            shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def _compiles_group(self) -> bool:
        return bool(self.group) and self._choice == "all"

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

    def _compile(self, parts: list[str]) -> dict[str, str]:
        """Compile the parts side by side. Return the path of each module, and its place in the packages.

        Raises CompileError.
        """
        if missing := self._extensions.missing_tools():
            raise CompileError(
                f"{missing} missing for {sys.executable} (Debian: apt-get install gcc libc6-dev python3-dev)"
            )
        environment = os.environ | {"CC": self._extensions.find_compiler()}
        script = Path(self.tree, "tools", "compile_extensions.py")
        processes = {
            part: subprocess.Popen(
                [sys.executable, str(script), part, str(self._folder / part), *self.modules],
                cwd=self.tree, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
            for part in parts
        }  # fmt: skip
        built: dict[str, str] = {}
        errors = []
        for part, process in processes.items():
            output, _ = process.communicate()
            if process.returncode:
                errors.append(f"the {part} could not be compiled:\n{output[-4000:]}")
            target = self._folder / part / "built"
            built |= {str(path): str(path.relative_to(target)) for path in sorted(target.rglob("*.so"))}
        if errors:
            raise CompileError("\n".join(errors))
        return built

    def _place(self, built: dict[str, str], time: int | None) -> None:
        """Put modules beside their sources, each at once: processes may be using the previous one."""
        for path, place in built.items():
            target = Path(self.tree, place)
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


class CompileError(Exception):
    """Something could not be compiled; the message is a sentence, and what the compiler printed."""


def get_build_hook() -> type[BuildHook]:
    """Return the hook of botarena; hatchling would find two classes."""
    return BuildHook
