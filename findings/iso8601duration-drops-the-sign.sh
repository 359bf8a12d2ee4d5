#!/usr/bin/env bash
# A duration before a deadline, with the sign that ISO 8601 allows in front, read by
# github.com/channelmeter/iso8601duration 8da3af7a2a61 and by github.com/sosodev/duration 1.4.0.
# Guess: a duration below zero, or an error.
# Seen:  channelmeter/iso8601duration finds a duration anywhere in the text. The sign is lost, and other text in front
#        of it is accepted, too.
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
	for _, text := range []string{"PT1H", "-PT1H", "after PT1H"} {
		first, err := duration.FromString(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s: channelmeter %v, ", text, first.ToDuration())
		if second, err := sosodev.Parse(text); err == nil {
			fmt.Printf("sosodev %v\n", second.ToTimeDuration())
		} else {
			fmt.Println("sosodev", err)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/channelmeter/iso8601duration@v0.0.0-20150204201828-8da3af7a2a61 >/dev/null 2>&1
go get github.com/sosodev/duration@v1.4.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
PT1H: channelmeter 1h0m0s, sosodev 1h0m0s
-PT1H: channelmeter 1h0m0s, sosodev -1h0m0s
after PT1H: channelmeter 1h0m0s, sosodev unexpected input
OUT
