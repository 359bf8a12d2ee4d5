#!/usr/bin/env bash
# Names of files by patterns with an ending that may be absent (github.com/bmatcuk/doublestar/v4 4.10.4, and for
# comparison github.com/gobwas/glob 1.1.0 and bash).
# Guess: the same names. The description says that an alternative may be empty.
# Seen:  doublestar does not find `web` by `web*{,.yaml}`, without an error, though it finds `web-1` by it, and `web`
#        by `*{,.yaml}` and `web{,.yaml}`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/gobwas/glob"
)

func main() {
	pattern := os.Args[1]
	var found, other []string
	for _, name := range os.Args[2:] {
		matched, err := doublestar.Match(pattern, name)
		if err != nil {
			panic(err)
		}
		if matched {
			found = append(found, name)
		}
		if glob.MustCompile(pattern, '/').Match(name) {
			other = append(other, name)
		}
	}
	fmt.Println("  doublestar:", found)
	fmt.Println("  glob:      ", other)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/bmatcuk/doublestar/v4@v4.10.4 github.com/gobwas/glob@v1.1.0 >/dev/null 2>&1
names=(web web-1 web.yaml)
mkdir files
touch "${names[@]/#/files/}"
for pattern in 'web*{,.yaml}' '*{,.yaml}' 'web{,.yaml}'; do
  echo "$pattern"
  go run -mod=mod . "$pattern" "${names[@]}"
  echo "  bash:       [$(cd files && eval "echo $pattern" | tr ' ' '\n' | sort -u | tr '\n' ' ' | sed 's/ $//')]"
done | tee seen
diff seen - <<'OUT'
web*{,.yaml}
  doublestar: [web-1 web.yaml]
  glob:       [web web-1 web.yaml]
  bash:       [web web-1 web.yaml]
*{,.yaml}
  doublestar: [web web-1 web.yaml]
  glob:       [web web-1 web.yaml]
  bash:       [web web-1 web.yaml]
web{,.yaml}
  doublestar: [web web.yaml]
  glob:       [web web.yaml]
  bash:       [web web.yaml]
OUT
