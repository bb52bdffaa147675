#!/usr/bin/env bash
# tools/install-packages: silent when nothing is missing; one sentence that says what is missing otherwise.
set -euo pipefail
# shellcheck source=tests/tools/sandbox.sh
source "$(dirname "${BASH_SOURCE[0]}")/sandbox.sh"
install=$tree/tools/install-packages

# Nothing missing: nothing printed, apt-get not called (it would fail).
run_it "$install"
expect status "$status" 0
expect output "$out$err" ''

# A tag asks for its own packages only.
run_it env ESLABON_OFFLINE=1 "$install" extra
expect status "$status" 1
expect message "$err" 'missing Debian packages: gamma (*ESLABON_OFFLINE*). Run: apt-get install --no-install-recommends gamma'

# Several tags.
run_it env ESLABON_OFFLINE=1 ESLABON_TEST_INSTALLED=alpha "$install" build extra
expect status "$status" 1
expect message "$err" 'missing Debian packages: beta gamma (*'

# A tag that no package has.
run_it "$install" nonsense
expect status "$status" 2
expect message "$err" '*\[nonsense\]*'

# A package of which the command is there already, from wherever, is not asked for.
printf 'delta|sh  [command]\nepsilon|no-such-command  [command]\n' >>"$tree/packages.txt"
run_it env ESLABON_OFFLINE=1 "$install" command
expect status "$status" 1
expect message "$err" 'missing Debian packages: epsilon (*'

# No network: the packages are named, and the log.
printf '#!/bin/sh\necho 0\n' >"$work_dir/bin/id"
chmod +x "$work_dir/bin/id"
run_it env ESLABON_TEST_INSTALLED= "$install"
expect status "$status" 1
expect message "$err" '*missing Debian packages: alpha beta (apt-get failed*install-packages.log). Run: apt-get install*alpha beta'

# Neither root nor sudo: a PATH with nothing but what the script needs.
printf '#!/bin/sh\necho 1000\n' >"$work_dir/bin/id"
rm "$work_dir/bin/apt-get"
for tool in bash sh dirname sed; do ln -s "$(command -v "$tool")" "$work_dir/bin/$tool"; done
run_it env PATH="$work_dir/bin" ESLABON_TEST_INSTALLED= "$install"
expect status "$status" 1
expect message "$err" 'missing Debian packages: alpha beta (*no sudo). Run as root: apt-get install --no-install-recommends alpha beta'
