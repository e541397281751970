#!/bin/sh
# Installs what modules in C are compiled with, where that asks nobody anything: Python's headers if there is a compiler, and
# with --compiler that too. Never fails: who compiles says what is missing.
# First argument: the environment that is compiled for; if it does not exist yet, the Python that uv would create it with.
cd "$(dirname "$0")/.." || exit 0
python=$1/bin/python
"$python" -c '' 2>/dev/null || python=$("$(tools/get-uv.sh)" python find --no-python-downloads 2>/dev/null) || exit 0
packages=
if ! command -v cc >/dev/null; then
    [ "$2" = --compiler ] || exit 0
    packages="gcc libc6-dev"
fi
# Only Debian's own Python takes its headers from a package.
headers=$("$python" -c 'import pathlib, sys, sysconfig
if sys.base_prefix == "/usr" and not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists():
    print("libpython%d.%d-dev" % sys.version_info[:2])')
packages="$packages $headers"
[ -n "${packages# }" ] || exit 0
tools/apt-install.sh $packages
exit 0
