#!/usr/bin/env bash
# ./run: builds when needed, is silent when not, and passes arguments, folder and exit status through.
set -euo pipefail
# shellcheck source=tests/tools/sandbox.sh
source "$(dirname "${BASH_SOURCE[0]}")/sandbox.sh"
mkdir "$work_dir/elsewhere"
cd "$work_dir/elsewhere"
here=$(pwd -P)

# The first call builds, and says so on stderr only.
run_it ../tree/run
expect status "$status" 0
expect output "$out" "1. *$here"$'\n'"<simulate><*/tree/models/fourbar-testbed.yaml>*<--out><*/tree/build/testbed/truth.csv>*
$here"$'\n'"<sense><*/tree/models/fourbar-testbed.yaml>*<--out><*/tree/build/testbed/readings.csv>*
$here"$'\n'"<estimate><*/tree/models/fourbar-testbed.yaml>*<--filter><dekf,ukf,error-ekf>*<--out><*/tree/build/testbed/estimate.csv>*
$here"$'\n'"<estimate><*/tree/models/fourbar-testbed.yaml>*<--filter><particle><--start><unknown>*<--out><*/tree/build/testbed/found.csv><--report><*/tree/build/testbed/report.html>*
5. *tree/build/testbed/report.html*"
expect message "$err" 'building eslabon_cli (release)*built in * s'

# The second has nothing to add; arguments and the user's folder reach the program.
run_it ../tree/run say 'two words' ''
expect status "$status" 0
expect output "$out" "$here"$'\n''<say><two words><>'
expect message "$err" ''

# The exit status is the program's.
run_it ../tree/run fail
expect status "$status" 7

# A changed source is built again.
echo 'echo changed' >>"$tree/program"
run_it ../tree/run say
expect output "$out" '*changed'
expect message "$err" 'building eslabon_cli*'

# A checkout that was moved still works.
mv "$tree" "$work_dir/moved"
run_it ../moved/run say
expect status "$status" 0
expect output "$out" '*<say>*'
mv "$work_dir/moved" "$tree"

# Through a link, too.
ln -s "$tree" "$work_dir/link"
run_it "$work_dir/link/run" say
expect status "$status" 0

# A build that fails shows why, and where the log is.
echo 'message(FATAL_ERROR "no such thing")' >>"$tree/CMakeLists.txt"
run_it ../tree/run
expect status "$status" 1
expect output "$out" ''
expect message "$err" '*no such thing*failed. Full log: */build/release.log'

# Missing packages stop it before anything is built.
run_it env ESLABON_OFFLINE=1 ESLABON_TEST_INSTALLED= ../tree/run
expect status "$status" 1
expect message "$err" 'missing Debian packages: alpha beta (*'
