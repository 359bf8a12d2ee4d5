#!/usr/bin/env bash
# The waits of github.com/jpillora/backoff 1.1.0 with a minimum of 5 s and of 20 s, and no maximum.
# Guess: no wait is shorter than its minimum.
# Seen:  with 20 s each wait is 10 s, the default of the maximum, which applies before the minimum and without an
#        error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"time"

	"github.com/jpillora/backoff"
)

func main() {
	for _, minimum := range []time.Duration{5 * time.Second, 20 * time.Second} {
		waits := &backoff.Backoff{Min: minimum}
		fmt.Printf("minimum %v: %v, %v, %v\n", minimum, waits.Duration(), waits.Duration(), waits.Duration())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/jpillora/backoff@v1.1.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
minimum 5s: 5s, 10s, 10s
minimum 20s: 10s, 10s, 10s
OUT
