"""The import map: who may know whom. It is drawn in the docstrings of `arena`, `referee` and `referee.engine`."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from arena.cli import COMMANDS

ROOT = Path(__file__).parent.parent
OURS = {"arena", "referee", "sample_bots"}

PLANNING = {
    "arena.__version__",
    "arena.determinisation",
    "arena.durations",
    "arena.errors",
    "arena.near_path",
    "arena.ratings",
    "arena.replay",
    "arena.snapshot",
    "arena.store",
    "arena.submissions",
    "arena.tables",
    "arena.texts",
    "arena.tournament.errors",
    "arena.tournament.plan",
    "arena.typed",
    "referee.engine",
    "referee.paths",
    "referee.sandbox",
    "sample_bots",
}
"""Planning knows what is stored, and nothing of how it is played."""

MAY = {
    "referee": {"referee"},
    "referee.engine": {"referee.engine"},
    "referee.engine.draws": {"referee.extensions"},
    "referee.games": {"referee.engine", "referee.games"},
    "referee.v1": {"referee.v1"},
    "referee.paths": set(),
    "referee.wire": {"referee.engine", "referee.v1"},
    "referee.codec": {"referee.codec", "referee.engine", "referee.extensions", "referee.v1", "referee.wire"},
    "referee.match": {"referee.codec", "referee.engine", "referee.match", "referee.v1", "referee.wire"},
    "referee.process": {"referee.process", "referee.sandbox", "referee.wire"},
    "referee.connection": {"referee.connection", "referee.paths", "referee.v1", "referee.wire"},
    "referee.session": {
        "referee.codec",
        "referee.connection",
        "referee.engine",
        "referee.match",
        "referee.process",
        "referee.sandbox",
        "referee.session",
        "referee.v1",
        "referee.wire",
    },
    "referee.build_info": {"referee.codec", "referee.engine", "referee.extensions"},
    "referee.extensions": {"referee.extensions"},
    "referee.sandbox": {"referee.sandbox"},
    "arena": {"arena", "referee"},
    "arena.sdk": {"arena.sdk", "referee.v1"},
    "arena.sdk.match": {"arena.sdk.errors", "referee.v1"},
    "arena.sdk.question": {"arena.sdk.match", "referee.v1"},
    "arena.sdk.message_codec": {
        "arena.sdk.match",
        "arena.sdk.native",
        "arena.sdk.pure",
        "arena.sdk.question",
        "referee.extensions",
        "referee.v1",
    },
    "arena.sdk.pure": {"arena.sdk.errors", "referee.v1"},
    "arena.sdk.light_protobuf": {"arena.sdk.lazy_import"},
    "arena.sdk.grpc_options": set(),
    "arena.sdk.grpc_call": {"arena.sdk.direct_call", "arena.sdk.stub_call"},
    "arena.sdk.direct_call": {"arena.sdk.errors", "arena.sdk.grpc_options", "arena.sdk.lazy_import"},
    "arena.sdk.stub_call": {"arena.sdk.errors", "arena.sdk.grpc_options", "arena.sdk.lazy_import"},
    "arena.bridge": {"arena.bridge", "arena.sdk", "referee.v1"},
    "arena.tournament": {"arena", "referee", "sample_bots"},
    "arena.tournament.plan": PLANNING,
    "arena.tournament.results": PLANNING
    | {"arena.process_pool", "arena.tournament.plan.decisions", "arena.tournament.results"},
    "arena.league": {"arena", "referee"},
    "arena.league.plan": {
        "arena.errors",
        "arena.league.plan",
        "arena.ratings",
        "arena.store",
        "arena.submissions",
        "arena.tournament.errors",
        "arena.tournament.plan",
        "arena.typed",
        "referee.engine",
    },
    "arena.league.results": {
        "arena.league.plan",
        "arena.league.results",
        "arena.ratings",
        "arena.store",
        "arena.tournament.results",
    },
    "arena.analysis": {"arena", "referee", "sample_bots"},
    "arena.envs": {"arena", "referee", "sample_bots"},
    "arena.templates": {"arena", "referee", "sample_bots"},
    "arena.ratings": {"arena.ratings", "arena.errors", "arena.near_path", "arena.texts"},
    "arena.language": {"arena.language"},
    "arena.store": {"arena.store", "arena.errors", "arena.near_path", "arena.texts", "referee.engine"},
    "arena.submissions": {
        "arena.errors",
        "arena.near_path",
        "arena.store",
        "arena.submissions",
        "referee.engine",
        "referee.paths",
        "referee.process",
        "referee.sandbox",
        "referee.wire",
    },
    "sample_bots": {"sample_bots", "arena.sdk", "referee.v1"},
}
"""What the modules of a package may import of our own; the longest name that fits a module counts."""

STANDARD_LIBRARY_ONLY = ("referee.engine", "referee.games")
MARKS = {"mypy_extensions"}
"""They do nothing; a compiler reads them."""


def sources(package: str) -> Iterator[tuple[str, Path]]:
    """Yield the modules of a package as (dotted name, file), the generated ones left out."""
    for path in sorted((ROOT / package).rglob("*.py")):
        if not path.stem.endswith("_pb2"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, inside functions too."""
    yield from _imports(path)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    return tuple(imported(ast.parse(path.read_text()), path))


