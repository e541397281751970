"""docs/server.md is followed on a fresh Debian machine: all its blocks, in order, once with each database.

A block marked `<!-- with PostgreSQL -->` or `<!-- with a file -->` belongs to one of the two. One marked
`<!-- as a student -->` is run by somebody without rights, who types the token that the page made for ann. Two things
are others than on the page: `URL-OF-ARENA` is a repository with the files of this tree, and `arena.example.org` is
`arena.localhost`, a name for which Caddy signs certificates itself, so the programs that ask it are told to trust it.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.machine import Machine, image
from tests.docs.pages import ROOT, Block, blocks

PAGE = ROOT / "docs/server.md"
SOURCE = "/srv/botarena.git"
HOST = "arena.localhost"
AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
CASES = ("", "with PostgreSQL", "with a file", "as a student")


def git(*words: str, **variables: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *words],
        env=os.environ | variables,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def publish(folder: Path) -> None:
    """Make a repository of the files of this tree, committed or not, with what is committed as its first state."""
    index = {"GIT_INDEX_FILE": str(folder.parent / "index")}
    git("read-tree", "HEAD", **index)
    git("add", "--all", **index)
    commit = git("commit-tree", "-m", "The tree under test", git("write-tree", **index))
    git("init", "--quiet", "--bare", "--initial-branch=main", str(folder))
    git("push", "--quiet", str(folder), f"{commit}:refs/heads/main")


def publish_next(folder: Path) -> None:
    """Commit a new version there, which an upgrade pulls."""
    here = {"GIT_DIR": str(folder)}
    git("update-ref", "refs/heads/main", git("commit-tree", "-m", "Next", "-p", "main", "main^{tree}", **here), **here)


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return image(tmp_path_factory.mktemp("debian"))


@pytest.fixture
def machine(debian: Path, tmp_path: Path) -> Iterator[Machine]:
    root = tmp_path / "machine"
    subprocess.run(["cp", "-a", str(debian), str(root)], check=True)
    publish(root / SOURCE[1:])
    with (root / "etc/hosts").open("a") as hosts:
        hosts.write(f"127.0.0.1 {HOST}\n")
    with Machine.running(root) as made:
        yield made


def typed(block: Block) -> str:
    return block.text.replace("URL-OF-ARENA", f"file://{SOURCE}").replace("arena.example.org", HOST)


def as_student(machine: Machine, script: str) -> str:
    """Run a block as a user with a token, who has installed arena."""
    tokens = machine.output("cat /var/lib/arena/tokens.csv").splitlines()
    token = dict(zip(*(line.split(",") for line in tokens[:2]), strict=True))["token"]
    machine.run("id student > /dev/null 2>&1 || useradd --create-home student")
    machine.run(f"install --mode 644 {AUTHORITY} /tmp/authority.crt")
    home = machine.root / "home/student"
    (home / "block").write_text(script)
    (home / "typed").write_text(f"{token}\n")
    words = "HOME=/home/student PATH=/opt/arena/bin:$PATH SSL_CERT_FILE=/tmp/authority.crt"
    folder, machine.folder = machine.folder, "/home/student"
    output = machine.run(f"runuser -u student -- env {words} sh -eu block < typed")
    machine.folder = folder
    return output


@pytest.mark.toolchain
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("database", ["with a file", "with PostgreSQL"])
def test_a_server_is_set_up_used_restored_upgraded_and_removed_as_the_page_says(
    database: str, machine: Machine
) -> None:
    for block in blocks(PAGE):
        if not block.runs or block.case not in ("", database, "as a student"):
            continue
        script = typed(block)
        if "git -C" in script:
            publish_next(machine.root / SOURCE[1:])
        if "curl" in script and HOST in script:
            script = script.replace("curl ", f"curl --cacert {AUTHORITY} ")
        output = as_student(machine, script) if block.case == "as a student" else machine.run(script)
        if "arena submit" in script:
            assert "ann/mybot@1" in output
        if "systemctl start arena" in script:
            machine.run("curl --silent --fail --retry 20 --retry-connrefused http://127.0.0.1:8000/healthz > /dev/null")
            assert "ann/mybot@1" in machine.run("/usr/local/bin/arena league board cambio --all --csv")
    folders = "/etc /opt /run /usr/local /var/cache /var/lib /var/log"
    left = machine.output(f"find {folders} -xdev -iname '*arena*' -not -path '*/share/*' -not -path '/var/lib/caddy/*'")
    assert left == ""
    assert not machine.has("id arena || systemctl cat arena")


def test_blocks_of_the_page_belong_to_known_cases_and_are_posix_shell(tmp_path: Path) -> None:
    there = blocks(PAGE)
    assert {block.case for block in there} == set(CASES)
    assert len([block for block in there if block.runs]) > 15
    for block in there:
        subprocess.run(["sh", "-n"], input=block.text, text=True, check=True)
