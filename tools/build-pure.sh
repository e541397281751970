#!/bin/sh
# Builds what is published without compiled modules: the sdists of all distributions, and wheels in pure Python of those that
# have such.
#
#   tools/build-pure.sh FOLDER
set -eu
mkdir -p "${1:?the folder for wheels and sdists}"
folder=$(realpath "$1")
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
python=${PYTHON:-$("$uv" python find --system --no-python-downloads '>=3.11')}
export ARENA_COMPILE=none

for package in $("$python" -m tools.workspace) $("$python" -m tools.workspace beside); do
    "$uv" build --quiet --python "$python" --out-dir "$folder" --wheel "packages/$package"
    "$uv" build --quiet --python "$python" --out-dir "$folder" --sdist "packages/$package"
done
"$uv" build --quiet --python "$python" --out-dir "$folder" --sdist .
