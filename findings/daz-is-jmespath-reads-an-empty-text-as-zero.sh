#!/usr/bin/env bash
# Annotations with a number in text, read by the function to_number of @daz.is/jmespath 1.3.1 and of
# github.com/jmespath/go-jmespath 0.4.0.
# Guess: the same numbers. The specification of JMESPath returns null for a text that is no number of JSON.
# Seen:  the package reads an empty text as zero, and it reads "0x10" as 16. Go returns null for both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @daz.is/jmespath@1.3.1 >/dev/null 2>&1
cat >read.js <<'JS'
const { search } = require('@daz.is/jmespath');
for (const text of process.argv.slice(2)) console.log(`js: "${text}": ${search({ text }, 'to_number(text)')}`);
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/jmespath/go-jmespath"
)

func main() {
	for _, text := range os.Args[1:] {
		number, err := jmespath.Search("to_number(text)", map[string]any{"text": text})
		if err != nil {
			panic(err)
		}
		written, err := json.Marshal(number)
		if err != nil {
			panic(err)
		}
		fmt.Printf("go: %q: %s\n", text, written)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/jmespath/go-jmespath@v0.4.0 >/dev/null 2>&1
texts=(12 1e3 ready '' 0x10)
node read.js "${texts[@]}" >js
go run -mod=mod . "${texts[@]}" >go
cat js go | tee seen
diff seen - <<'OUT'
js: "12": 12
js: "1e3": 1000
js: "ready": null
js: "": 0
js: "0x10": 16
go: "12": 12
go: "1e3": 1000
go: "ready": null
go: "": null
go: "0x10": null
OUT
