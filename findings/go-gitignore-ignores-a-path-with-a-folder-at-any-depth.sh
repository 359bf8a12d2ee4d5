#!/usr/bin/env bash
# A rule with a slash in its middle, read by github.com/sabhiram/go-gitignore
# (v0.0.0-20210923224102-525f6e181f06) and by git.
# Guess: the same files. Such a rule counts from the folder of the file with the rules.
# Seen:  the package ignores the same path in every other folder as well, so the charts of a team are left out.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	ignore "github.com/sabhiram/go-gitignore"
)

func main() {
	rules := ignore.CompileIgnoreLines(os.Args[1])
	fmt.Print("  package:")
	for _, path := range os.Args[2:] {
		if rules.MatchesPath(path) {
			fmt.Print(" ", path)
		}
	}
	fmt.Println()
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/sabhiram/go-gitignore@v0.0.0-20210923224102-525f6e181f06 >/dev/null 2>&1
git init -q repository
git_ignores() {
  echo "$1" >repository/.gitignore
  echo "  git:     $(git -C repository check-ignore --no-index "${@:2}" | tr '
' ' ' | sed 's/ $//')"
}
for rule in charts/tmp 'charts/**/tmp' /charts/tmp; do
  echo "$rule"
  git_ignores "$rule" charts/tmp team/charts/tmp
  go run -mod=mod . "$rule" charts/tmp team/charts/tmp
done | tee seen
diff seen - <<'OUT'
charts/tmp
  git:     charts/tmp
  package: charts/tmp team/charts/tmp
charts/**/tmp
  git:     charts/tmp
  package: charts/tmp team/charts/tmp
/charts/tmp
  git:     charts/tmp
  package: charts/tmp
OUT
