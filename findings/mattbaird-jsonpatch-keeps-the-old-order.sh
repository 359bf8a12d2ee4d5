#!/usr/bin/env bash
# The differences of two pairs of lists as JSON Patches (RFC 6902), written by github.com/mattbaird/jsonpatch
# 0ba75a80ca38 and applied by github.com/evanphx/json-patch 5.9.11.
# Guess: the second list of each pair.
# Seen:  an item that was removed is removed. The items that stay keep their old order, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	evanphx "github.com/evanphx/json-patch/v5"
	"github.com/mattbaird/jsonpatch"
)

func main() {
	for _, lists := range [][2]string{{`["a","b"]`, `["a"]`}, {`["a","b","c"]`, `["c","a"]`}} {
		operations, err := jsonpatch.CreatePatch([]byte(lists[0]), []byte(lists[1]))
		if err != nil {
			panic(err)
		}
		text, _ := json.Marshal(operations)
		patch, err := evanphx.DecodePatch(text)
		if err != nil {
			panic(err)
		}
		result, err := patch.Apply([]byte(lists[0]))
		fmt.Println(lists[1]+":", string(result), err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/mattbaird/jsonpatch@v0.0.0-20240118010651-0ba75a80ca38 >/dev/null 2>&1
go get github.com/evanphx/json-patch/v5@v5.9.11 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
["a"]: ["a"] <nil>
["c","a"]: ["a","c"] <nil>
OUT
