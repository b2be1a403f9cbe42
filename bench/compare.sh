#!/usr/bin/env bash
# Runs caulk, SPIN and rumur side by side on the same system and prints a table
# in Markdown; README.md says what it means, -h what can be set.
#
#   bench/compare.sh [-managers 9] [-rumur-managers 8] [-rounds 3] [-tools caulk,spin,rumur]
#
# INSTALL=1 first installs the Debian packages it needs; that takes root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [ "${INSTALL:-}" = 1 ]; then
	[ "$(id -u)" -eq 0 ] || { echo "INSTALL=1 installs packages: run it as root" >&2; exit 2; }
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev spin rumur >&2
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# -buildvcs=auto, so that the table can name the commit whatever GOFLAGS says.
go build -buildvcs=auto -o "$work" ../cmd/caulk ./compare
"$work/compare" "$work" "$@"
