"""Imports: the law of `tests/house.py`, and what is drawn in the docstrings of the packages."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from arena.cli import COMMANDS
from tests import house

ROOT = Path(__file__).parent.parent
OURS = {"arena", "referee", "sample_bots"}

MAY = {
    "referee.engine.draws": {"referee.extensions"},
    "referee.build_info": {"referee.codec", "referee.engine", "referee.extensions"},
    "arena.sdk.match": {"arena.sdk.errors", "referee.v1"},
    "arena.sdk.question": {
        "arena.positions",
        "arena.sdk.errors",
        "arena.sdk.look_ahead",
        "arena.sdk.match",
        "referee.v1",
    },
    "arena.sdk.message_codec": {
        "arena.sdk.look_ahead",
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
    "arena.league.store": {"arena.league.store", "arena.store", "arena.values"},
    "arena.league.plan": {
        "arena.league.plan",
        "arena.league.store",
        "arena.packs",
        "arena.plan",
        "arena.ratings",
        "arena.store",
        "arena.values",
        "referee.engine",
    },
    "arena.league.results": {
        "arena.language",
        "arena.league.plan",
        "arena.league.results",
        "arena.league.store",
        "arena.ratings",
        "arena.results",
        "arena.store",
        "arena.values",
    },
}
"""What some modules may import of our own, more narrowly than their rooms; the longest name that fits one counts."""

STANDARD_LIBRARY_ONLY = ("referee.engine", "referee.games")
MARKS = {"mypy_extensions"}
"""They do nothing; a compiler reads them."""


def sources(package: str, root: Path = ROOT) -> Iterator[tuple[str, Path]]:
    """Yield the modules of a package as (dotted name, file), the generated ones left out.

    root: the folder that the package lies in.
    """
    for path in sorted((root / package).rglob("*.py")):
        if not path.stem.endswith("_pb2"):
            parts = path.relative_to(root).with_suffix("").parts
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


def packages_of(names: Iterable[str], packages: Iterable[str]) -> set[str]:
    """Return those packages that have any of some modules."""
    wanted = list(names)
    return {package for package in packages if any(within(name, package) for name in wanted)}


MODULES = [(name, path) for package in sorted(OURS) for name, path in sources(package)]
PACKAGE_MODULES = {
    feature: list(sources(package.replace(".", "/"), ROOT / f"packages/botarena-{feature}"))
    for feature, package in house.PACKAGES.items()
}
"""The modules of the packages with features."""
ALL_MODULES = [*MODULES, *(module for modules in PACKAGE_MODULES.values() for module in modules)]


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


def test_a_map_that_is_drawn_shows_every_module() -> None:
    """A package's docstring that names most of its modules names all, but for errors, which every package may have."""
    for package, path in ALL_MODULES:
        if path.name != "__init__.py":
            continue
        drawn = ast.get_docstring(ast.parse(path.read_text())) or ""
        modules = {
            name.removeprefix(f"{package}.").split(".")[0]
            for name, file in ALL_MODULES
            if name.startswith(f"{package}.") and file.is_relative_to(path.parent)
        }
        missing = {name for name in modules - {"__main__", "errors"} if not re.search(rf"\b{name}\b", drawn)}
        assert not missing or len(missing) * 2 > len(modules), f"the map of {package} leaves out {sorted(missing)}"


@cache
def import_graph() -> dict[str, set[str]]:
    """Return which of our modules each of them imports, inside functions and for annotations too."""
    names = {name for name, _ in ALL_MODULES}
    graph = {}
    for module, path in ALL_MODULES:
        imported_modules = {name if name in names else name.rpartition(".")[0] for name in imports(path)}
        graph[module] = imported_modules & names - {module}
    return graph


@pytest.mark.parametrize("module", [name for name, _ in MODULES if name != "arena"])
def test_a_module_imports_only_what_its_room_may(module: str) -> None:
    room = house.place(module)
    assert room, f"tests/house.py gives {module} no room"
    wanted = {house.place(name) for name in import_graph()[module]} - {None}
    strange = wanted - house.allowed(room)
    assert strange == set(house.EXCEPTIONS.get(module, "").split()), (
        f"{room} may import only {sorted(house.allowed(room))}"
    )


@pytest.mark.parametrize("package", MAY)
def test_some_modules_import_less(package: str) -> None:
    within_it = [module for module, _ in MODULES if within(module, package)]
    assert within_it
    for module in within_it:
        strange = [name for name in import_graph()[module] if not any(within(name, each) for each in MAY[package])]
        assert not strange, f"{module} may import only {', '.join(sorted(MAY[package]))}"


@pytest.mark.parametrize("room", sorted(house.DOORS))
def test_a_room_with_a_door_is_entered_by_it(room: str) -> None:
    home = house.home(room)
    for module, wanted in import_graph().items():
        if not within(module, home):
            assert not {name for name in wanted if within(name, home)} - {home}, module


def test_nothing_imports_a_package_with_a_feature() -> None:
    for module, path in MODULES:
        assert not packages_of(imports(path), house.PACKAGES.values()), module


@pytest.mark.parametrize("feature", house.PACKAGES)
def test_no_package_imports_another_one(feature: str) -> None:
    others = set(house.PACKAGES.values()) - {house.PACKAGES[feature]}
    for module, path in [*PACKAGE_MODULES[feature], *sources("tests", ROOT / f"packages/botarena-{feature}")]:
        assert not packages_of(imports(path), others), module


