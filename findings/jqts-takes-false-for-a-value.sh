#!/usr/bin/env bash
# A default for a field, computed by jqts 0.0.8 and by an implementation in Go (github.com/itchyny/gojq 0.12.20). The
# field is missing, null and false.
# Guess: the default three times. In jq the operator // takes the other side for false, too.
# Seen:  jqts returns false.
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
  $program '{"node":null,"ready":false}' '.name // "none"' '.node // "none"' '.ready // "none"'
done | tee seen
diff seen - <<'OUT'
jqts: .name // "none": "none"
jqts: .node // "none": "none"
jqts: .ready // "none": false
gojq: .name // "none": "none"
gojq: .node // "none": "none"
gojq: .ready // "none": "none"
OUT
