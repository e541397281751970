#!/bin/sh
# Installs what modules in C are compiled with, Python's headers and a compiler, where that asks nobody anything.
# Never fails: who compiles says what is missing. First argument: the interpreter that is compiled for, by default python3.
python=${1:-python3}
packages=
"$python" -c 'import pathlib, sys, sysconfig; sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())' ||
    packages="$packages $("$python" -c 'import sys; print("python%d.%d-dev" % sys.version_info[:2])')"
command -v cc >/dev/null || packages="$packages gcc libc6-dev"
[ -n "$packages" ] || exit 0
"$(dirname "$0")/apt-install.sh" $packages ||
    echo "not installed:$packages (as root: apt-get install$packages)" >&2
exit 0
