"""The modules that are compiled: each is listed, and none is older than its source."""

import ast
import os
from pathlib import Path

import pytest

from referee import build_info, extensions

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
    """Return the tuple of texts that a build script assigns to a name; it is not imported, as it needs setuptools."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            assert node.value is not None
            return tuple(ast.literal_eval(node.value))
    raise AssertionError(f"{file} assigns nothing to {name}")


def test_the_wheels_compile_what_is_listed() -> None:
    built = literal("tools/build_hook.py", "modules") + literal("packages/botarena-sdk/hatch_build.py", "modules")
    assert sorted(built) == sorted(extensions.MODULES)


def test_the_rules_that_are_compiled_exist_and_build_info_looks_at_one_of_them() -> None:
    matched = {pattern: set(ROOT.glob(pattern)) for pattern in literal("tools/compile_extensions.py", "RULES")}
    assert [pattern for pattern, paths in matched.items() if not paths] == []
    source = ROOT.joinpath(*vars(build_info)["game"].__name__.split(".")).with_suffix(".py")
    assert source in set.union(*matched.values()), "compiled() asks a module that is never compiled"


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
