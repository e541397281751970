#!/bin/sh
# Builds the wheels with compiled modules for the package index: for Python 3.11 to 3.13 and the kind of processor of this
# machine, in the images that manylinux prescribes, by cibuildwheel, and tries each there. Needs Docker.
#
#   tools/build-manylinux.sh FOLDER
set -eu
folder=$(realpath "${1:?the folder for the wheels}")
cd "$(dirname "$0")/.."
uv=$(tools/get-uv.sh)

build() {  # build PACKAGE TRIAL
    CIBW_TEST_COMMAND=$2 "$uv" tool run 'cibuildwheel>=4.3.5,<5' --platform linux --output-dir "$folder" "$1"
}

export CIBW_BUILD="cp311-manylinux_* cp312-manylinux_* cp313-manylinux_*"
export CIBW_ENVIRONMENT="ARENA_COMPILE=all PIP_FIND_LINKS=/output"  # the folder in the image: the wheels built before
build packages/botarena-sdk 'python -c "from arena.sdk import message_codec; assert message_codec.NATIVE"'
build packages/botarena-rules "python -c \"from referee.engine import game; assert game.__file__.endswith('.so')\""
build . "arena games && arena doctor"
build packages/botarena-envs 'python -c "from arena.envs.compiled import native; assert native"'
