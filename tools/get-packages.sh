#!/bin/sh
# Installs Debian packages for the bots in other languages, and PostgreSQL, a browser, Prometheus and what makes a fresh machine for the tests, where that asks nobody
# anything; says a sentence where not.
# Never fails: `make bots` tells what is missing. Go and Rust are newer than Debian's: see go.dev and rustup.rs.
packages="g++ cmake pkg-config libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc default-jdk-headless maven nodejs npm postgresql chromium fonts-dejavu-core mmdebstrap slirp4netns prometheus shellcheck"
missing=
for package in $packages; do
    dpkg -s "$package" >/dev/null 2>&1 || missing="$missing $package"
done
command -v node >/dev/null && command -v npm >/dev/null && missing=$(echo "$missing" | sed 's/ nodejs//; s/ npm//')
command -v javac >/dev/null && missing=$(echo "$missing" | sed 's/ default-jdk-headless//')
command -v mvn >/dev/null && missing=$(echo "$missing" | sed 's/ maven//')
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 && missing=$(echo "$missing" | sed 's/ postgresql//')
[ -n "$missing" ] || exit 0
"$(dirname "$0")/apt-install.sh" $missing ||
    echo "not installed:$missing (as root: apt-get install$missing)" >&2
exit 0
