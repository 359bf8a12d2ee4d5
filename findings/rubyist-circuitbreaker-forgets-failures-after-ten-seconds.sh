#!/usr/bin/env bash
# A breaker with a threshold of three failures, by github.com/rubyist/circuitbreaker 2.2.1. Its description says that it
# does not matter how long it takes to reach the threshold.
# Guess: open after the third failure, also where it comes 11 seconds behind the second.
# Seen:  the failures are counted over a window of ten seconds, so the first two are forgotten and the breaker stays
#        closed. Three failures in a row open it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"errors"
	"fmt"
	"time"

	circuit "github.com/rubyist/circuitbreaker"
)

func main() {
	fail := func() error { return errors.New("no answer") }
	for _, pause := range []time.Duration{0, 11 * time.Second} {
		breaker := circuit.NewThresholdBreaker(3)
		for count := 0; count < 3; count++ {
			if count == 2 {
				time.Sleep(pause)
			}
			_ = breaker.Call(fail, 0)
		}
		fmt.Printf("pause %s: failures %d, open %t\n", pause, breaker.Failures(), breaker.Tripped())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/rubyist/circuitbreaker@v2.2.1+incompatible >/dev/null 2>&1
go run -mod=mod . 2>/dev/null | tee seen
diff seen - <<'OUT'
pause 0s: failures 3, open true
pause 11s: failures 1, open false
OUT
