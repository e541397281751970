#!/bin/sh
# Installs what modules in C are compiled with, Python's headers and a compiler, where that asks nobody anything.
# Never fails: who compiles says what is missing. PYTHON: the interpreter that is compiled for, by default python3.
python=${1:-python3}
packages=
"$python" -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' ||
    packages="$packages $("$python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])')"
command -v cc >/dev/null || packages="$packages gcc libc6-dev"
[ -n "$packages" ] || exit 0
install="apt-get -qq install -y --no-install-recommends $packages"
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    export DEBIAN_FRONTEND=noninteractive
    { $install || { apt-get -qq update && $install; }; } >/dev/null 2>&1 && exit 0
fi
echo "not installed:$packages (as root: apt-get install$packages)" >&2
exit 0
