#!/usr/bin/env bash
# A filter with and without spaces, run by github.com/oliveagle/jsonpath 2e52cf6e6852 and by an implementation of RFC
# 9535 (github.com/theory/jsonpath 0.12.3).
# Guess: the same items.
# Seen:  without spaces oliveagle/jsonpath finds nothing, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"

	oliveagle "github.com/oliveagle/jsonpath"
	theory "github.com/theory/jsonpath"
)

func main() {
	var input any
	pods := `{"pods":[{"name":"a","restarts":1},{"name":"b","restarts":5},{"name":"c","restarts":9}]}`
	if err := json.Unmarshal([]byte(pods), &input); err != nil {
		panic(err)
	}
	for _, path := range []string{"$.pods[?(@.restarts > 3)].name", "$.pods[?(@.restarts>3)].name"} {
		first, err := oliveagle.JsonPathLookup(input, path)
		if err != nil {
			panic(err)
		}
		fmt.Println(path+": oliveagle", first, "theory", theory.MustParse(path).Select(input))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/oliveagle/jsonpath@v0.0.0-20180606110733-2e52cf6e6852 >/dev/null 2>&1
go get github.com/theory/jsonpath@v0.12.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
$.pods[?(@.restarts > 3)].name: oliveagle [b c] theory [b c]
$.pods[?(@.restarts>3)].name: oliveagle [] theory [b c]
OUT
