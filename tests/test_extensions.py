"""The modules that are compiled: each is listed, and none is older than its source."""

import ast
import os
from pathlib import Path
from typing import Any

import pytest

from referee import build_info, extensions
from tools.workspace import OF_THE_CORE

ROOT = Path(__file__).parent.parent
EDITABLE = extensions.source_time() is not None


def test_every_source_is_listed_and_lies_beside_one_that_is() -> None:
    sources = [
        path.relative_to(ROOT) for package in ("arena", "referee") for path in (ROOT / package).rglob("*.p[yx][xd]")
    ]
    modules = {".".join(path.with_suffix("").parts) for path in sources if path.suffix == ".pyx"}
    assert modules == set(extensions.MODULES)
    folders = {path.parent for path in sources if path.suffix == ".pyx"}
    assert {path.parent for path in sources} == folders


def literal(file: str, name: str) -> tuple[str, ...]:
    """Return the tuple of texts that a build script assigns to a name."""
    return tuple(assigned(file, name))


def assigned(file: str, name: str) -> Any:
    """Return the literal that a build script assigns to a name; it is not imported, as it needs setuptools."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            assert node.value is not None
            return ast.literal_eval(node.value)
    raise AssertionError(f"{file} assigns nothing to {name}")


def test_the_wheels_compile_what_is_listed() -> None:
    files = ("tools/build_hook.py", *(f"packages/{name}/hatch_build.py" for name in OF_THE_CORE))
    built = [module for file in files for module in literal(file, "modules")]
    assert sorted(built) == sorted(extensions.MODULES)


def test_what_is_compiled_exists_and_build_info_looks_at_one_module_of_each_distribution() -> None:
    groups: dict[str, tuple[str, ...]] = assigned("tools/compile_extensions.py", "GROUPS")
    looked_at = {ROOT.joinpath(*module.split(".")).with_suffix(".py") for module in build_info.LOOKED_AT}
    for group, patterns in groups.items():
        matched = {pattern: {*ROOT.glob(pattern)} for pattern in patterns}
        assert [pattern for pattern, paths in matched.items() if not paths] == []
        assert looked_at & set[Path]().union(*matched.values()), f"compiled() asks for nothing of {group}"


@pytest.mark.skipif(not EDITABLE, reason="an installation without sources")
@pytest.mark.parametrize("module", extensions.MODULES)
def test_what_is_built_is_built_from_the_present_source(module: str) -> None:
    if not os.path.exists(extensions.extension_path(module)):
        pytest.skip("not built: `arena doctor` says why")
    assert extensions.is_current(module), f"{module} is older than its source: run `make .venv/.dev`"


def test_a_module_is_current_as_long_as_no_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extensions, "ROOT", str(tmp_path))
    monkeypatch.setattr(extensions, "MODULES", ("inner.native", "other.native"))
    assert extensions.source_time() is None
    for folder in ("inner", "other"):
        (tmp_path / folder).mkdir()
    assert extensions.source_time() is None
    assert not extensions.is_current("inner.native")
    built = Path(extensions.extension_path("inner.native"))
    built.touch()
    assert extensions.is_current("inner.native"), "a wheel has no sources"
    source = Path(extensions.source_path("inner.native"))
    source.touch()
    os.utime(source, ns=(1, 5_000_000_001))
    assert not extensions.is_current("inner.native")
    os.utime(built, ns=(1, extensions.source_time() or 0))
    assert extensions.is_current("inner.native")
    shared = tmp_path / "other" / "shared.pxd"
    shared.touch()
    assert not extensions.is_current("inner.native"), "what another folder shares may be part of it"
    os.utime(shared, ns=(1, 4))
    assert extensions.is_current("inner.native")
    os.utime(source, ns=(1, 3))
    assert not extensions.is_current("inner.native"), "an older source is another one as well"


def test_the_compiler_is_the_one_that_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiler = tmp_path / "mycc"
    compiler.touch(mode=0o755)
    monkeypatch.setenv("CC", f"{compiler} -pthread")
    assert extensions.find_compiler() == f"{compiler} -pthread"
    monkeypatch.setenv("CC", str(tmp_path / "missing"))
    assert extensions.find_compiler() is None
    assert extensions.missing_tools().startswith("a C compiler")
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert extensions.find_compiler() is None
    (tmp_path / "clang").touch(mode=0o755)
    assert extensions.find_compiler() == "clang"
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    assert extensions.missing_tools() == "Python's headers"
