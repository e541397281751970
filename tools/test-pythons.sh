#!/bin/sh
# Runs the tests on every Python from 3.11 that uv finds on this machine, each in a .venv-VERSION of its own:
# games must be the same, bit for bit, on all of them. Arguments go to pytest.
set -eu
export ARENA_COMPILE=codec # the rules are tested as Python interprets them
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
failed=
for version in 3.11 3.12 3.13 3.14; do
    if ! python=$("$uv" python find --system --no-python-downloads "$version" 2>/dev/null); then
        echo "SKIPPED: Python $version (not installed here)"
        continue
    fi
    echo "Python $version: $python"
    export UV_PROJECT_ENVIRONMENT=".venv-$version"
    "$uv" sync --frozen --quiet --reinstall-package botarena --reinstall-package botarena-rules --reinstall-package botarena-sdk --python "$python"
    ".venv-$version/bin/pytest" -n auto --dist loadfile --no-loadscope-reorder "$@" || failed="$failed $version"
done
if [ -n "$failed" ]; then
    echo "FAILED on Python$failed" >&2
    exit 1
fi
