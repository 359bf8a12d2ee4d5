#!/usr/bin/env bash
# Durations of ISO 8601, read by github.com/channelmeter/iso8601duration 8da3af7a2a61 and by
# github.com/sosodev/duration 1.4.0.
# Guess: the same durations, or an error.
# Seen:  channelmeter/iso8601duration reads each part with a fraction as zero, without an error, and keeps the other
#        parts.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/channelmeter/iso8601duration"
	sosodev "github.com/sosodev/duration"
)

func main() {
	for _, text := range []string{"PT30S", "PT0.5S", "PT1H0.5S", "PT1.5H"} {
		first, err := duration.FromString(text)
		if err != nil {
			panic(err)
		}
		second, err := sosodev.Parse(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: channelmeter %v, sosodev %v\n", text, first.ToDuration(), second.ToTimeDuration())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/channelmeter/iso8601duration@v0.0.0-20150204201828-8da3af7a2a61 >/dev/null 2>&1
go get github.com/sosodev/duration@v1.4.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
PT30S: channelmeter 30s, sosodev 30s
PT0.5S: channelmeter 0s, sosodev 500ms
PT1H0.5S: channelmeter 1h0m0s, sosodev 1h0m0.5s
PT1.5H: channelmeter 0s, sosodev 1h30m0s
OUT
