#!/usr/bin/env bash
# Differences and quotients of three numbers, computed by jq-in-the-browser 0.7.2, which is "jq-compatible" by its
# description, and by an implementation in Go (github.com/itchyny/gojq 0.12.20).
# Guess: the same results.
# Seen:  the package begins a difference at its right, so 10 - 3 - 2 is 9. A quotient is right.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jq-in-the-browser@0.7.2 >/dev/null 2>&1
cat >filter.js <<'JS'
const jq = require('jq-in-the-browser').default;
const [input, ...filters] = process.argv.slice(2);
for (const filter of filters) {
  console.log(`browser: ${filter}: ${JSON.stringify(jq(filter)(JSON.parse(input)))}`);
}
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/itchyny/gojq"
)

func main() {
	var input any
	if err := json.Unmarshal([]byte(os.Args[1]), &input); err != nil {
		panic(err)
	}
	for _, filter := range os.Args[2:] {
		query, err := gojq.Parse(filter)
		if err != nil {
			panic(err)
		}
		results := query.Run(input)
		for value, ok := results.Next(); ok; value, ok = results.Next() {
			text, _ := gojq.Marshal(value)
			fmt.Printf("gojq: %s: %s\n", filter, text)
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/itchyny/gojq@v0.12.20 >/dev/null 2>&1
for program in 'node filter.js' 'go run -mod=mod .'; do
  $program '{"a":10,"b":3,"c":2}' '.a - .b' '.a - .b - .c' '.a / .c / .c'
done | tee seen
diff seen - <<'OUT'
browser: .a - .b: 7
browser: .a - .b - .c: 9
browser: .a / .c / .c: 2.5
gojq: .a - .b: 7
gojq: .a - .b - .c: 5
gojq: .a / .c / .c: 2.5
OUT
