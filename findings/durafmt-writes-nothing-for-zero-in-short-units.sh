#!/usr/bin/env bash
# Durations in words and in short units, written by github.com/hako/durafmt 0.0.0-20210608085754-5c1018a4e16b.
# Guess: a text for each duration in both forms.
# Seen:  zero is "0 seconds" in words and an empty text in short units. Below a microsecond both texts are empty.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"time"

	"github.com/hako/durafmt"
)

func main() {
	for _, duration := range []time.Duration{90 * time.Second, time.Microsecond, 999 * time.Nanosecond, 0} {
		text := durafmt.Parse(duration)
		fmt.Printf("%s: %q, %q\n", duration, text.String(), text.InternationalString())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/hako/durafmt@v0.0.0-20210608085754-5c1018a4e16b >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
1m30s: "1 minute 30 seconds", "1 m 30 s"
1µs: "1 microsecond", "1 µs"
999ns: "", ""
0s: "0 seconds", ""
OUT
