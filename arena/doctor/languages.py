"""What the bots of other languages are built with. Nobody needs them but those who build such bots here."""

import shutil
from collections.abc import Iterator

from arena.doctor.check_result import Finding

LANGUAGES = {
    "go": (("go",), "Go 1.24 or newer from https://go.dev/dl"),
    "rust": (("cargo", "protoc"), "Rust from https://rustup.rs, and apt-get install protobuf-compiler"),
    "typescript": (("node", "npm"), "apt-get install nodejs npm"),
    "c": (("cc",), "apt-get install gcc"),
    "cpp": (
        ("g++", "cmake", "grpc_cpp_plugin"),
        "apt-get install g++ cmake pkg-config libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc",
    ),
    "java": (("javac", "mvn"), "apt-get install default-jdk-headless maven"),
}
"""Language to the programs that build its sample bot, and where they are found."""


def all_languages() -> Iterator[Finding]:
    """Look for the programs of each language."""
    for language, (programs, mend) in LANGUAGES.items():
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            yield Finding(language, "less", f"no {', '.join(missing)}: such bots can be played, not built", mend)
        else:
            yield Finding(language, "good", f"{', '.join(programs)}: such bots can be built")
