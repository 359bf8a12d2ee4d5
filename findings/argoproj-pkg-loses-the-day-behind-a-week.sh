#!/usr/bin/env bash
# Ages as Argo shows them, written by the package humanize of github.com/argoproj/pkg 0.13.6.
# Guess: the two largest parts of each age.
# Seen:  behind days stand the hours, but behind weeks and years stand the hours too, without the days between. Eight
#        days are "1 week 0 hours", and 400 days are "1 year 0 hours".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"time"

	"github.com/argoproj/pkg/humanize"
)

func main() {
	day := 24 * time.Hour
	for _, age := range []time.Duration{90 * time.Minute, 36 * time.Hour, 6 * day, 8 * day, 13*day + 5*time.Hour, 400 * day} {
		fmt.Printf("%s: %s\n", age, humanize.Duration(age))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/argoproj/pkg@v0.13.6 github.com/argoproj/pkg/humanize@v0.13.6 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
1h30m0s: 1 hour 30 minutes
36h0m0s: 1 day 12 hours
144h0m0s: 6 days 0 hours
192h0m0s: 1 week 0 hours
317h0m0s: 1 week 5 hours
9600h0m0s: 1 year 0 hours
OUT
