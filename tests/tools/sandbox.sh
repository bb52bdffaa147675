# Common to the tests of the shell scripts; sourced with: SOURCE_DIR WORK_DIR.
#
# Makes WORK_DIR/tree, a checkout with our scripts around a program that is itself a script (no compiler:
# a build takes a blink), and WORK_DIR/bin, which stands first in PATH and holds a dpkg-query that
# reports as installed what ESLABON_TEST_INSTALLED says, and an apt-get that fails.
# shellcheck shell=bash disable=SC2034  # what is set here is read by the tests
set -euo pipefail
source_dir=$1
work_dir=$2
tree=$work_dir/tree

rm -rf "$work_dir"
mkdir -p "$tree/models" "$work_dir/bin"
cp -R "$source_dir/run" "$source_dir/test" "$source_dir/tools" "$source_dir/CMakePresets.json" "$tree"
cat >"$tree/packages.txt" <<'END'
# a comment
alpha
beta             # why
gamma   [extra]  # why
END
cat >"$tree/program" <<'END'
#!/bin/sh
[ "$1" = fail ] && exit 7
[ "$1" = partly ] && echo '[  SKIPPED ] Some.Thing (0 ms)'
[ "$1" = snake ] && echo 'OK (skipped=2)'
[ "$1" = reported ] && eval "$(echo "$ASAN_OPTIONS" | tr ':' '\n' | grep '^log_path=')" && echo heap-use-after-free >"$log_path.$$"
pwd -P
printf '<%s>' "$@"
END
chmod +x "$tree/program"
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(made_up LANGUAGES NONE)
enable_testing()
set(program ${CMAKE_BINARY_DIR}/apps/cli/eslabon)
add_custom_command(OUTPUT ${program} DEPENDS program
  COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/program ${program})
add_custom_target(eslabon_cli ALL DEPENDS ${program})
add_test(NAME good COMMAND ${program} good)
add_test(NAME bad COMMAND ${program} fail)
add_test(NAME lame COMMAND ${program} fail)
set_tests_properties(lame PROPERTIES SKIP_RETURN_CODE 7)
add_test(NAME partly COMMAND ${program} partly)
add_test(NAME snake COMMAND ${program} snake)
add_test(NAME reported COMMAND ${program} reported)
add_custom_target(threaded_tests DEPENDS ${program})
add_test(NAME threaded COMMAND ${program} threaded)
set_tests_properties(threaded PROPERTIES LABELS threads)
END

cat >"$work_dir/bin/dpkg-query" <<'END'
#!/bin/sh
for package in $ESLABON_TEST_INSTALLED; do echo "installed $package"; done
exit 1
END
cat >"$work_dir/bin/apt-get" <<'END'
#!/bin/sh
echo "E: apt-get was called with: $*"
exit 100
END
chmod +x "$work_dir/bin/"*
export PATH=$work_dir/bin:$PATH ESLABON_TEST_INSTALLED='alpha beta'
unset ESLABON_OFFLINE

# run_it COMMAND…: sets $out, $err and $status.
run_it() {
  status=0
  "$@" >"$work_dir/out" 2>"$work_dir/err" || status=$?
  out=$(<"$work_dir/out")
  err=$(<"$work_dir/err")
}

# expect NAME ACTUAL PATTERN: fails unless ACTUAL matches the glob PATTERN.
expect() {
  # shellcheck disable=SC2053  # the right side is a pattern on purpose
  if [[ $2 != $3 ]]; then
    printf 'line %s, %s: expected\n  %s\ngot\n  %s\n' "${BASH_LINENO[0]}" "$1" "$3" "$2" >&2
    exit 1
  fi
}
