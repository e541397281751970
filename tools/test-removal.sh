#!/bin/sh
# Install arena with all that the tests need into .venv-removal, without the packages with features, and run the tests
# that may notice: first without all of them, then without each one, where only the quick tests of tests/test_features.py
# can notice more. Arguments are passed to pytest.
set -eu
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
python=.venv-removal/bin/python
status=0

without() {  # without FEATURE...: install all packages but these
    echo "== without $*"
    # shellcheck disable=SC2046
    UV_PROJECT_ENVIRONMENT=.venv-removal "$uv" sync --frozen --quiet $(printf -- ' --no-install-package botarena-%s' "$@")
    "$python" -c '
import sys
from tests import house, installed
missing = house.PACKAGES.keys() - installed.FEATURES
raise SystemExit(missing != set(sys.argv[1:]) and f"what is missing is {sorted(missing)}")' "$@"
}

test_it() {  # test_it TEST...: run these, with the arguments; what reads each source alone finds nothing else here
    "$python" -m pytest -o pythonpath=. --deselect tests/test_imports.py::test_a_module_imports_only_what_its_room_may \
        "$@" || status=1
}

features=$(.venv/bin/python -c "from tests import house; print(*house.PACKAGES)")
# shellcheck disable=SC2086
without $features
test_it -n auto --dist worksteal tests/test_features.py tests/test_imports.py tests/cli tests/server \
    tests/store tests/league "$@"
for feature in $features; do
    without "$feature"
    test_it tests/test_features.py tests/test_imports.py "$@"
done
exit $status
