#!/usr/bin/env bash
# All revisions but the last, and the last two, by parts of a list that count from its end
# (github.com/PaesslerAG/jsonpath 0.1.1, and for comparison github.com/theory/jsonpath 0.12.3, which follows RFC 9535).
# Guess: the same revisions.
# Seen:  a part that starts from the end is right. One that ends there is empty, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	paessler "github.com/PaesslerAG/jsonpath"
	theory "github.com/theory/jsonpath"
)

func main() {
	document := map[string]any{"revisions": []any{"r1", "r2", "r3"}}
	for _, path := range []string{"$.revisions[-2:]", "$.revisions[:-1]", "$.revisions[0:-1]", "$.revisions[0:2]"} {
		found, err := paessler.Get(path, document)
		if err != nil {
			panic(err)
		}
		other, err := theory.Parse(path)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%s paessler %v, theory %v\n", path, found, other.Select(document))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/PaesslerAG/jsonpath@v0.1.1 github.com/theory/jsonpath@v0.12.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
$.revisions[-2:] paessler [r2 r3], theory [r2 r3]
$.revisions[:-1] paessler [], theory [r1 r2]
$.revisions[0:-1] paessler [], theory [r1 r2]
$.revisions[0:2] paessler [r1 r2], theory [r1 r2]
OUT
