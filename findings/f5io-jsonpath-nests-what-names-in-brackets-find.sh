#!/usr/bin/env bash
# One label, selected by @f5io/jsonpath 1.0.9 and by an implementation of RFC 9535 in Go (github.com/theory/jsonpath
# 0.12.3): with points, and with one and two names in brackets.
# Guess: the label each time.
# Seen:  each name in brackets puts the result into a further list, and a name with a point behind two of them finds
#        nothing, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @f5io/jsonpath@1.0.9 >/dev/null 2>&1
cat >select.js <<'JS'
const jsonpath = require('@f5io/jsonpath').default;
const [input, ...paths] = process.argv.slice(2);
for (const path of paths) console.log(`f5io: ${path}: ${JSON.stringify(jsonpath(path, JSON.parse(input)))}`);
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/theory/jsonpath"
)

func main() {
	var input any
	if err := json.Unmarshal([]byte(os.Args[1]), &input); err != nil {
		panic(err)
	}
	for _, path := range os.Args[2:] {
		text, _ := json.Marshal(jsonpath.MustParse(path).Select(input))
		fmt.Printf("go:   %s: %s\n", path, text)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/theory/jsonpath@v0.12.3 >/dev/null 2>&1
for program in 'node select.js' 'go run -mod=mod .'; do
  $program '{"meta":{"labels":{"app":"web"}}}' '$.meta.labels.app' '$.meta["labels"]["app"]' '$["meta"]["labels"].app'
done | tee seen
diff seen - <<'OUT'
f5io: $.meta.labels.app: "web"
f5io: $.meta["labels"]["app"]: [["web"]]
f5io: $["meta"]["labels"].app: undefined
go:   $.meta.labels.app: ["web"]
go:   $.meta["labels"]["app"]: ["web"]
go:   $["meta"]["labels"].app: ["web"]
OUT
