#!/usr/bin/env bash
# Puts in place the servers that `cargo test` runs against: those of Debian
# or Ubuntu that are missing, then the Python and Node ones and the SDK of MCP
# at the versions pinned beside this script, under target/live. Debian's versions are those of
# its release. No service is started now; packages enable theirs for the next
# boot. A server that is not there fails its test, which names it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
live=${CARGO_TARGET_DIR:-$here/../../target}/live
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
# The system's own, which every user may run, before one of this user's.
python=/usr/bin/python3
[ -x "$python" ] || python=python3
has_venv() { "$python" -c 'import ensurepip, venv' 2> /dev/null; }

# command: the package it is in
missing=()
while read -r command package; do
    command -v "$command" > /dev/null || missing+=("$package")
done <<'LIST'
nginx nginx-light
apache2 apache2
haproxy haproxy
caddy caddy
lighttpd lighttpd
varnishd varnish
python3 python3
node nodejs
npm npm
LIST
has_venv || missing+=(python3-venv)

as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)

# While it says 101, packages do not start their services.
policy=/usr/sbin/policy-rc.d
install_packages() {
    if [ ! -e "$policy" ]; then
        trap '"${as_root[@]}" rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" > /dev/null
        "${as_root[@]}" chmod +x "$policy"
    fi
    "${as_root[@]}" apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qy --no-install-recommends "$@"
}

if [ "${#missing[@]}" -gt 0 ]; then
    if [ "$(id -u)" != 0 ] && ! command -v sudo > /dev/null; then
        echo "install: not root and no sudo: left out ${missing[*]}" >&2
    elif ! command -v apt-get > /dev/null; then
        echo "install: no apt-get: left out ${missing[*]}" >&2
    else
        install_packages "${missing[@]}" ||
            echo "install: apt-get failed: left out ${missing[*]}" >&2
    fi
fi

# An environment's name, its requirements, what they are.
install_python() {
    [ -x "$live/$1/bin/pip" ] || "$python" -m venv "$live/$1"
    "$live/$1/bin/pip" install -q --disable-pip-version-check \
        -r "$here/python/$2" ||
        echo "install: pip failed: left out $3" >&2
}

mkdir -p "$live/node"
if has_venv; then
    install_python venv requirements.txt "the Python servers"
    install_python mcp requirements-mcp.txt "the SDK of MCP"
fi
if command -v npm > /dev/null; then
    cp "$here/node/package.json" "$here/node/package-lock.json" "$live/node/"
    npm ci --prefix "$live/node" --ignore-scripts --no-audit --no-fund \
        --loglevel=error ||
        echo "install: npm failed: left out the Node servers" >&2
fi
