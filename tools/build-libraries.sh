#!/bin/sh
# Builds the libraries for bots in other languages into build/libraries: all, or those that are named.
# What a language needs and this machine lacks is told in one line; only a build that fails is an error.
set -u
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- go rust typescript java
failed=
for language in "$@"; do
    "packages/botarena-sdk-$language/build.sh"
    case $? in
        0) ;;
        69) echo "SKIPPED: the library in $language" ;;
        *) failed="$failed $language" ;;
    esac
done
if [ -n "$failed" ]; then
    echo "FAILED:$failed" >&2
    exit 1
fi
