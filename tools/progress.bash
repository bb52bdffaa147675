# How far long work is, told on stderr. For scripts to source; runs nothing itself.
#
#   start_progress WHAT COUNT     COUNT is a function that prints "DONE ALL" (numbers), or nothing while it cannot tell
#   stop_progress                 ends it, and clears the line on a terminal
#
# On a terminal one line that is written over every second; elsewhere a line every half minute.

progress_pid=

start_progress() {
  follow_progress "$1" "$2" $$ &
  progress_pid=$!
}

stop_progress() {
  if [[ -z $progress_pid ]]; then return; fi
  kill "$progress_pid" 2>/dev/null || true
  wait "$progress_pid" 2>/dev/null || true
  progress_pid=
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
}

# progress_text WHAT DONE ALL SECONDS: "building: 120 of 354, 4 min left"
progress_text() {
  local what=$1 done=$2 all=$3 seconds=$4 left=''
  # The first steps tell little of those to come.
  if ((done >= 5 && seconds >= 10)); then
    local rest=$((seconds * (all - done) / done))
    if ((rest >= 90)); then left=", about $(((rest + 30) / 60)) min left"; else left=', about a minute left'; fi
  fi
  echo "$what: $done of $all$left"
}

follow_progress() {
  local what=$1 count=$2 parent=$3 begin=$SECONDS pause=30 shown='' done all
  if [[ -t 2 ]]; then pause=1; fi
  trap 'exit 0' TERM
  while kill -0 "$parent" 2>/dev/null; do
    sleep "$pause" &
    wait $! || true
    read -r done all < <("$count") || continue
    local text
    text=$(progress_text "$what" "$done" "$all" $((SECONDS - begin)))
    if [[ $text == "$shown" ]]; then continue; fi
    shown=$text
    if [[ -t 2 ]]; then printf '\r\033[K%s' "$text" >&2; else echo "$text" >&2; fi
  done
}
