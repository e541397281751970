"""The programs that build bots in other languages. They are needed only to build such bots on this machine."""

import shutil
from collections.abc import Iterator

from arena.cli.doctor_checks.check_result import CheckResult

LANGUAGES = {
    "go": (("go",), "Go 1.25 or newer from https://go.dev/dl"),
    "rust": (("cargo",), "Rust 1.85 or newer from https://rustup.rs"),
    "typescript": (("node", "npm"), "apt-get install nodejs npm"),
    "c": (("cc",), "apt-get install gcc"),
    "cpp": (("g++", "cmake"), "apt-get install g++ cmake pkg-config libgrpc++-dev libprotobuf-dev"),
    "java": (("javac", "mvn"), "apt-get install default-jdk-headless maven"),
}
"""By language: the programs that build its sample bot, and how to install them."""


def all_languages() -> Iterator[CheckResult]:
    """Check that the programs of each language are installed."""
    for language, (programs, remedy) in LANGUAGES.items():
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            yield CheckResult(
                language, "less", f"{', '.join(missing)} missing: such bots can be played but not built", remedy
            )
        else:
            yield CheckResult(language, "good", f"{', '.join(programs)}: such bots can be built")
