#!/usr/bin/env bash
# Counts of restarts, sorted by jmespath-plus 0.1.7 and by an implementation in Go (github.com/jmespath/go-jmespath
# 0.4.0).
# Guess: the same order, as the specification sorts numbers by their value.
# Seen:  the package sorts the numbers as text, so 12 is before 3. Objects with these numbers are in order.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jmespath-plus@0.1.7 >/dev/null 2>&1
cat >select.js <<'JS'
const { search } = require('jmespath-plus');
const [input, ...queries] = process.argv.slice(2);
for (const query of queries) console.log(`plus: ${query}: ${JSON.stringify(search(JSON.parse(input), query))}`);
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
	var input any
	if err := json.Unmarshal([]byte(os.Args[1]), &input); err != nil {
		panic(err)
	}
	for _, query := range os.Args[2:] {
		value, err := jmespath.Search(query, input)
		if err != nil {
			panic(err)
		}
		text, _ := json.Marshal(value)
		fmt.Printf("go:   %s: %s\n", query, text)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/jmespath/go-jmespath@v0.4.0 >/dev/null 2>&1
for program in 'node select.js' 'go run -mod=mod .'; do
  $program '[{"restarts":3},{"restarts":12},{"restarts":1}]' 'sort([].restarts)' 'sort_by(@, &restarts)[].restarts'
done | tee seen
diff seen - <<'OUT'
plus: sort([].restarts): [1,12,3]
plus: sort_by(@, &restarts)[].restarts: [1,3,12]
go:   sort([].restarts): [1,3,12]
go:   sort_by(@, &restarts)[].restarts: [1,3,12]
OUT
