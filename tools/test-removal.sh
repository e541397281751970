#!/bin/sh
# Install arena with all that the tests need, without the packages with features, and run the tests that may notice.
#   test-removal.sh all [PYTEST...]    without all of them, in .venv-removal: the tests of the rooms that ask packages
#   test-removal.sh each [PYTEST...]   without each one, in .venv-removal-each: the quick tests of tests/test_features.py
# What reads sources alone (tests/test_imports.py), and rooms that ask no package, as arena/store, find nothing else here
# than in `make test`. Arguments are passed to pytest.
set -eu
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
export ARENA_COMPILE=codec # the rules are tested as Python interprets them
export UV_COMPILE_BYTECODE=0 # Python compiles what is imported, a small part of what is installed
status=0

without() { # without FEATURE...: install all packages but these
    echo "== without $*"
    # shellcheck disable=SC2046
    UV_PROJECT_ENVIRONMENT=$environment "$uv" sync --frozen --quiet $(printf -- ' --no-install-package botarena-%s' "$@")
    "$environment/bin/python" -c '
import sys
from tests import house, installed
missing = house.PACKAGES.keys() - installed.FEATURES
raise SystemExit(missing != set(sys.argv[1:]) and f"what is missing is {sorted(missing)}")' "$@"
}

test_it() { # test_it TEST...: run these, with the arguments
    "$environment/bin/python" -m pytest -o pythonpath=. "$@" || status=1
}

which=$1
shift
features=$(.venv/bin/python -c "from tests import house; print(*house.PACKAGES)")
case $which in
    all)
        environment=.venv-removal
        # shellcheck disable=SC2086
        without $features
        test_it -n auto --dist worksteal tests/test_features.py tests/cli tests/server tests/league/run "$@"
        ;;
    each)
        environment=.venv-removal-each
        for feature in $features; do
            without "$feature"
            test_it tests/test_features.py "$@"
        done
        ;;
    *)
        echo "say all or each" >&2
        exit 2
        ;;
esac
exit $status
