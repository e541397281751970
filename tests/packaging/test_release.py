"""What `make release-check` and `make licences` look at."""

import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import licences, release_check
from tools.workspace import beside, members

ROOT = Path(__file__).parents[2]


def test_every_file_that_states_the_version_states_the_same() -> None:
    assert list(release_check.check_versions(ROOT)) == []


def test_a_version_that_was_forgotten_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_check, "stated_versions", lambda root: {"CITATION.cff": "0.0.9"})
    version = release_check.release_version(ROOT)
    assert list(release_check.check_versions(ROOT)) == [f"CITATION.cff states version 0.0.9, pyproject.toml {version}"]


@pytest.mark.parametrize(
    ("heading", "entries", "wrong"),
    [
        ("1.2.0 (2027-01-31)", "- Something.\n", []),
        ("1.2.0 (not released)", "- Something.\n", ["begins with"]),
        ("1.1.0 (2027-01-31)", "- Something.\n", ["begins with"]),
        ("1.2.0 (2027-01-31)", "", ["has no entry for 1.2.0"]),
    ],
)
def test_the_changelog_is_that_of_the_version(tmp_path: Path, heading: str, entries: str, wrong: list[str]) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        f"# Changelog\n\n## {heading}\n\n{entries}\n## 1.0.0 (2026-01-01)\n\n- Old.\n"
    )
    found = list(release_check.check_changelog(tmp_path))
    assert [part in sentence for part, sentence in zip(wrong, found, strict=True)] == [True] * len(wrong)


def test_the_tree_is_committed_and_the_tag_is_free(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    assert list(release_check.check_tree(tmp_path)) == ["1 files are not committed: pyproject.toml"]
    git("add", ".")
    git("commit", "-m", "all")
    assert list(release_check.check_tree(tmp_path)) == []
    git("tag", "v1.2.0")
    assert list(release_check.check_tree(tmp_path)) == ["the tag v1.2.0 exists: choose another version"]


def test_dist_holds_everything_of_the_version(tmp_path: Path) -> None:
    members = '["packages/botarena-sdk", "packages/botarena-webhooks"]'
    (tmp_path / "pyproject.toml").write_text(
        f'[project]\nversion = "1.2.0"\n[tool.uv.workspace]\nmembers = {members}\n'
    )
    (tmp_path / "dist").mkdir()
    assert len(list(release_check.check_wheels(tmp_path))) == 6
    for name in (
        "botarena-1.2.0-cp311-cp311-manylinux_2_17_x86_64.whl", "botarena-1.2.0.tar.gz",
        "botarena_sdk-1.2.0-py3-none-any.whl", "botarena_sdk-1.2.0.tar.gz",
        "botarena_webhooks-1.2.0-py3-none-any.whl", "botarena_webhooks-1.2.0.tar.gz",
    ):  # fmt: skip
        (tmp_path / "dist" / name).touch()
    assert list(release_check.check_wheels(tmp_path)) == []
    (tmp_path / "dist/botarena-1.1.0.tar.gz").touch()
    assert list(release_check.check_wheels(tmp_path)) == [
        "dist holds botarena-1.1.0.tar.gz: remove what is not of 1.2.0"
    ]
    (tmp_path / "dist/botarena-1.1.0.tar.gz").unlink()
    (tmp_path / "dist/botarena-1.2.0-cp311-cp311-linux_x86_64.whl").touch()
    assert list(release_check.check_wheels(tmp_path)) == [
        "dist holds botarena-1.2.0-cp311-cp311-linux_x86_64.whl, which the index refuses (they fit this system alone): "
        "run `make wheels`"
    ]


def test_the_index_says_of_each_distribution_whom_it_is_for_and_where_it_is_from() -> None:
    for project in (ROOT, *(ROOT / folder for folder in [*members(ROOT), *beside(ROOT)])):
        table = tomllib.loads((project / "pyproject.toml").read_text())["project"]
        source = "https://github.com/botarena/botarena"
        assert table["urls"]["Source"] == source, project
        assert table["urls"]["Homepage"] == (
            source if project == ROOT else f"{source}/tree/main/packages/{project.name}"
        )
        stated = set(table["classifiers"])
        assert {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)} <= stated, project
        assert any(each.startswith("Intended Audience :: ") for each in stated), project
        assert not any(each.startswith("License :: ") for each in stated), "`license` says it (PEP 639)"


def test_a_tag_publishes_without_a_password_what_the_scripts_build() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` so
    jobs = workflow["jobs"]
    assert jobs["wheels"]["strategy"]["matrix"]["runner"] == ["ubuntu-24.04", "ubuntu-24.04-arm"]
    commands = " ".join(step.get("run", "") for job in jobs.values() for step in job["steps"])
    scripts = set(re.findall(r"tools/\S+", commands))
    assert scripts == {"tools/build-manylinux.sh", "tools/build-pure.sh"}
    assert all(os.access(ROOT / script, os.X_OK) for script in scripts)
    assert [name for name, job in jobs.items() if job.get("permissions") == {"id-token": "write"}] == ["publish"]
    assert set(jobs["publish"]["needs"]) == jobs.keys() - {"publish"}
    assert "password" not in str(workflow)
    assert "secrets" not in str(workflow)


LOCK: dict[str, Any] = {
    "package": [
        {
            "name": "botarena",
            "version": "1",
            "dependencies": [{"name": "click"}, {"name": "pywin", "marker": "sys_platform == 'win32'"}],
            "optional-dependencies": {"web": [{"name": "server", "extra": ["fast"]}]},
        },
        {"name": "click", "version": "8"},
        {"name": "pywin", "version": "3"},
        {"name": "loop", "version": "2", "dependencies": [{"name": "server"}]},
        {
            "name": "server",
            "version": "5",
            "dependencies": [{"name": "click", "version": "8"}],
            "optional-dependencies": {"fast": [{"name": "loop"}]},
        },
        {"name": "pytest", "version": "9"},
    ]
}


def test_the_packages_of_the_lock_are_those_that_are_installed() -> None:
    found = licences.locked_packages(LOCK)
    assert found == {("click", "8"): {"arena", "web"}, ("server", "5"): {"web"}, ("loop", "2"): {"web"}}
    known = {"click": "BSD-3-Clause", "server": "MIT", "loop": "MIT"}
    page = licences.HEAD + "".join(licences.rows(found, known))
    assert "| click | 8 | BSD-3-Clause | arena |\n" in page
    assert "| loop | 2 | MIT | `web` |\n" in page
    assert licences.listed_licences(page) == known
    with pytest.raises(licences.LicenceError, match="loop 2 states no licence"):
        list(licences.rows(found, {"click": "BSD-3-Clause"}))


def test_the_page_names_what_arena_needs() -> None:
    """That versions and extras are current, `make release-check` sees to."""
    listed = licences.listed_licences((ROOT / "docs/licences.md").read_text())
    assert {"click", "grpcio", "numpy", "protobuf", "scipy", "sqlalchemy", "trio"} < listed.keys()
    assert all(listed.values())
