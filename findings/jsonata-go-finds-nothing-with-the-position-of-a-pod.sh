#!/usr/bin/env bash
# Expressions that number the pods of a list, run by jsonata 2.2.2 and by github.com/blues/jsonata-go 1.5.4.
# Guess: the same result, or an error of the syntax where jsonata-go does not know the operator.
# Seen:  jsonata-go reads `pods#$i` without an error of the syntax and then finds no result. Without the operator it
#        finds what jsonata finds.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jsonata@2.2.2 >/dev/null 2>&1
cat >run.js <<'JS'
const jsonata = require('jsonata');
const data = { pods: [{ name: 'web' }, { name: 'api' }] };
jsonata(process.argv[2]).evaluate(data).then(result => console.log(`jsonata:    ${result.join(' ')}`));
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	jsonata "github.com/blues/jsonata-go"
)

func main() {
	var data any
	if err := json.Unmarshal([]byte(`{"pods":[{"name":"web"},{"name":"api"}]}`), &data); err != nil {
		panic(err)
	}
	result, err := jsonata.MustCompile(os.Args[1]).Eval(data)
	fmt.Printf("jsonata-go: %v, error: %v\n", result, err)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/blues/jsonata-go@v1.5.4 >/dev/null 2>&1
for expression in 'pods.(name & "!")' 'pods#$i.(name & $i)'; do
  echo "$expression"
  node run.js "$expression"
  go run -mod=mod . "$expression"
done | tee seen
diff seen - <<'OUT'
pods.(name & "!")
jsonata:    web! api!
jsonata-go: [web! api!], error: <nil>
pods#$i.(name & $i)
jsonata:    web0 api1
jsonata-go: <nil>, error: no results found
OUT
