#!/usr/bin/env bash
# The steps of a rollout in another order: github.com/wI2L/jsondiff 0.7.1 writes the patch with the options for
# moves, lists and patches that can be undone, and github.com/evanphx/json-patch 5.9.11 applies it.
# Guess: the new order. The description names no limit of moves beside tests.
# Seen:  without tests the patch gives the new order. With them the tests of all moved steps stand behind the moves
#        and ask for the old places, so the patch fails on the very document it was made from.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	patch "github.com/evanphx/json-patch/v5"
	"github.com/wI2L/jsondiff"
)

func main() {
	old := []byte(`{"steps":["pause","scale"]}`)
	wanted := []byte(`{"steps":["scale","pause"]}`)
	moves := []jsondiff.Option{jsondiff.LCS(), jsondiff.Factorize()}
	for _, options := range [][]jsondiff.Option{moves, append(moves, jsondiff.Invertible())} {
		operations, err := jsondiff.CompareJSON(old, wanted, options...)
		if err != nil {
			panic(err)
		}
		text, err := json.Marshal(operations)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
		decoded, err := patch.DecodePatch(text)
		if err != nil {
			panic(err)
		}
		result, err := decoded.Apply(old)
		fmt.Printf("  result %s, error %v\n", result, err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/wI2L/jsondiff@v0.7.1 github.com/evanphx/json-patch/v5@v5.9.11 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
[{"op":"move","from":"/steps/0","path":"/steps/1"}]
  result {"steps":["scale","pause"]}, error <nil>
[{"op":"move","from":"/steps/0","path":"/steps/1"},{"value":"pause","op":"test","path":"/steps/0"}]
  result , error testing value /steps/0 failed: test failed
OUT