def imported(tree: ast.Module, path: Path) -> Iterator[str]:
    """Yield every module that a tree imports; `from a import b` counts as a.b."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are written in full here"
            yield from (f"{node.module}.{name.name}" for name in node.names)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def rule(module: str) -> str:
    """Return the entry of MAY that holds for a module: the longest that fits."""
    return max((package for package in MAY if within(module, package)), key=len)


MODULES = [(name, path) for package in sorted(OURS) for name, path in sources(package)]


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_a_module_imports_only_what_the_map_allows(module: str, path: Path) -> None:
    allowed = MAY[rule(module)]
    ours = [name for name in imports(path) if name.split(".")[0] in OURS]
    strange = [name for name in ours if not any(within(name, package) for package in allowed)]
    assert not strange, f"{module} may import only {', '.join(sorted(allowed))}"


@pytest.mark.parametrize("package", STANDARD_LIBRARY_ONLY)
def test_rules_need_nothing_but_the_standard_library(package: str) -> None:
    for module, path in sources(package.replace(".", "/")):
        foreign = {name.split(".")[0] for name in imports(path)} - OURS - MARKS - sys.stdlib_module_names
        assert not foreign, module


def test_only_grpc_server_and_stream_import_grpc_in_the_referee() -> None:
    users = {module for module, path in sources("referee") if any(within(name, "grpc") for name in imports(path))}
    assert users <= {"referee.connection.grpc_server", "referee.connection.stream"}


def test_rules_do_no_input_or_output_and_read_no_clock() -> None:
    never = {"asyncio", "os", "pathlib", "random", "socket", "subprocess", "threading", "time", "trio"}
    for module, path in sources("referee/games"):
        assert not {name.split(".")[0] for name in imports(path)} & never, module


def test_every_package_has_a_rule_and_every_rule_a_package() -> None:
    modules = {name for name, _ in MODULES}
    assert {package for package in MAY if not any(within(module, package) for module in modules)} == set()


def test_a_map_that_is_drawn_shows_every_module() -> None:
    """A package's docstring that names most of its modules names all, but for errors, which every package may have."""
    for package, path in MODULES:
        if path.name != "__init__.py":
            continue
        drawn = ast.get_docstring(ast.parse(path.read_text())) or ""
        modules = {
            name.removeprefix(f"{package}.").split(".")[0] for name, _ in MODULES if name.startswith(f"{package}.")
        }
        missing = {name for name in modules - {"__main__", "errors"} if not re.search(rf"\b{name}\b", drawn)}
        assert not missing or len(missing) * 2 > len(modules), f"the map of {package} leaves out {sorted(missing)}"


def import_graph(*, types: bool) -> dict[str, set[str]]:
    """Return which of our modules each of them imports, inside functions too; types: also for annotations only."""
    names = {name for name, _ in MODULES}
    graph = {}
    for module, path in MODULES:
        wanted = imports(path) if types else run_imports(path)
        graph[module] = {name if name in names else name.rpartition(".")[0] for name in wanted} & names - {module}
    return graph


def run_imports(path: Path) -> Iterator[str]:
    """Yield every module that a file imports when it runs: not those for annotations only."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    yield from imported(tree, path)


def test_no_imports_run_in_a_circle() -> None:
    TopologicalSorter(import_graph(types=False)).prepare()


def room(module: str) -> str:
    """Return the package that a module of arena is counted to; for leagues and tournaments, one below these."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] in (["league"], ["tournament"]) else 2])


def test_no_packages_of_arena_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, wanted in import_graph(types=True).items():
        if within(module, "arena"):
            rooms = {room(name) for name in wanted if within(name, "arena")}
            graph.setdefault(room(module), set()).update(rooms - {room(module), "arena"})
    TopologicalSorter(graph).prepare()


HEAVY = {"alembic", "google", "grpc", "numpy", "rich", "scipy", "sqlalchemy", "tabulate", "textual", "trio"}


def loaded(*modules: str) -> set[str]:
    """Return the packages that are loaded with some modules."""
    code = f"import sys, {', '.join(modules)}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    assert not HEAVY & loaded("arena.cli")


def test_no_command_needs_them_for_its_help() -> None:
    below = sorted(path.stem for path in (ROOT / "arena/cli/tourneys").glob("[!_]*.py"))
    commands = [f"arena.cli.{name}" for name in COMMANDS if name != "games"]  # that lists and explains, and is quick
    assert not HEAVY & loaded(*commands, *(f"arena.cli.tourneys.{name}" for name in below))


def test_referees_start_and_matches_are_played_without_what_only_the_ranking_needs() -> None:
    assert not HEAVY & loaded("arena.tournament.run.referee_process")
    playing = loaded("arena.cli.play_tournament", "arena.tournament.run.runner", "arena.store.opening")
    assert not {"alembic", "grpc", "numpy", "rich", "scipy", "tabulate"} & playing


def test_commands_print_in_the_one_way_that_takes_out_what_a_terminal_heeds() -> None:
    for name, path in MODULES:
        if within(name, "arena.cli") and name != "arena.cli.output":
            source = path.read_text()
            assert "click.echo(" not in source, f"{path}: print with arena.cli.output.echo"
            assert "json.dumps(" not in source, f"{path}: write JSON with arena.texts.json_text"
