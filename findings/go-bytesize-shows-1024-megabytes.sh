#!/usr/bin/env bash
# Sizes of memory around one gibibyte, written and read again by github.com/inhies/go-bytesize
# (v0.0.0-20220417184213-4913239db9cf).
# Guess: below one gibibyte the text rounds up to 1.00GB.
# Seen:  1024.00MB, a number that the unit cannot have. What is read back is more than what was written.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/inhies/go-bytesize"
)

func main() {
	for _, size := range []uint64{1<<20 - 1, 1<<30 - 4096, 1 << 30} {
		text := bytesize.ByteSize(size).String()
		read, err := bytesize.Parse(text)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%d: %s, read as %d\n", size, text, uint64(read))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/inhies/go-bytesize@v0.0.0-20220417184213-4913239db9cf >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
1048575: 1024.00KB, read as 1048576
1073737728: 1024.00MB, read as 1073741824
1073741824: 1.00GB, read as 1073741824
OUT
