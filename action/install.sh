#!/usr/bin/env bash
# Puts the runnerlint of a release under $RUNNER_TEMP, or builds the one of this revision where that is wanted or where
# the machine has none. A download that is not what its checksum says ends the job. Bash 3.2 must do: macOS has no newer one.
set -euo pipefail

releases=https://github.com/runnerlint/runnerlint/releases/download

own=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml" | head -n 1)
version=${VERSION:-$own}
version=${version#v}
source=
if [ "$version" = source ]; then
  version=$own
  source=true
fi
if ! [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
  echo "::error::'version' is a release such as $own, or 'source'"
  exit 2
fi

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) target=x86_64-unknown-linux-musl ;;
  Linux-ARM64) target=aarch64-unknown-linux-musl ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  Windows-ARM64) target=aarch64-pc-windows-msvc ;;
  *) target= ;;
esac
case "$RUNNER_OS" in
  Windows) program=runnerlint.exe ;;
  *) program=runnerlint ;;
esac

# Names without a folder from here on: a drive's colon means a host to some programs.
mkdir -p "$RUNNER_TEMP/runnerlint"
cd "$RUNNER_TEMP/runnerlint"

fetch() {
  curl --silent --show-error --fail --location --proto '=https' --tlsv1.2 --retry 3 --max-time 120 --output "$1" \
    "$releases/v$version/$1"
}

checksum() {
  if command -v sha256sum >/dev/null; then sha256sum --check --status "$1"; else shasum -a 256 --check --status "$1"; fi
}

archive=runnerlint-$target.tar.gz
if [ -z "$source" ] && [ -n "$target" ] && fetch "$archive.sha256" && fetch "$archive"; then
  if ! checksum "$archive.sha256"; then
    echo "::error::the checksum of $archive does not fit"
    exit 2
  fi
  tar -xzf "$archive" "$program"
  binary=$PWD/$program
elif [ "$version" = "$own" ]; then
  [ -n "$source" ] || echo "There is no release $version for $RUNNER_OS $RUNNER_ARCH"
  echo "Building this revision"
  if ! command -v cargo >/dev/null; then
    echo "::error::building runnerlint needs Rust"
    exit 2
  fi
  cargo install --quiet --locked --path "$GITHUB_ACTION_PATH" --root .
  binary=$PWD/bin/$program
else
  echo "::error::there is no release $version for $RUNNER_OS $RUNNER_ARCH"
  exit 2
fi

"$binary" --version
echo "binary=$binary" >>"$GITHUB_OUTPUT"
