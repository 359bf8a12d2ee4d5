#!/usr/bin/env bash
# The containers of a pod by a filter at any depth (jsonpathly 3.0.0 and github.com/theory/jsonpath
# 0.12.3, which follows RFC 9535).
# Guess: the same names, as by the name of the list.
# Seen:  jsonpathly finds the container that is a field of an object, and not the one in a list, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund jsonpathly@3.0.0 >/dev/null 2>&1
echo '{"spec":{"containers":[{"image":"web","name":"a"}],"init":{"image":"wait","name":"b"}}}' >document.json
cat >find.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { query } from 'jsonpathly';
const document = JSON.parse(readFileSync('document.json', 'utf8'));
console.log('  package:', JSON.stringify(query(document, process.argv[2], { returnArray: true })));
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
	text, err := os.ReadFile("document.json")
	if err != nil {
		panic(err)
	}
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		panic(err)
	}
	path, err := jsonpath.Parse(os.Args[1])
	if err != nil {
		panic(err)
	}
	found, err := json.Marshal(path.Select(document))
	if err != nil {
		panic(err)
	}
	fmt.Println("  theory: ", string(found))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/theory/jsonpath@v0.12.3 >/dev/null 2>&1
for path in '$..[?(@.image)].name' '$..containers[?(@.image)].name'; do
  echo "$path"
  node find.mjs "$path"
  go run -mod=mod . "$path"
done | tee seen
diff seen - <<'OUT'
$..[?(@.image)].name
  package: ["b"]
  theory:  ["b","a"]
$..containers[?(@.image)].name
  package: ["a"]
  theory:  ["a"]
OUT
