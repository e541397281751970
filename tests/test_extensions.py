"""The modules that are compiled: each is listed, and none is older than its source."""

import ast
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arena.cli.doctor_checks import machine
from arena.cli.doctor_checks.check_result import CheckResult
from referee import build_info, extensions
from tests.test_imports import MODULES, imports
from tools.build_hook import STORED, BuildHook
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
    """Return the tuple of texts that a build script assigns to a name; it is not imported, as it needs hatchling."""
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.AnnAssign | ast.Assign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return tuple(ast.literal_eval(node.value))
    raise AssertionError(f"{file} assigns nothing to {name}")


def test_the_wheels_compile_what_is_listed() -> None:
    files = ("tools/build_hook.py", *(f"packages/{name}/hatch_build.py" for name in OF_THE_CORE))
    built = [module for file in files for module in literal(file, "modules")]
    assert sorted(built) == sorted(extensions.MODULES)


def test_build_info_looks_at_one_module_of_each_group() -> None:
    assert sorted(map(str, map(extensions.group_of, build_info.LOOKED_AT))) == sorted(extensions.GROUPS)


@pytest.mark.skipif(not EDITABLE, reason="an installation without sources")
@pytest.mark.parametrize("group", extensions.GROUPS)
def test_a_group_has_the_modules_of_its_sources_and_depends_on_these(group: str) -> None:
    sources = extensions.group_sources(group)
    modules = [source.removesuffix(".py").replace("/", ".") for source in sources]
    assert {extensions.group_of(module) for module in [*modules, extensions.native_library(group)]} == {group}
    relied_on = {path for folder in extensions.RELIED_ON[group] for path in extensions._relied_on(folder, ())}
    assert set(sources) <= relied_on


@pytest.mark.skipif(not EDITABLE, reason="an installation without sources")
@pytest.mark.parametrize("group", extensions.GROUPS)
def test_a_group_depends_on_all_of_ours_that_it_imports(group: str) -> None:
    """What mypyc copies from another module, as a constant, is out of date with it."""
    left_out = extensions.NOT_RELIED_ON[group]
    relied_on = {path for folder in extensions.RELIED_ON[group] for path in extensions._relied_on(folder, left_out)}
    files = {name: str(path.relative_to(ROOT)) for name, path in MODULES}
    for source in extensions.group_sources(group):
        named = {name if name in files else name.rpartition(".")[0] for name in imports(ROOT / source)}
        ours = {files[name] for name in named if name in files and not name.startswith("referee.v1")}
        assert ours <= {*relied_on, "referee/extensions.py"}, source


