#!/bin/sh
# Builds wheels of all distributions of this tree into dist/, for one Python, to install arena from: make dist. They are not
# tried, and the package index takes only wheels for many systems: tools/build-wheels.sh.
#
# Those of all but botarena are there in pure Python, too, for bots on other systems.
#
# PYTHON=/path/to/python3 chooses the Python.
set -eu
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
unset ARENA_CODEC

python=${PYTHON:-$("$uv" python find --system --no-python-downloads '>=3.11')}
missing=$("$python" -c 'from referee.extensions import missing_tools; print(missing_tools())')
if [ -z "$missing" ]; then
    echo "compiling codec, rules and referee: about a minute ..."
    compile=all
else
    echo "Nothing is compiled, as $missing are missing (Debian: apt-get install gcc libc6-dev python3-dev): matches take longer."
    compile=none
fi

build() {  # build CHOICE ARGUMENTS
    ARENA_COMPILE=$1
    export ARENA_COMPILE
    shift
    "$uv" build --quiet --python "$python" --wheel --out-dir "$folder" "$@"
}

for package in botarena-sdk botarena-rules botarena; do build $compile --package "$package"; done
for package in $("$python" -m tools.workspace compiled); do build $compile --package "$package"; done
for package in $("$python" -m tools.workspace) $("$python" -m tools.workspace beside); do build none "packages/$package"; done

mkdir -p dist
mv "$folder"/*.whl dist/
echo "arena's wheels for $("$python" -V) are in $PWD/dist: pip install --find-links $PWD/dist 'botarena[tui,web,serve,uv]'"
