#!/bin/sh
# Makes the stubs from the protos (protoc comes from Maven Central), the program target/bot.jar and a library beside it.
set -eu
cd "$(dirname "$0")"
for tool in javac jar mvn; do
    command -v "$tool" >/dev/null || { echo "SKIPPED java: install the packages default-jdk-headless and maven"; exit 0; }
done
mvn --quiet --batch-mode -DskipTests package
# Netty would unpack it into /tmp at every start, where some sandboxes have no room.
epoll=META-INF/native/libio_grpc_netty_shaded_netty_transport_native_epoll
(cd target && jar -xf bot.jar "${epoll}_x86_64.so" "${epoll}_aarch_64.so" && mv META-INF/native/*.so . && rm -r META-INF)
echo "java: built"
