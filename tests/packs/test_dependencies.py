"""What bots depend on: declarations, and packages that are fetched by uv from an index, in the sandbox."""

import http.server
import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.packs.dependencies import Dependencies, check_installed, find_dependencies, in_folder, in_pack
from arena.packs.errors import ManifestError
from arena.packs.manifest import Manifest, parse_manifest
from arena.packs.pack import File, make_pack
from arena.plan.field import find_bots
from referee.sandbox import Confinement, choose

PYTHON = Manifest("python", ("python3", "main.py"))

SCRIPT = """#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "networkx>=3",
# ]
# ///
print("# /// script")
"""

BOT = """
import owl_lore
from arena.sdk import Bot


class Owl(Bot):
    name = "owl"
    games = ("cambio",)

    def choose(self, question):
        return owl_lore.first(question.legal)


if __name__ == "__main__":
    Owl().run()
"""


def found(manifest: Manifest = PYTHON, **files: str) -> Dependencies | None:
    """Return what a bot with these files depends on; `_` in a name stands for a dot."""
    pack = make_pack([File(name.replace("_", "."), False, text.encode()) for name, text in files.items()])
    return find_dependencies(manifest, in_pack(pack))


def names(dependencies: Dependencies | None) -> list[str]:
    return [] if dependencies is None else [*map(str, dependencies.provided + dependencies.missing)]


def test_each_of_three_places_declares_them() -> None:
    in_manifest = parse_manifest('language = "python"\ncommand = ["python3", "main.py"]\ndependencies = ["a>=1", "b"]')
    assert names(found(in_manifest)) == ["a>=1", "b"]
    text = "# what it needs\na >= 1  # for graphs\n\nb[fast] ; python_version >= '3.8'\nc ; python_version < '3'\n"
    assert names(found(requirements_txt=text)) == ["a>=1", "b[fast]"]
    inline = found(main_py=SCRIPT)
    assert inline is not None
    assert (inline.source, names(inline)) == ("main.py", ["networkx>=3"])
    assert found(main_py=SCRIPT.replace("\n", "\r\n")) == inline
    assert found(main_py="print(1)", requirements_txt="# nothing\n") is None
    assert found(Manifest("c", ("./bot",)), requirements_txt="a") is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("-r other.txt", '"-r other.txt" is an option of pip: name packages only'),
        ("--index-url http://x", "is an option of pip"),
        ("a @ file:///etc/passwd", "a is to come from file:///etc/passwd: only packages of the index"),
        ("./wheels/a.whl", "is no requirement such as"),
        ("a==1 --hash=sha256:00", "leave out --hash"),
        ("protobuf<3", f"protobuf<3 does not fit protobuf {version('protobuf')}, with which arena.sdk runs"),
        ("a\n" * 201, "names more than 200 packages"),
        ("a\n" * 40_000, "requirements.txt has more than 64 KiB"),
        ("a; sys_platform ~= 'abc'", "is no requirement such as"),
        ("a; 'a' in 'b'", "is no requirement such as"),
        ("a; " + "(" * 490, "is no requirement such as"),
        ("a>=" + "1" * 600, "it has more than 500 characters"),
        ("numpy==" + "1" * 480 + ".*.*", "is no requirement such as"),
    ],
)
def test_what_is_not_taken_is_told(text: str, sentence: str) -> None:
    with pytest.raises(ManifestError) as refused:
        found(requirements_txt=text)
    assert sentence in str(refused.value)


def test_of_a_requirement_only_name_extras_and_versions_are_handed_on() -> None:
    hostile = "a ; sys_platform != 'x\"\\n--index-url http://127.0.0.1:9/\\n\"'"
    with suppress(ManifestError):  # some versions of packaging read no such markers
        assert names(found(requirements_txt=hostile)) == ["a"]
    assert names(found(requirements_txt="protobuf<4; python_version<'3'\na\t>=\t1")) == ["a>=1"]


def test_a_project_file_counts_where_nothing_else_declares_any() -> None:
    project = '[project]\nname = "owl"\ndependencies = ["networkx>=3"]\n[tool.x]\ndependencies = 1\n'
    declared = found(pyproject_toml=project)
    assert declared is not None
    assert (declared.source, names(declared)) == ("pyproject.toml", ["networkx>=3"])
    assert names(found(pyproject_toml=project, requirements_txt="a")) == ["a"]
    assert found(pyproject_toml='[project]\nname = "owl"\n') is None
    assert found(Manifest("c", ("./bot",)), pyproject_toml=project) is None
    with pytest.raises(ManifestError, match=r"pyproject.toml, line 2: project.dependencies must be a list of texts"):
        found(pyproject_toml="[project]\ndependencies = 7\n")
    with pytest.raises(ManifestError, match=r"pyproject.toml is not valid TOML"):
        found(pyproject_toml="[project\n")


