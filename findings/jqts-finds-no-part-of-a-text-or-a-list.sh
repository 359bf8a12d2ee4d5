#!/usr/bin/env bash
# The checks whether a text and a list contain another, computed by jqts 0.0.8 and by an implementation in Go
# (github.com/itchyny/gojq 0.12.20).
# Guess: the same results.
# Seen:  jqts finds neither a part of a text nor an item of a list, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jqts@0.0.8 >/dev/null 2>&1
cat >filter.js <<'JS'
const { JQ } = require('jqts');
const [input, ...filters] = process.argv.slice(2);
for (const filter of filters) {
  const [value] = JQ.compile(filter).evaluate(JSON.parse(input));
  console.log(`jqts: ${filter}: ${JSON.stringify(value)}`);
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
  $program '{"name":"web-1","args":["-v","-q"]}' '.name | contains("web")' '.args | contains(["-v"])'
done | tee seen
diff seen - <<'OUT'
jqts: .name | contains("web"): false
jqts: .args | contains(["-v"]): false
gojq: .name | contains("web"): true
gojq: .args | contains(["-v"]): true
OUT
