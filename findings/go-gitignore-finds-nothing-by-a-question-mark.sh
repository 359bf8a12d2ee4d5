#!/usr/bin/env bash
# Rules with a question mark, read by github.com/sabhiram/go-gitignore (v0.0.0-20210923224102-525f6e181f06) and by git.
# Guess: the same files. A question mark stands for one character.
# Seen:  the package finds no file by such a rule.
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
for rule in 'web-?.yaml' 'web-*.yaml' 'logs?/'; do
  echo "$rule"
  git_ignores "$rule" web-1.yaml web-10.yaml logs1/web.txt
  go run -mod=mod . "$rule" web-1.yaml web-10.yaml logs1/web.txt
done | tee seen
diff seen - <<'OUT'
web-?.yaml
  git:     web-1.yaml
  package:
web-*.yaml
  git:     web-1.yaml web-10.yaml
  package: web-1.yaml web-10.yaml
logs?/
  git:     logs1/web.txt
  package:
OUT
