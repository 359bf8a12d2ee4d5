#!/usr/bin/env bash
# Two pairs of objects with numbers that differ by one, compared by github.com/yudai/gojsondiff 1.0.0 and as texts.
# Guess: a difference for both pairs.
# Seen:  none for the pair of large numbers. The numbers are compared as floats, which have no odd ones above 2^53.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	diff "github.com/yudai/gojsondiff"
)

func main() {
	for _, pair := range [][2]string{{`{"id":5}`, `{"id":6}`}, {`{"id":9007199254740992}`, `{"id":9007199254740993}`}} {
		difference, err := diff.New().Compare([]byte(pair[0]), []byte(pair[1]))
		if err != nil {
			panic(err)
		}
		fmt.Println(pair[0], pair[1], "changed:", difference.Modified(), "texts differ:", pair[0] != pair[1])
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/yudai/gojsondiff@v1.0.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
{"id":5} {"id":6} changed: true texts differ: true
{"id":9007199254740992} {"id":9007199254740993} changed: false texts differ: true
OUT
