"""The libraries for bots in Go, Rust, TypeScript and Java, as they would be published: the bot of each README plays."""

import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from arena.cli import main

ROOT = Path(__file__).parents[2]
LIBRARIES = ROOT / "build/libraries"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
UNAVAILABLE = 69
"""What a build exits with where its tools are not installed."""


def package(language: str) -> Path:
    return ROOT / f"packages/botarena-sdk-{language}"


def test_all_have_the_licence_of_arena() -> None:
    for language in BOTS:
        assert (package(language) / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()


def test_they_need_what_the_sample_bots_need() -> None:
    """The library code is that of the samples."""
    samples = ROOT / "sample_bots"
    crates = [tomllib.loads((folder / "Cargo.toml").read_text()) for folder in (samples / "rust", package("rust"))]
    for table in ("dependencies", "build-dependencies", "dev-dependencies"):
        assert crates[0][table] == crates[1][table]
    modules = [
        json.loads((folder / "package.json").read_text())["dependencies"]
        for folder in (samples / "typescript", package("typescript"))
    ]
    assert modules[0] == modules[1]
    poms = [ElementTree.parse(folder / "pom.xml").getroot() for folder in (samples / "java", package("java"))]
    for part in ("dependencies", "properties"):
        found = [[text.strip() for text in pom.find(f"{{*}}{part}").itertext() if text.strip()] for pom in poms]  # type: ignore[union-attr]
        assert found[0] == found[1]
    direct = [
        re.findall(r"^\t(\S+ v\S+)$", (folder / "go.mod").read_text(), re.MULTILINE)
        for folder in (samples / "go", package("go"))
    ]
    assert direct[0] == direct[1]


def run(*words: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(words, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def go_bot(folder: Path, code: str) -> str:
    """Build a bot on the module, got from a module proxy, and return its command."""
    (folder / "main.go").write_text(code)
    requirement = f"github.com/botarena/botarena-sdk-go v{VERSION}"
    (folder / "go.mod").write_text(f"module example.com/bot\n\ngo 1.25.0\n\nrequire {requirement}\n")
    cached = run("go", "env", "GOMODCACHE", cwd=folder)
    proxies = f"file://{LIBRARIES}/go/proxy,file://{cached}/cache/download,https://proxy.golang.org"
    environment = {
        "GOPROXY": proxies, "GONOSUMDB": "github.com/botarena/*", "GOFLAGS": "-mod=mod -modcacherw",
        "GOMODCACHE": str(folder / "cache"), "GOTOOLCHAIN": "local", "CGO_ENABLED": "0",
    }  # fmt: skip
    run("go", "mod", "tidy", cwd=folder, **environment)
    run("go", "build", "-o", "bot", ".", cwd=folder, **environment)
    return str(folder / "bot")


def rust_bot(folder: Path, code: str) -> str:
    target = LIBRARIES / "rust/target"
    run("tar", "xzf", str(target / f"package/botarena-sdk-{VERSION}.crate"), cwd=folder)
    (folder / "src").mkdir()
    (folder / "src/main.rs").write_text(code)
    (folder / "Cargo.toml").write_text(
        '[package]\nname = "consumer"\nversion = "0.1.0"\nedition = "2024"\n\n[dependencies]\n'
        f'botarena-sdk = {{ path = "botarena-sdk-{VERSION}" }}\n'
        'rand = { version = "0.9", default-features = false }\n\n[workspace]\n'
    )
    shutil.copy(folder / f"botarena-sdk-{VERSION}/Cargo.lock", folder)
    run("cargo", "build", "--quiet", cwd=folder, CARGO_TARGET_DIR=str(target))
    return str(shutil.copy(target / "debug/consumer", folder))


def typescript_bot(folder: Path, code: str) -> str:
    (folder / "main.mjs").write_text(code)
    (folder / "package.json").write_text('{"name": "consumer", "private": true}')
    archive = str(LIBRARIES / f"typescript/botarena-sdk-{VERSION}.tgz")
    run("npm", "install", "--silent", "--no-fund", "--no-audit", archive, cwd=folder)
    return f"node {folder / 'main.mjs'}"


def java_bot(folder: Path, code: str) -> str:
    (folder / "Main.java").write_text(code)
    library = LIBRARIES / "java"
    copying = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}/lib"]
    run("mvn", "--quiet", "--batch-mode", *copying, cwd=library)
    shutil.copy(library / f"target/botarena-sdk-{VERSION}.jar", folder / "lib")
    run("javac", "-cp", "lib/*", "-d", ".", "Main.java", cwd=folder)
    return f"java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m -cp {folder}:{folder}/lib/* Main"


BOTS: dict[str, Callable[[Path, str], str]] = {
    "go": go_bot, "rust": rust_bot, "typescript": typescript_bot, "java": java_bot,
}  # fmt: skip


@pytest.mark.toolchain
@pytest.mark.parametrize("language", BOTS)
def test_the_bot_of_the_readme_plays_with_what_is_published(language: str, tmp_path: Path) -> None:
    built = subprocess.run([package(language) / "build.sh"], capture_output=True, text=True, check=False)
    if built.returncode == UNAVAILABLE:
        pytest.skip(built.stderr.strip())
    assert built.returncode == 0, built.stdout + built.stderr
    readme = (package(language) / "README.md").read_text()
    code = re.findall(r"```(?:go|rust,no_run|ts|java)\n(.*?)```", readme, re.DOTALL)[0]
    words = ["--game", "cambio", BOTS[language](tmp_path, code), "random", "--sandbox", "off", "--json"]
    played = CliRunner().invoke(main, ["match", *words, "--db", str(tmp_path / "a.db")], catch_exceptions=False)
    assert played.exit_code == 0, played.output
    match = json.loads(played.stdout)
    assert (match["faults"], match["process_failures"]) == ([], [])
    assert all(seat["decisions"] for seat in match["seats"])