@pytest.mark.parametrize(
    "module", ["referee", "referee.games", "referee.engine", "referee.phase", "referee.codec.native"]
)
def test_other_modules_belong_to_no_group(module: str) -> None:
    assert extensions.group_of(module) is None


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with one module of each group, nothing of which is compiled."""
    for file in ("referee/engine/game.py", "referee/games/owl.py", "referee/wire.py", "referee/v1/a.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(file)
    (tmp_path / "referee/extensions.py").touch()  # and nothing outside `referee`, which sandboxes hide
    monkeypatch.setattr(extensions, "ROOT", str(tmp_path))
    monkeypatch.delenv(extensions.INTERPRETED, raising=False)
    monkeypatch.setattr("sys.meta_path", [])
    return tmp_path


def found(module: str) -> str | None:
    """Return where a new process would find a compiled module."""
    spec = extensions.CompiledFinder().find_spec(module)
    return spec.origin if spec else None


def test_what_is_compiled_is_found_as_long_as_no_source_changes(checkout: Path) -> None:
    assert found("referee.games.owl") is None
    folder = Path(extensions.compiled_folder("rules"))
    folder.mkdir(parents=True)
    there = f"{folder}/referee/games/owl{EXTENSION_SUFFIXES[0]}"
    assert found("referee.games.owl") == there
    assert found(extensions.native_library("rules")) == f"{folder}/referee/native_rules__mypyc{EXTENSION_SUFFIXES[0]}"
    assert found("referee.wire") is None, "of the other group nothing is compiled"
    assert found("referee.games") is None
    assert found("arena.cli") is None
    source = checkout / "referee/engine/game.py"
    times = source.stat()
    source.write_text(source.read_text().upper())
    os.utime(source, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert found("referee.games.owl") is None, "times and sizes say nothing"
    source.write_text(source.read_text().lower())
    assert found("referee.games.owl") == there
    (checkout / "referee/games/new.py").touch()
    assert found("referee.games.owl") is None, "there is one more"


def test_where_a_source_is_hidden_nothing_is_used(checkout: Path) -> None:
    Path(extensions.compiled_folder("rules")).mkdir(parents=True)
    assert found("referee.games.owl")
    (checkout / "referee/engine").rename(checkout / "hidden")
    assert found("referee.games.owl") is None


def test_a_change_of_the_rules_leaves_the_compiled_referee(checkout: Path) -> None:
    before = extensions.group_hash("referee"), extensions.group_hash("rules")
    (checkout / "referee/games/owl.py").write_text("other")
    (checkout / "referee/v1/a.py").write_text("other")
    assert extensions.group_hash("referee") == before[0]
    assert extensions.group_hash("rules") != before[1]


def test_it_is_used_where_there_is_any_and_nobody_turns_it_off(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    extensions.use_compiled()
    assert sys.meta_path == []
    Path(extensions.compiled_home()).mkdir(parents=True)
    monkeypatch.setenv(extensions.INTERPRETED, "interpreted")
    extensions.use_compiled()
    assert sys.meta_path == []
    monkeypatch.setenv(extensions.INTERPRETED, "compiled")
    extensions.use_compiled()
    assert len(sys.meta_path) == 1


def test_rules_that_are_not_compiled_are_named_with_their_remedy(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_info, "compiled", lambda: False)
    monkeypatch.setattr(build_info, "source_time", lambda: 1)
    monkeypatch.setattr(build_info, "missing_tools", lambda: "")
    monkeypatch.setattr("sys.prefix", "/opt/arena")
    assert not build_info.is_outdated()
    assert build_info.rules_remedy().startswith("pip install -e ")
    for group in extensions.GROUPS:
        Path(extensions.compiled_home(), f"{group}-0123456789abcdef").mkdir(parents=True)
    assert build_info.is_outdated()
    monkeypatch.setattr("sys.prefix", str(ROOT / ".venv"))
    assert build_info.rules_remedy() == "make fast"
    assert machine.rules() == CheckResult(
        "rules", "less", "interpreted: a source has changed since they were compiled", "make fast"
    )
    monkeypatch.setattr(build_info, "missing_tools", lambda: "a C compiler")
    assert build_info.rules_remedy().startswith("install a C compiler (Debian: apt-get install gcc ")
    monkeypatch.setattr(build_info, "source_time", lambda: None)
    assert build_info.rules_remedy().startswith("install botarena and botarena-rules again")
    monkeypatch.setenv(extensions.INTERPRETED, "interpreted")
    assert build_info.rules_remedy() == ""
    assert machine.rules().verdict == "good"


class Hook(BuildHook):
    """The hook of the rules, which pretends to compile them, and has no modules in Cython."""

    modules = ()
    group = "rules"

    def __init__(self, tree: Path) -> None:
        self.warnings: list[str] = []
        app: Any = SimpleNamespace(display_warning=self.warnings.append)
        metadata: Any = SimpleNamespace(name="botarena-rules")
        super().__init__(str(tree), {}, None, metadata, str(tree), "wheel", app)
        self.asked: list[list[str]] = []
        self.change: Path | None = None
        """A source that somebody changes meanwhile."""

    def _compile(self, parts: list[str], *, is_editable: bool) -> tuple[dict[str, dict[str, str]], list[str]]:
        self.asked.append(parts)
        if self.change:
            self.change.write_text("changed")
        made = self._folder / "owl.so"
        made.write_text("compiled")
        return {part: {str(made): "referee/games/owl.so"} for part in parts if part != "codec"}, []

    def install(self, version: str) -> dict[str, Any]:
        """Install arena; return what the wheel gets."""
        build_data: dict[str, Any] = {"force_include": {}}
        self.initialize(version, build_data)
        self.finalize(version, build_data, "")
        return build_data


def test_a_checkout_compiles_each_state_of_its_sources_once(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (checkout / "packages/botarena-rules").mkdir(parents=True)
    monkeypatch.delenv("ARENA_COMPILE", raising=False)
    hook = Hook(checkout)
    folder = Path(extensions.compiled_folder("rules"))
    assert hook.install("editable") == {"force_include": {}}
    assert (folder / "referee/games/owl.so").read_text() == "compiled"
    assert not [path for path in folder.parent.iterdir() if path.name.startswith(".")]
    assert hook.install("editable") == {"force_include": {}}
    assert hook.install("standard")["force_include"] == {f"{folder}/referee/games/owl.so": "referee/games/owl.so"}
    assert hook.asked == [["rules"], [], ["codec"]]
    monkeypatch.setenv("ARENA_COMPILE", "codec")
    assert hook.install("standard") == {"force_include": {}}
    monkeypatch.setenv("ARENA_COMPILE", "all")
    [made] = hook.install("standard")["force_include"]
    assert not Path(made).is_relative_to(checkout), "it may be for other machines"
    monkeypatch.delenv("ARENA_COMPILE")
    for number in range(STORED + 3):
        (checkout / "referee/games/owl.py").write_text(str(number))
        hook.install("editable")
    assert len(list(folder.parent.iterdir())) == STORED
    assert Path(extensions.compiled_folder("rules")).is_dir()


def test_what_was_compiled_of_sources_that_somebody_changed_meanwhile_is_not_kept(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (checkout / "packages/botarena-rules").mkdir(parents=True)
    monkeypatch.delenv("ARENA_COMPILE", raising=False)
    hook = Hook(checkout)
    hook.change = checkout / "referee/games/owl.py"
    hook.install("editable")
    assert not Path(extensions.compiled_folder("rules")).exists()
    assert [warning.partition(": ")[2] for warning in hook.warnings] == [
        "a source of rules was changed while it was compiled: install it again"
    ]
    hook.change.write_text("once more")
    monkeypatch.setenv("ARENA_COMPILE", "all")
    with pytest.raises(SystemExit, match="was changed while it was compiled"):
        hook.install("editable")


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
