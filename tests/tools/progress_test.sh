#!/usr/bin/env bash
# tools/progress.bash: how far, how much longer, and silence when it is stopped.
set -euo pipefail
# shellcheck source=tests/tools/sandbox.sh
source "$(dirname "${BASH_SOURCE[0]}")/sandbox.sh"
# shellcheck source=tools/progress.bash
source "$source_dir/tools/progress.bash"

# Too early to tell how long the rest takes.
expect 'first steps' "$(progress_text building 3 354 60)" 'building: 3 of 354'
expect minutes "$(progress_text building 100 300 120)" 'building: 100 of 300, about 4 min left'
expect 'the end' "$(progress_text building 290 300 120)" 'building: 290 of 300, about a minute left'

# Elsewhere than on a terminal lines come every half minute at most, and what is stopped says nothing more.
some() { echo 1 2; }
begin=$SECONDS
start_progress quick some 2>"$work_dir/err"
stop_progress 2>>"$work_dir/err"
expect 'nothing in a blink' "$(<"$work_dir/err")" ''
expect 'no waiting' "$((SECONDS - begin < 10))" 1
expect 'no process left' "$(jobs -r)" ''
