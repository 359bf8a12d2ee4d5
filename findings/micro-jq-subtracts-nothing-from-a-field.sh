#!/usr/bin/env bash
# A count and the count less one, computed by @elastic/micro-jq 1.8.0 and by an implementation in Go
# (github.com/itchyny/gojq 0.12.20).
# Guess: the same results, or an error, as the package is a small implementation.
# Seen:  with a space behind the minus an error, and without one the number behind the field, -1.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @elastic/micro-jq@1.8.0 >/dev/null 2>&1
cat >filter.js <<'JS'
const { executeScript } = require('@elastic/micro-jq');
const [input, ...filters] = process.argv.slice(2);
for (const filter of filters) {
  try {
    console.log(`micro-jq: ${filter}: ${JSON.stringify(executeScript(JSON.parse(input), filter))}`);
  } catch (error) {
    console.log(`micro-jq: ${filter}: ${error.name}`);
  }
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
  $program '{"pods":5}' '.pods' '.pods - 1' '.pods -1'
done | tee seen
diff seen - <<'OUT'
micro-jq: .pods: 5
micro-jq: .pods - 1: SyntaxError
micro-jq: .pods -1: -1
gojq: .pods: 5
gojq: .pods - 1: 4
gojq: .pods -1: 4
OUT
