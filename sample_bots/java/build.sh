#!/bin/sh
# Makes the program target/bot.jar, a library beside it, and
# an archive of classes for quick starts.
set -eu
cd "$(dirname "$0")"
for tool in java javac jar mvn; do
    command -v "$tool" >/dev/null || { echo "java: install the packages default-jdk-headless and maven" >&2; exit 69; }
done
mvn --quiet --batch-mode -DskipTests package
# Netty would unpack it into /tmp at every start, where some sandboxes have no room.
epoll=META-INF/native/libio_grpc_netty_shaded_netty_transport_native_epoll
(cd target && jar -xf bot.jar "${epoll}_x86_64.so" "${epoll}_aarch_64.so" && mv META-INF/native/*.so . && rm -r META-INF)
# The classes of a start, parsed and verified: with them a start takes half the CPU time. A run that finds no referee loads
# most of them. The archive is valid only for a jar of the same date; the files of a submitted bot have this one.
touch -d 1980-02-01T00:00:00Z target/bot.jar
rm -f target/bot.jsa
ARENA_ADDRESS=unix:/nowhere ARENA_TOKEN=none java -XX:+UseSerialGC -Xlog:disable -Djava.library.path=target \
    -XX:ArchiveClassesAtExit=target/bot.jsa -jar target/bot.jar 2>/dev/null || [ -f target/bot.jsa ]
echo "java: built"
