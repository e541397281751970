#!/bin/sh
# Makes the Python stubs in referee/v1 from protos/, with the oldest supported grpcio-tools so that
# they run on every newer runtime. `generate.sh --check` fails where the stubs in the tree are not current.
set -eu
cd "$(dirname "$0")/.."
uv=${UV:-uv}
out=.
if [ "${1:-}" = --check ]; then
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
fi
UV_PROJECT_ENVIRONMENT=.venv-protos "$uv" run --quiet --frozen --only-group protos --no-default-groups \
    python -m grpc_tools.protoc -I protos --python_out="$out" --mypy_out="quiet:$out" \
    protos/referee/v1/*.proto
if [ "$out" != . ]; then
    for made in "$out"/referee/v1/*; do
        cmp "$made" "referee/v1/$(basename "$made")" || { echo "stubs are not current: run 'make protos'" >&2; exit 1; }
    done
fi
