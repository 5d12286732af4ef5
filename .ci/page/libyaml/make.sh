#!/bin/sh
# Builds libyaml.wasm: the C library that PyYAML's fast parser stands on, with events.c in front of it, as WebAssembly
# that imports nothing. Only needed for another version of libyaml; the result is committed.
#
# On Debian: apt-get install clang lld wasi-libc libclang-rt-14-dev-wasm32, and libyaml's source (apt-get source libyaml).
# Usage: make.sh FOLDER-OF-LIBYAML
set -eu
here=$(cd "$(dirname "$0")" && pwd)
source=$1
version=$(sed -n 's/.*YAML_VERSION_STRING "\(.*\)".*/\1/p' "$source/CMakeLists.txt" | head -1)
version=${version:-0.2.5}
clang --target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -L/usr/lib/wasm32-wasi \
  -Oz -flto -DNDEBUG -nostartfiles -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all \
  -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 "-DYAML_VERSION_STRING=\"$version\"" \
  -I"$source/include" -I"$source/src" \
  "$here/events.c" "$source/src/api.c" "$source/src/reader.c" "$source/src/scanner.c" "$source/src/parser.c" \
  -o "$here/libyaml.wasm"
