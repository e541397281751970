#!/bin/sh
# Builds a wheel with compiled rules and codec for every Python from 3.11 that uv finds on this machine, into dist/, and
# tries each in an environment with nothing else: a small tournament, and `arena doctor`. Ends with 1 if any fails.
set -eu
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
unset ARENA_CODEC
failed=
built=

try() {  # try PYTHON WHEEL: install it alone, play, and see that all of it is compiled
    "$uv" venv --quiet --clear --python "$1" "$folder/venv" &&
        "$uv" pip install --quiet --python "$folder/venv" "$2" &&
        (cd "$folder" && PATH=$folder/venv/bin:$PATH && rm -f trial.db* &&
            arena tourney --game cambio --rounds 3 --trust-bots --db trial.db >trial.log 2>&1 &&
            arena verify 1 --db trial.db >>trial.log 2>&1 &&
            arena doctor --json >doctor.json &&
            python - <<'PYTHON'
import json
from pathlib import Path

from referee import codec
from referee.build_info import compiled

findings = {finding["name"]: finding for finding in json.loads(Path("doctor.json").read_text())["findings"]}
assert compiled() and findings["rules"]["sentence"].startswith("compiled"), findings["rules"]
assert codec.NATIVE and findings["codec"]["verdict"] == "good", findings["codec"]
left = [path.name for path in Path(codec.__file__).parents[1].rglob("*") if path.suffix in {".c", ".o", ".pyx", ".pxd"}]
assert not left, f"left of the build: {left}"
PYTHON
        ) || { cat "$folder/trial.log" >&2; return 1; }
}

for version in 3.11 3.12 3.13 3.14; do
    if ! python=$("$uv" python find --system --no-python-downloads "$version" 2>/dev/null); then
        echo "SKIPPED: Python $version (not installed here)"
        continue
    fi
    echo "Python $version: $python"
    rm -rf "$folder/dist" "$folder/trial.log"
    if ARENA_COMPILE=all "$uv" build --quiet --wheel --python "$python" --out-dir "$folder/dist" &&
        try "$python" "$(echo "$folder"/dist/*.whl)"; then
        mkdir -p dist
        mv "$folder"/dist/*.whl dist/
        built="$built $version"
    else
        failed="$failed $version"
    fi
done
[ -z "$built" ] || ls -1 dist/*.whl
if [ -n "$failed" ] || [ -z "$built" ]; then
    echo "FAILED on Python${failed:- 3.11 and newer: none is installed}" >&2
    exit 1
fi
