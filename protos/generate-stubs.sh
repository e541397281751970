#!/bin/sh
# Makes the stubs of the sample bots, which are shipped with them so that a build needs no protoc, from protos/: for all
# languages, or those that are named. `generate-stubs.sh --check` fails where the stubs in the tree are not current.
# What a language needs and this machine lacks is told in one line.
set -eu
cd "$(dirname "$0")/.."
check=
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
[ $# -gt 0 ] || set -- go typescript java cpp
tools=$PWD/build/stub-tools
files=$(cd protos && ls referee/v1/*.proto | grep -v -e archive -e work)  # those two are not for bots
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

skip() {
    echo "SKIPPED: the stubs in $language ($1)"
}

compile() {  # protoc, in the version of pyproject.toml
    .venv-protos/bin/python -m grpc_tools.protoc -I protos "$@"
}

stubs_go() {
    target=sample_bots/go/v1
    command -v go >/dev/null || { skip "Go is not installed"; return 69; }
    for plugin in google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.12 google.golang.org/grpc/cmd/protoc-gen-go-grpc@v1.6.2; do
        GOBIN=$tools go install "$plugin" || { skip "$plugin could not be installed"; return 69; }
    done
    set --
    for file in $files; do
        set -- "$@" "--go_opt=M$file=example.com/bot/v1" "--go-grpc_opt=M$file=example.com/bot/v1"
    done
    # shellcheck disable=SC2086
    compile --plugin="protoc-gen-go=$tools/protoc-gen-go" --go_out="$made" --go_opt=module=example.com/bot/v1 \
        --plugin="protoc-gen-go-grpc=$tools/protoc-gen-go-grpc" --go-grpc_out="$made" \
        --go-grpc_opt=module=example.com/bot/v1 "$@" $files
}

stubs_typescript() {
    target=sample_bots/typescript/src/v1
    command -v npm >/dev/null || { skip "npm is not installed"; return 69; }
    plugin=@bufbuild/protoc-gen-es@2.13.0
    npm install --silent --no-fund --no-audit --prefix "$tools" $plugin || { skip "$plugin could not be installed"; return 69; }
    # shellcheck disable=SC2086
    compile --plugin="protoc-gen-es=$tools/node_modules/.bin/protoc-gen-es" --es_out="$made" \
        --es_opt=target=ts,import_extension=ts $files
    mv "$made"/referee/v1/* "$made"
    rm -r "$made/referee"
}

stubs_java() {  # with the protoc from Maven Central that belongs to the library
    target=sample_bots/java/src/main/java/referee/v1
    command -v mvn >/dev/null || { skip "Maven is not installed"; return 69; }
    version() { sed -n "s#.*<$1.version>\(.*\)</.*#\1#p" sample_bots/java/pom.xml; }
    mvn --quiet --batch-mode -f protos/java-stubs.xml generate-sources -Dprotobuf.version="$(version protobuf)" \
        -Dgrpc.version="$(version grpc)" -Dstubs="$tools/java" || { skip "Maven could not make them"; return 69; }
    cp "$tools"/java/*/referee/v1/*.java "$made"
}

stubs_cpp() {  # of protobuf 3.21, which distributions have
    target=sample_bots/cpp/referee/v1
    [ "$(protoc --version 2>/dev/null | cut -d. -f1,2)" = "libprotoc 3.21" ] || { skip "protoc is not 3.21"; return 69; }
    plugin=$(command -v grpc_cpp_plugin) || { skip "protobuf-compiler-grpc is not installed"; return 69; }
    # shellcheck disable=SC2086
    (cd protos && protoc -I . --cpp_out="$made" $files && protoc -I . --grpc_out="$made" --plugin="protoc-gen-grpc=$plugin" \
        referee/v1/play.proto) || return 1
    mv "$made"/referee/v1/* "$made"
    rm -r "$made/referee"
}

for language in "$@"; do
    rm -rf "${made:?}"/*
    "stubs_$language" && code=0 || code=$?
    case $code in
        0) ;;
        69) continue ;;  # sysexits.h: unavailable
        *) echo "the stubs in $language could not be made" >&2; exit 1 ;;
    esac
    if [ -n "$check" ]; then
        diff -r "$made" "$target" || { echo "stubs are not current: run 'make protos'" >&2; exit 1; }
    else
        rm -rf "$target"
        mkdir -p "$target"
        cp -r "$made"/. "$target"
    fi
done
