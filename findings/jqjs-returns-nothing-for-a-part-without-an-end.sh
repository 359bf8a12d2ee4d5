#!/usr/bin/env bash
# Parts of a list, computed by @michaelhomer/jqjs 1.6.0 and by an implementation in Go (github.com/itchyny/gojq
# 0.12.20).
# Guess: the same parts.
# Seen:  jqjs returns nothing for a part without a start or without an end.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @michaelhomer/jqjs@1.6.0 >/dev/null 2>&1
cat >filter.mjs <<'JS'
import { compile } from '@michaelhomer/jqjs';
const [input, ...filters] = process.argv.slice(2);
for (const filter of filters) {
  const values = compile(filter)(JSON.parse(input));
  for (const value of values) console.log(`jqjs: ${filter}: ${JSON.stringify(value)}`);
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
for program in 'node filter.mjs' 'go run -mod=mod .'; do
  $program '["a","b","c"]' '.[:2]' '.[1:3]' '.[1:]'
done | tee seen
diff seen - <<'OUT'
jqjs: .[1:3]: ["b","c"]
gojq: .[:2]: ["a","b"]
gojq: .[1:3]: ["b","c"]
gojq: .[1:]: ["b","c"]
OUT
