#!/bin/sh
# Makes the module in build/libraries/go: the conversation of sample_bots/go as a package, and the stubs. Then its tests,
# and an archive in the layout of a module proxy.
set -eu
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
version=0.1.0
module=github.com/botarena/botarena-sdk-go
target=$root/build/libraries/go/module
command -v go >/dev/null || { echo "go: install the package golang-go (1.25 or newer)" >&2; exit 69; }
export GOFLAGS=-mod=mod GOTOOLCHAIN=local
rm -rf "$root/build/libraries/go"
mkdir -p "$target/testdata"
for file in referee.go model.go referee_test.go model_test.go vectors_test.go; do
    sed -e 's/^package main$/package botarena/' -e "s#example.com/bot/v1#$module/v1#" -e 's#\.\./\.\./protos/vectors#testdata#' \
        "$root/sample_bots/go/$file" >"$target/$file"
done
sed -i '1s#^#// Package botarena plays for a bot: it talks with the referee of arena.\n#' "$target/referee.go"
cp -r "$root/sample_bots/go/v1" "$target"
cp "$root/protos/vectors/vectors.json" "$target/testdata"
cp go.mod README.md LICENSE "$root/sample_bots/go/go.sum" "$target"
cd "$target"
go mod tidy
go vet ./...
go test ./...
proxy=$root/build/libraries/go/proxy/$module/@v
mkdir -p "$proxy"
cp go.mod "$proxy/v$version.mod"
echo "{\"Version\": \"v$version\"}" >"$proxy/v$version.info"
echo "v$version" >"$proxy/list"
python3 - "$target" "$module@v$version" "$proxy/v$version.zip" <<'PYTHON'
import sys
import zipfile
from pathlib import Path

folder, prefix, archive = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            file.write(path, f"{prefix}/{path.relative_to(folder)}")
PYTHON
echo "go: build/libraries/go"
