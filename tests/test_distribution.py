"""The distributions are `botarena` and those in packages: no text tells users to install another one.

`arena` on the package index belongs to somebody else.
"""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest

import arena
from arena.hooks import published

ROOT = Path(__file__).parent.parent
NAME = "botarena"
OURS = {NAME, *(path.name for path in (ROOT / "packages").iterdir())}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

FOLDERS = ("arena", "referee", "sample_bots", "packages", "docs", "protos", "bench", "tools", "tests/third_party")
SUFFIXES = {".css", ".html", ".js", ".md", ".proto", ".py", ".sh", ".tmpl", ".toml", ".ts"}
BUILT = {"__pycache__", "build", "gen", "node_modules", "target"}
"""Folders with what others wrote or builds left."""

WORD = r"""(?:'[^'\n]+'|"[^"\n]+"|[^\s'"`#&|;,<>()]+)"""
INSTALL = re.compile(
    rf"(?:\bpip3?\s+install|\bpipx\s+install|\btool\s+install|\buv\s+add|\buvx|--reinstall-package)"
    rf"\s+({WORD}(?:[ \t]+{WORD})*)"
)
OTHERS = {"onnxruntime", "open_spiel", "pytest", "uv"}
"""What our own scripts, templates and manuals install by name."""


def texts() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every file that users read or run."""
    paths = [ROOT / name for name in ("README.md", "CHANGELOG.md", "Makefile", "pyproject.toml", ".ci/run")]
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            parts = path.relative_to(ROOT).parts
            if path.is_file() and path.suffix in SUFFIXES and not BUILT.intersection(parts):
                paths.append(path)
    for path in paths:
        yield str(path.relative_to(ROOT)), path.read_text()


def packages(text: str) -> list[str]:
    """Return the names of the packages that the commands in a text install; paths and variables are left out."""
    commands = [found[1].replace("--find-links dist ", "") for found in INSTALL.finditer(text)]
    words = [word.strip("'\"") for command in commands for word in re.findall(WORD, command)]
    names = [re.match(r"[A-Za-z0-9][\w-]*", word) for word in words if "/" not in word]
    return [name[0] for name in names if name]


def extras(text: str) -> set[str]:
    """Return the extras of the distribution that a text names."""
    lists = re.findall(rf"\b{NAME}\[([^\]{{]*)\]", text)  # a brace: a name that is filled in
    return {extra.strip() for names in lists for extra in names.split(",")}


def requirements(project: Path) -> list[str]:
    """Return the names of all packages that a pyproject.toml, or a template of one, requires."""
    table = tomllib.loads(project.read_text())
    lists = [table["project"]["dependencies"], *table["project"].get("optional-dependencies", {}).values()]
    lists += table.get("dependency-groups", {}).values()
    named = (each for names in lists for each in names if isinstance(each, str))  # the others include groups
    return [re.split(r"[^\w.-]", requirement)[0] for requirement in named]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("pip install arena", ["arena"]),
        ("run `pip install 'arena[web]'`: pages", ["arena"]),
        ("f\"no Ray: pip install 'arena[cluster]'\", err=True)", ["arena"]),
        ("uv pip install -q --target \"$own\" 'uv==1' arena>=1  # both", ["uv", "arena"]),
        ("pip install\n    botarena", ["botarena"]),
        ("pip install --find-links dist 'botarena[web]'", ["botarena"]),
        ("pipx install arena; uv tool install arena; uv add arena; uvx arena games", ["arena"] * 4 + ["games"]),
        ("sync --reinstall-package arena --quiet", ["arena"]),
        ("`pip install .`, or `pip install -e .`, or pip install '.[test]' && pytest", []),
        ("`pip install` needs a name", []),
    ],
)
def test_packages_are_read_out_of_commands(text: str, names: list[str]) -> None:
    assert packages(text) == names


def test_every_command_that_installs_a_package_of_ours_names_one_of_them() -> None:
    found = {path: set(packages(text)) for path, text in texts()}
    assert {path: names - OURS - OTHERS for path, names in found.items() if names - OURS - OTHERS} == {}
    naming = {path for path, names in found.items() if NAME in names}
    assert {"Makefile", "docs/scale.md", "arena/sdk/asking.py"} <= naming


def test_no_text_names_arena_as_a_distribution() -> None:
    wrong = re.compile(r"(?<![\w-])arena(?:\[[a-z]|\s*[=~]=\s*\d|-\d+\.\d+)|pypi\.org/(?:project|simple)/arena\b")
    assert wrong.search("pip install 'arena[web]'")
    assert wrong.search("arena==0.1.0")
    assert wrong.search("dist/arena-0.1.0-py3-none-any.whl")
    assert not wrong.search("'botarena[web]' botarena-0.1.0")
    assert {path: found[0] for path, text in texts() if (found := wrong.search(text))} == {}


def test_every_extra_that_is_named_exists_and_every_one_is_named() -> None:
    named = {path: extras(text) for path, text in texts()}
    named["arena/hooks/published.py"] = set(published.ADDED)  # it names that of each package
    assert {path: names - PROJECT["optional-dependencies"].keys() for path, names in named.items()} == {
        path: set() for path in named
    }
    assert set.union(*named.values()) == PROJECT["optional-dependencies"].keys()


@pytest.mark.parametrize(
    "project",
    ["pyproject.toml", "tests/third_party/harbour/pyproject.toml", "arena/bots/templates/python/pyproject.toml.tmpl"],
)
def test_no_project_of_ours_requires_arena(project: str) -> None:
    assert "arena" not in requirements(ROOT / project)


def test_the_lock_and_the_installed_distribution_have_the_name() -> None:
    assert PROJECT["name"] == NAME
    lock = tomllib.loads((ROOT / "uv.lock").read_text())
    assert [package["name"] for package in lock["package"] if "." in package["source"].values()] == [NAME]
    installed = distribution(NAME)
    assert installed.version == arena.__version__ == PROJECT["version"]
    assert not list(distributions(name="arena")), "an older name of botarena: run `make .venv/.dev`"
    (script,) = installed.entry_points.select(group="console_scripts")
    assert (script.name, script.value) == ("arena", "arena.cli:main")
