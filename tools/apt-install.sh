#!/bin/sh
# Installs the Debian packages that are named, where that asks nobody anything: there is apt, and we are root. Fails quietly
# where not; who calls it says what is missing.
command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || exit 1
export DEBIAN_FRONTEND=noninteractive
install="apt-get -qq -o DPkg::Lock::Timeout=600 install -y --no-install-recommends $*"
{ $install || { apt-get -qq update && $install; }; } >/dev/null 2>&1
