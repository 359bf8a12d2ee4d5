#!/usr/bin/env bash
# The waits of the Fibonacci sequence of github.com/sethvargo/go-retry 0.5.0, beside the sequence of its description.
# Guess: the sequence of the description, 1s, 1s, 2s, 3s, 5s, 8s.
# Seen:  one of the two first waits is missing, so each later wait is one step longer than described.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"time"

	"github.com/sethvargo/go-retry"
)

func main() {
	waits := retry.NewFibonacci(time.Second)
	for range 6 {
		wait, _ := waits.Next()
		fmt.Print(wait, " ")
	}
	fmt.Println()
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/sethvargo/go-retry@v0.5.0 >/dev/null 2>&1
go run -mod=mod . | sed 's/ $//' | tee seen
diff seen - <<'OUT'
1s 2s 3s 5s 8s 13s
OUT