def test_a_link_to_a_python_file_plays(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(SCRIPT.replace("networkx>=3", "numpy"))
    (tmp_path / "link.py").symlink_to(tmp_path / "bot.py")
    (tmp_path / "requirements.txt").write_text("of-the-project-around-it")
    [bot] = find_bots([str(tmp_path / "link.py")], {})
    assert bot.name == "link"
    (tmp_path / "bot.py").write_text(SCRIPT)
    with pytest.raises(ManifestError, match=r"what link.py declares is not installed"):
        find_bots([str(tmp_path / "link.py")], {})


def test_mistakes_in_other_places_are_told() -> None:
    with pytest.raises(ManifestError, match="requirements.txt and main.py both declare dependencies"):
        found(requirements_txt="a", main_py=SCRIPT)
    with pytest.raises(ManifestError, match="its command does not start with python3"):
        found(Manifest("c", ("./bot",), dependencies=("a",)))
    with pytest.raises(ManifestError, match="main.py has two blocks of inline metadata"):
        found(main_py=SCRIPT + SCRIPT.replace("#!", "# "))
    with pytest.raises(ManifestError, match="main.py, inline metadata"):
        found(main_py="# /// script\n# dependencies = 7\n# ///\n")


def test_what_arena_has_is_not_missing_and_in_place_the_rest_must_be_there(tmp_path: Path) -> None:
    both = found(requirements_txt="numpy>=1.20\nno-such-package-at-all\nnumpy<1")
    assert both is not None
    assert [str(each) for each in both.missing] == ["no-such-package-at-all", "numpy<1"]
    (tmp_path / "requirements.txt").write_text("no-such-package-at-all")
    with pytest.raises(ManifestError, match="uv pip install --target site-packages 'no-such-package-at-all'"):
        check_installed(PYTHON, tmp_path, in_folder(tmp_path))
    (tmp_path / "site-packages").mkdir()
    check_installed(PYTHON, tmp_path, in_folder(tmp_path))


def write_wheel(folder: Path, name: str, files: dict[str, str], requires: str = "") -> None:
    """Write a wheel of a package, version 1.0, into an index."""
    module = name.replace("-", "_")
    info = f"{module}-1.0.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n" + (
        f"Requires-Dist: {requires}\n" if requires else ""
    )
    content = files | {
        f"{info}/METADATA": metadata,
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    content[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*content, f"{info}/RECORD"])
    (folder / name).mkdir(parents=True)
    wheel = folder / name / f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in content.items():
            archive.writestr(path, text)
    digest = sha256(wheel.read_bytes()).hexdigest()
    (folder / name / "index.html").write_text(f'<a href="{wheel.name}#sha256={digest}">{wheel.name}</a>')


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package index on this machine, the only one that is asked."""
    folder = tmp_path / "index"
    folder.mkdir()
    handler = partial(QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield folder
        server.shutdown()
        thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files and prints nothing."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def arena(tmp_path: Path, *words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, [*words, "--db", str(tmp_path / "arena.db")], prog_name="arena")
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.processes
@pytest.mark.skipif(choose("auto").mode != "bwrap", reason="bubblewrap does not work here")
def test_packages_are_fetched_frozen_and_play(tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    trap = "import pathlib\npathlib.Path('/tmp/ran').touch()\n"
    write_wheel(index, "owl-lore", {"owl_lore.py": "from owl_eyes import first\n", "trap.pth": trap}, "owl-eyes>=1")
    write_wheel(index, "owl-eyes", {"owl_eyes/__init__.py": "def first(moves):\n    return moves[0]\n"})
    bot = tmp_path / "owl"
    bot.mkdir()
    (bot / "main.py").write_text(BOT)
    (bot / "bot.toml").write_text(
        'language = "python"\ncommand = ["python3", "main.py"]\ndependencies = ["owl-lore", "numpy"]\n'
    )
    (bot / "uv.toml").write_text('[[index]]\nurl = "http://127.0.0.1:1/"\ndefault = true\n')  # is not read

    code, _, told = arena(tmp_path, "submit", str(bot), "--name", "me/owl")
    assert code == 2
    assert "it depends on owl-lore (bot.toml), which must be fetched: --build-network lets it" in told
    code, _, told = arena(tmp_path, "match", "--game", "cambio", str(bot), "random")
    assert code == 2
    assert "what bot.toml declares is not installed" in told
    code, printed, told = arena(tmp_path, "check", str(bot), "--matches", "2", "--build-network")
    assert code == 0, printed + told
    assert f"it uses owl-eyes 1.0, owl-lore 1.0, numpy {version('numpy')} (arena's)" in told
    assert not (bot / "site-packages").exists()

    code, printed, told = arena(tmp_path, "submit", str(bot), "--name", "me/owl", "--build-network")
    assert code == 0, printed + told
    assert "passed  dependencies: owl-eyes 1.0, owl-lore 1.0" in printed
    code, printed, _ = arena(tmp_path, "match", "--game", "cambio", "me/owl", "random")
    assert code == 0, printed
    [lock] = (tmp_path / "cache").rglob("site-packages/requirements.lock")
    wheel = index / "owl-eyes/owl_eyes-1.0-py3-none-any.whl"
    assert f"owl-eyes==1.0 \\\n    --hash=sha256:{sha256(wheel.read_bytes()).hexdigest()}\n" in lock.read_text()
    assert "numpy" not in lock.read_text()


AHEAD = """
from arena.search import evaluate
from arena.sdk import Bot


class Ahead(Bot):
    games = ("cambio",)
    wants_positions = True

    def choose(self, question):
        return evaluate(question.position, worlds=2).best


if __name__ == "__main__":
    Ahead().run()
"""


@pytest.mark.processes
@pytest.mark.skipif(choose("auto").mode != "bwrap", reason="bubblewrap does not work here")
def test_a_bot_that_looks_ahead_takes_the_rules_from_arena(
    tmp_path: Path, index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path / "cache"))
    write_wheel(index, "owl-lore", {"owl_lore.py": ""})
    bot = tmp_path / "owl"
    bot.mkdir()
    (bot / "main.py").write_text(AHEAD)
    (bot / "requirements.txt").write_text("botarena-sdk[positions]\nowl-lore\n")
    (bot / "bot.toml").write_text('language = "python"\ncommand = ["python3", "main.py"]\n')
    code, printed, told = arena(tmp_path, "submit", str(bot), "--name", "me/owl", "--build-network")
    assert code == 0, printed + told
    assert f"owl-lore 1.0, botarena-sdk {version('botarena-sdk')} (arena's)" in printed
    code, printed, told = arena(tmp_path, "match", "--game", "cambio", "me/owl", "random", "--json")
    assert code == 0, printed + told
    assert json.loads(printed)["faults"] == []


@pytest.mark.promise
@pytest.mark.skipif(choose("auto").mode != "bwrap", reason="bubblewrap does not work here")
def test_a_package_that_is_not_there_or_only_as_source_is_told(tmp_path: Path, index: Path) -> None:
    (index / "owl-tar").mkdir()
    (index / "owl-tar/index.html").write_text('<a href="owl_tar-1.0.tar.gz">owl_tar-1.0.tar.gz</a>')
    bot = tmp_path / "owl.py"
    for name, reason in {"owl-no": "not found in the package registry", "owl-tar": "no usable wheels"}.items():
        bot.write_text(f'# /// script\n# dependencies = ["{name}"]\n# ///\n{BOT}')
        code, _, told = arena(tmp_path, "submit", str(bot), "--build-network")
        assert code == 2
        assert f"fetching {name} (owl.py) exited with code 1" in told
        assert reason in told


def test_without_a_sandbox_packages_are_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.packs.build.choose", lambda mode: Confinement("rlimits", "no bubblewrap"))
    bot = tmp_path / "owl.py"
    bot.write_text(f'# /// script\n# dependencies = ["owl-lore"]\n# ///\n{BOT}')
    code, _, told = arena(tmp_path, "submit", str(bot), "--build-network")
    assert code == 2
    assert "fetching owl-lore (owl.py) runs only in a sandbox, and this machine has none for it (no bubblewrap)" in told
    assert "submit it with them (uv pip install --target=site-packages ...)" in told
    assert "`build`" not in told
