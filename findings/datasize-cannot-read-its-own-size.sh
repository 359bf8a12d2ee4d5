#!/usr/bin/env bash
# Sizes, written by github.com/c2h5oh/datasize aa82cc1e6500 with each of its three writers, and read by its reader.
# Guess: the same sizes, rounded where the text is.
# Seen:  the reader refuses the text for people, as it has a point and a space, also where the number is a whole one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/c2h5oh/datasize"
)

func main() {
	for _, size := range []datasize.ByteSize{2 * datasize.KB, 1536 * datasize.B} {
		for _, text := range []string{size.String(), size.HR(), size.HumanReadable()} {
			var read datasize.ByteSize
			err := read.UnmarshalText([]byte(text))
			fmt.Printf("%s: %d %v\n", text, uint64(read), err)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/c2h5oh/datasize@v0.0.0-20231215233829-aa82cc1e6500 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
2KB: 2048 <nil>
2.0 KB: 0 strconv.UnmarshalText: parsing "2.0 KB": invalid syntax
2.0 KB: 0 strconv.UnmarshalText: parsing "2.0 KB": invalid syntax
1536B: 1536 <nil>
1.5 KB: 0 strconv.UnmarshalText: parsing "1.5 KB": invalid syntax
1.5 KB: 0 strconv.UnmarshalText: parsing "1.5 KB": invalid syntax
OUT
