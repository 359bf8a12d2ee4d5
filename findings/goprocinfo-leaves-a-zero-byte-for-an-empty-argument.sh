#!/usr/bin/env bash
# The command line of a process with an empty argument, as Linux keeps it, read by github.com/c9s/goprocinfo
# 0.0.0-20210130143923-c95fcf8c64a8. The package returns the arguments with spaces between them.
# Guess: two spaces in place of the empty argument.
# Seen:  one of the two bytes stays zero, so the text holds a byte that no terminal and no JSON reader shows as a space.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/c9s/goprocinfo/linux"
)

func main() {
	for _, path := range os.Args[1:] {
		text, err := linux.ReadProcessCmdline(path)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: %q\n", path, text)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/c9s/goprocinfo@v0.0.0-20210130143923-c95fcf8c64a8 >/dev/null 2>&1
printf '%s\0' web --zone a --port 80 >full
printf '%s\0' web --zone '' --port 80 >empty
go run -mod=mod . full empty | tee seen
diff seen - <<'OUT'
full: "web --zone a --port 80"
empty: "web --zone\x00 --port 80"
OUT
