#!/usr/bin/env bash
# Runs $RUNNERLINT once for each place where its findings are shown. The exit status goes to the outputs; the step
# itself succeeds, so that what comes after it still runs. Bash 3.2 must do: macOS has no newer one.
set -euo pipefail

given=()
while IFS= read -r line; do if [ -n "$line" ]; then given+=("$line"); fi; done <<<"$OPTIONS"
given+=(--)
while IFS= read -r line; do if [ -n "$line" ]; then given+=("$line"); fi; done <<<"$PATHS"

log=$RUNNER_TEMP/runnerlint.log
sarif=$RUNNER_TEMP/runnerlint.sarif
summary=$RUNNER_TEMP/runnerlint.md
rm -f "$log" "$sarif" "$summary"

show() {
  local format=$1 file=$2
  "$RUNNERLINT" check --exit-zero --quiet --output-format "$format" --output-file "$file" "${given[@]}"
}

# Lines of the checked files are shown, and must not speak to the runner.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
status=0
echo "::stop-commands::$token"
"$RUNNERLINT" check --fail-on "$FAIL_ON" --color always "${given[@]}" || status=$?
echo "::$token::"
echo "exit-code=$status" >>"$GITHUB_OUTPUT"
if [ "$status" -gt 1 ]; then
  exit 0
fi

show concise "$log"
echo "findings=$(grep -c . "$log" || true)" >>"$GITHUB_OUTPUT"

show sarif "$sarif"
echo "sarif-file=$sarif" >>"$GITHUB_OUTPUT"

if [ "$ANNOTATIONS" = true ]; then
  "$RUNNERLINT" check --exit-zero --quiet --output-format github "${given[@]}"
fi
if [ "$SUMMARY" = true ]; then
  show markdown "$summary"
  cat "$summary" >>"$GITHUB_STEP_SUMMARY"
fi
