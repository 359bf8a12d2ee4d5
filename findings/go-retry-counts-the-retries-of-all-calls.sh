#!/usr/bin/env bash
# Two calls that always fail, repeated one behind the other by github.com/sethvargo/go-retry 0.5.0 with one limit of
# two retries.
# Guess: three attempts for each call.
# Seen:  three for the first call and one for the second. The limit counts the retries of all calls that use it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sethvargo/go-retry"
)

func main() {
	limit := retry.WithMaxRetries(2, retry.NewConstant(time.Millisecond))
	for call := 1; call <= 2; call++ {
		attempts := 0
		_ = retry.Do(context.Background(), limit, func(context.Context) error {
			attempts++
			return retry.RetryableError(errors.New("no route"))
		})
		fmt.Printf("call %d: %d attempts\n", call, attempts)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/sethvargo/go-retry@v0.5.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
call 1: 3 attempts
call 2: 1 attempts
OUT
