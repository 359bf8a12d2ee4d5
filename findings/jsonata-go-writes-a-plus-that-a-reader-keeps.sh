#!/usr/bin/env bash
# A query for the address of a search, encoded by jsonata 2.2.2 and by github.com/blues/jsonata-go 1.5.4, each with
# $encodeUrlComponent, and decoded by $decodeUrlComponent of jsonata 2.2.2.
# Guess: the same text.
# Seen:  jsonata writes a space as `%20`, and jsonata-go writes it as a plus. The reader keeps the plus, so a query of
#        jsonata-go arrives with other words.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jsonata@2.2.2 >/dev/null 2>&1
cat >run.js <<'JS'
const jsonata = require('jsonata');
const [expression, query] = process.argv.slice(2);
jsonata(expression).evaluate({ query }).then(result => console.log(result));
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	jsonata "github.com/blues/jsonata-go"
)

func main() {
	result, err := jsonata.MustCompile(os.Args[1]).Eval(map[string]any{"query": os.Args[2]})
	if err != nil {
		panic(err)
	}
	fmt.Println(result)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/blues/jsonata-go@v1.5.4 >/dev/null 2>&1
query='restarts by (pod)'
js=$(node run.js '$encodeUrlComponent(query)' "$query")
go=$(go run -mod=mod . '$encodeUrlComponent(query)' "$query")
{
  echo "jsonata:    $js -> $(node run.js '$decodeUrlComponent(query)' "$js")"
  echo "jsonata-go: $go -> $(node run.js '$decodeUrlComponent(query)' "$go")"
} | tee seen
diff seen - <<'OUT'
jsonata:    restarts%20by%20(pod) -> restarts by (pod)
jsonata-go: restarts+by+%28pod%29 -> restarts+by+(pod)
OUT
