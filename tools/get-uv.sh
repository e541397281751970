#!/bin/sh
# Prints the path of a uv that can install this project: $UV, one on the PATH, or one installed into
# .venv-uv with whatever this machine has. Only the path goes to standard output.
set -eu
cd "$(dirname "$0")/.."
wanted=0.13.8   # the release that wrote uv.lock
own=.venv-uv
least="0 6"     # older ones do not know groups that exclude each other

recent() {  # recent UV: is it at least 0.6?
    "$1" --version 2>/dev/null | awk -v least="$least" '{
        split($2, have, "."); split(least, need, " ")
        good = have[1] > need[1] || have[1] == need[1] && have[2] >= need[2]
    } END { exit !good }'
}

say() { echo "$*" >&2; }

apt() {  # apt ARGS: apt-get as root, or through a sudo that asks nothing
    if [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >&2
    else
        sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" >&2
    fi
}

for candidate in "${UV:-}" "$(command -v uv || true)" "$own/bin/uv"; do
    if [ -n "$candidate" ] && recent "$candidate"; then
        case $candidate in /*) echo "$candidate" ;; *) echo "$PWD/$candidate" ;; esac
        exit
    fi
done

python=
for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    say "arena needs Python 3.11 or newer, and none was found. Install one, or say which: make PYTHON=/path/to/python3.12"
    exit 1
fi

say "installing uv $wanted into $own ..."
rm -rf "$own"
if "$python" -c 'import ensurepip' 2>/dev/null && "$python" -m venv "$own" >&2; then
    "$own/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$wanted" >&2
elif "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip install --quiet --disable-pip-version-check --target "$own" "uv==$wanted" >&2
elif command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
    say "this Python has neither venv nor pip: installing python3-venv through apt ..."
    apt install -y --no-install-recommends python3-venv ||
        { apt update && apt install -y --no-install-recommends python3-venv; } ||
        { say "apt could not install python3-venv: see above"; exit 1; }
    # Debian's python3-venv serves Debian's python3, whatever else comes first on the PATH.
    /usr/bin/python3 -m venv "$own" >&2
    "$own/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$wanted" >&2
else
    say "$python has neither venv nor pip, and apt cannot be used without a password here."
    say "Install one of them (as root: apt-get install python3-venv), or uv itself, then run make again."
    exit 1
fi
echo "$PWD/$own/bin/uv"
