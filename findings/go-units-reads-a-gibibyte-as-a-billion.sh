#!/usr/bin/env bash
# One gibibyte, written by github.com/docker/go-units 0.5.0 with BytesSize and HumanSize, and read again by its two
# readers.
# Guess: a reader takes the unit that stands in the text, or refuses it.
# Seen:  FromHumanSize reads "1GiB" as a billion bytes, 7% less, and RAMInBytes reads "1.074GB" as 7% more. The letter
#        "i" is skipped.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/docker/go-units"
)

func main() {
	for _, text := range []string{units.BytesSize(1 << 30), units.HumanSize(1 << 30)} {
		decimal, _ := units.FromHumanSize(text)
		binary, _ := units.RAMInBytes(text)
		fmt.Printf("%s: FromHumanSize %d, RAMInBytes %d\n", text, decimal, binary)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/docker/go-units@v0.5.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
1GiB: FromHumanSize 1000000000, RAMInBytes 1073741824
1.074GB: FromHumanSize 1074000000, RAMInBytes 1153198718
OUT
