#!/bin/sh
# Builds the sample bots of all languages, or of those that are named: tools/build-bots.sh [go] [rust] ...
# What a language needs and this machine lacks is told in one line; only a build that fails is an error.
set -u
cd "$(dirname "$0")/.."
export PROTOC="$PWD/tools/protoc.sh"
[ $# -gt 0 ] || set -- $(ls sample_bots/*/build.sh | cut -d/ -f2)
failed=
for language in "$@"; do
    if [ ! -x "sample_bots/$language/build.sh" ]; then
        echo "there is no sample bot in $language" >&2
        exit 2
    fi
    "sample_bots/$language/build.sh"
    case $? in
        0) ;;
        69) echo "SKIPPED: the bot in $language" ;;  # sysexits.h: unavailable, here what it is built with
        *) failed="$failed $language" ;;
    esac
done
if [ -n "$failed" ]; then
    echo "FAILED:$failed" >&2
    exit 1
fi