def unguarded(tree: ast.AST, packages: Mapping[str, str], asks_for: Set[str]) -> Iterator[str]:
    """Yield the packages with features that a tree imports where nothing asks whether they are installed.

    packages: the feature of each package, by what is imported.
    asks_for: the features for which the file asks anywhere: what functions import counts for none of these.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            start = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            yield from packages_of((f"{start}{name.name}" for name in node.names), packages)
        asked = set(asks_for) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else set()
        if isinstance(node, ast.If):
            asked = features_asked_for(ast.unparse(node.test))
        remaining = {name: feature for name, feature in packages.items() if feature not in asked}
        yield from unguarded(node, remaining, asks_for)


def features_asked_for(source: str) -> set[str]:
    """Return the features for which some source asks whether they are installed."""
    return {
        feature
        for feature in house.PACKAGES
        if re.search(rf"""installed\.of\(\s*["']{feature}["']|["']{feature}["'] in installed\.FEATURES""", source)
    }


def test_tests_of_the_core_import_a_package_only_where_it_is_installed() -> None:
    features = {package: feature for feature, package in house.PACKAGES.items()}
    for module, path in sources("tests"):
        source = path.read_text()
        if module.startswith("tests.third_party."):
            continue  # a game of others: its layout is imported by botarena-envs alone
        if any(package in source for package in features):
            strange = set(unguarded(ast.parse(source), features, features_asked_for(source)))
            assert not strange, f"{module} imports {strange}: ask tests/installed.py"


def test_the_law_names_only_what_exists() -> None:
    modules = {name for name, _ in MODULES}
    assert {
        home for home in map(house.home, house.ROOMS) if not any(within(module, home) for module in modules)
    } == set()
    assert house.EXCEPTIONS.keys() <= modules


def test_the_law_has_ten_floors_at_most_and_no_circle() -> None:
    graph = {name: house.allowed(name) - {name} for name in house.ROOMS}
    floors: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        below = [floors[each] for each in graph[name] if not within(each, "referee")]
        floors[name] = 0 if within(name, "referee") else 1 + max(below, default=0)
    assert max(floors.values()) <= 9, floors


def test_no_imports_run_in_a_circle_even_for_annotations() -> None:
    TopologicalSorter(import_graph()).prepare()


def room(module: str) -> str:
    """Return the package that a module of arena is counted to; for leagues, one below these."""
    parts = module.split(".")
    return ".".join(parts[: 3 if parts[1:2] == ["league"] else 2])


def test_no_packages_of_arena_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, wanted in import_graph().items():
        if within(module, "arena"):
            rooms = {room(name) for name in wanted if within(name, "arena")}
            graph.setdefault(room(module), set()).update(rooms - {room(module), "arena"})
    TopologicalSorter(graph).prepare()


def test_the_core_has_nine_floors_at_most() -> None:
    """As it lies today, `referee` being one: features, and what only starts the command line, stand on the tenth."""

    def package(module: str) -> str:
        return ".".join(module.split(".")[: 2 if within(module, "arena") else 1])

    graph: dict[str, set[str]] = {}
    for module, wanted in import_graph().items():
        if house.place(module) in house.ROOMS and module != "arena.__main__":
            used = {package(name) for name in wanted if house.place(name) in house.ROOMS}
            graph.setdefault(package(module), set()).update(used - {package(module)})
    floors: dict[str, int] = {}
    for name in TopologicalSorter(graph).static_order():
        floors[name] = 1 + max((floors[below] for below in graph[name]), default=0)
    assert max(floors.values()) <= 9, floors


HEAVY = {"alembic", "google", "grpc", "numpy", "rich", "scipy", "sqlalchemy", "tabulate", "textual", "trio"}


def loaded(*modules: str) -> set[str]:
    """Return the packages that are loaded with some modules."""
    code = f"import sys, {', '.join(modules)}; print(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


@pytest.mark.promise
def test_the_command_line_starts_without_the_heavy_libraries() -> None:
    assert not {*HEAVY, "importlib.metadata", "pluggy"} & loaded("arena.cli")


@pytest.mark.promise
def test_no_command_needs_them_for_its_help() -> None:
    below = sorted(path.stem for path in (ROOT / "arena/cli/tourneys").glob("[!_]*.py"))
    commands = [
        f"arena.cli.{name.replace('-', '_')}" for name in COMMANDS if name != "games"
    ]  # that lists and explains, and is quick
    assert not HEAVY & loaded(*commands, *(f"arena.cli.tourneys.{name}" for name in below))


@pytest.mark.promise
def test_referees_start_and_matches_are_played_without_what_only_the_ranking_needs() -> None:
    assert not {*HEAVY, "pluggy"} & loaded("arena.run.referee_process")
    playing = loaded("arena.cli.play_tournament", "arena.run.runner", "arena.store.opening")
    assert not {"alembic", "grpc", "numpy", "rich", "scipy", "tabulate"} & playing


def test_commands_print_in_the_one_way_that_takes_out_what_a_terminal_heeds() -> None:
    for name, path in MODULES:
        if within(name, "arena.cli") and name != "arena.cli.output":
            source = path.read_text()
            assert "click.echo(" not in source, f"{path}: print with arena.cli.output.echo"
            assert "json.dumps(" not in source, f"{path}: write JSON with arena.values.texts.json_text"


def test_no_handler_of_a_signal_takes_a_lock_that_it_may_have_interrupted() -> None:
    for name, path in ALL_MODULES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "signal.signal":
                handler = ast.unparse(node.args[1])
                does_nothing = handler.startswith("signal.") or handler == "lambda *_: None"
                assert does_nothing, f"{name}:{node.lineno}: wait with arena.run.stop_signals, or trio's receiver"
