#!/usr/bin/env bash
# Counts of a JSON document, found by the function jsonpath and turned into text by the function string of the package
# expr of github.com/argoproj/pkg 0.13.6.
# Guess: the digits of the document.
# Seen:  from a million on the text has an exponent, such as "1e+06".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/argoproj/pkg/expr"
)

func main() {
	for _, count := range []string{"999999", "1000000", "1796029200"} {
		document := fmt.Sprintf(`{"count":%s}`, count)
		fmt.Printf("%s: %v\n", document, expr.AsStr(expr.JsonPath(document, "$.count")))
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/argoproj/pkg/expr@v0.13.6 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
{"count":999999}: 999999
{"count":1000000}: 1e+06
{"count":1796029200}: 1.7960292e+09
OUT
