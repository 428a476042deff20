# What .ci/run and .ci/nightly share; without it, neither runs. `step NAME` begins a step, `report` prints the seconds of each.
started=$SECONDS
mkdir -p .build
TABLE="" NAME="" BEGUN=0 USED=0
step() { # ends the step before, whose times go into the table, and begins another one
  local seconds=$((SECONDS - started)) used
  times > .build/times.txt # of this shell, and of all its children that have ended
  used="$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 100 * (60 * $1 + $2 + 60 * $3 + $4) }' .build/times.txt)"
  if [ -n "$NAME" ]; then TABLE+="$(printf '%6d %8d  %s' $((seconds - BEGUN)) $(((used - USED) / 100)) "$NAME")"$'\n'; fi
  NAME="$*" BEGUN=$seconds USED=$used
  printf '\n== %s (at %d s)\n' "$*" "$seconds"
}
report() { # what runs beside other steps counts where it is waited for
  step "All done"
  printf '\n  wall      CPU  step (in seconds)\n%s' "$TABLE"
}
tests() { # swift test, and the lines that say what failed once more, since thousands may follow them
  local log
  log="$(mktemp)"
  if ! swift test "$@" 2>&1 | tee "$log"; then
    printf '\n== What failed\n'
    grep -aE '✘|: error: |Sanitizer|Fatal error' "$log" | head -n 100
    return 1
  fi
}
finished() { # the number of a process that runs beside the steps, and the file with what it prints
  wait "$1" || { cat "$2" && exit 1; }
  cat "$2"
}
installed() { # a command, and the packages of Debian that have it
  command -v "$1" > /dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${@:2}" > /dev/null; }
}
examples() { # the folder of the programs of Examples, which print what they should
  "$1/kv" tour | diff -u Examples/tour-expected.txt -
  for program in Department FormInspector RuleEngine; do
    "$1/$program" 2> .build/errors.txt | diff -u "Examples/Fixtures/$program.txt" - || { cat .build/errors.txt >&2 && exit 1; }
  done
}
downstream() { # the folder of the programs of Examples/Downstream, which print what they should, and the names of some
  local printed
  for program in ${2:-PriceList Receipts Screen Shelf Till}; do
    printed="$("$1/$program" | tr -s '[:space:]' ' ')"
    diff -u <(grep "^$program: " Examples/Downstream/expected.txt) - <<< "$program: ${printed% }"
  done
}
FAST="-debug-info-format none" # reports name functions, without lines
STRICT="-Xswiftc -warnings-as-errors"
# The packages that use this one do not compile its libraries again; a cached plan would be that of the package before.
SHARED="--scratch-path .build --disable-build-manifest-caching $STRICT"
