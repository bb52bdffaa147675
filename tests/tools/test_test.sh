#!/usr/bin/env bash
# ./test: CTest's closing lines always, passing tests never, failing tests with their name; its exit status.
set -euo pipefail
# shellcheck source=tests/tools/sandbox.sh
source "$(dirname "${BASH_SOURCE[0]}")/sandbox.sh"

run_it "$tree/test" -R good
expect status "$status" 0
expect output "$out" '*100% tests passed, 0 tests failed out of 1*Total Test time*'
expect 'silence about what passes' "${out/Passed/}" "$out"
expect message "$err" '*release: build * s, tests * s'

run_it "$tree/test"
expect status "$status" 8
expect output "$out" '*bad*Failed*86% tests passed, 1 tests failed out of 7*The following tests FAILED:*bad*'

run_it "$tree/test" -R nonsense
expect status "$status" 8
expect output "$out" '*No tests were found*'

run_it "$tree/test" -R good --debug
expect status "$status" 0
expect message "$err" '*debug: build * s, tests * s'

# A report of a sanitizer is a failure, though the test passed.
run_it "$tree/test" --asan -R good
expect status "$status" 0
run_it "$tree/test" --asan -R reported
expect status "$status" 1
expect output "$out" '*100% tests passed*'
expect message "$err" '*heap-use-after-free*sanitizer reports: 1, kept in *asan+ubsan-reports*'

# With the sanitizer of threads, the tests of threads only.
run_it "$tree/test" --tsan
expect status "$status" 0
expect output "$out" '*100% tests passed, 0 tests failed out of 1*'
expect message "$err" '*building threaded_tests (tsan)*tsan: build * s, tests * s'

# A test that could not run is a failure, unless it is allowed.
run_it "$tree/test" -R 'good|lame'
expect status "$status" 1
expect output "$out" '*lame*Skipped*'
expect message "$err" '*tests that could not run: lame. *--allow-skipped*'

run_it "$tree/test" -R 'good|partly|snake'
expect status "$status" 1
expect message "$err" '*tests that could not run: Some.Thing, some of snake. *--allow-skipped*'

run_it "$tree/test" --allow-skipped -R 'good|lame|partly|snake'
expect status "$status" 0
expect 'no complaint' "${err/could not run/}" "$err"
