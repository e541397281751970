#!/bin/sh
# Install arena and the packages in packages/ into .venv-packages, as users do, and run the tests of each package.
# Arguments are passed to pytest.
set -eu
cd "$(dirname "$0")/.."
export UV_COMPILE_BYTECODE=0 # Python compiles what is imported, a small part of what is installed
uv=$(tools/get-uv.sh)
python=.venv-packages/bin/python
lock=build/packages-lock.txt
mkdir -p build
"$uv" export --frozen --quiet --no-hashes --no-emit-workspace --no-group browser --no-group protos >"$lock"
[ -x "$python" ] || "$uv" venv --quiet .venv-packages
packages=$(ls -d packages/*/pyproject.toml | xargs -n 1 dirname)
again=$(for package in $packages; do printf ' --reinstall-package %s' "$(basename "$package")"; done)
folders=$(for package in $packages; do printf ' ./%s' "$package"; done)
# shellcheck disable=SC2086
"$uv" pip install --quiet --no-sources --python "$python" --constraints "$lock" --reinstall-package botarena $again \
    . $folders pytest pytest-timeout hypothesis
status=0
for package in $packages; do
    [ -d "$package/tests" ] || continue
    ! sed -n '/^testpaths = /,/^]/p' pyproject.toml | grep -q "\"$package/tests\"" || continue # `make test` runs its tests
    echo "== $(basename "$package")"
    (cd "$package" && "../../$python" -m pytest -q -p no:cacheprovider "$@") || status=1
done
exit $status
